package dev.sequitur.simulation;

import dev.sequitur.protocol.group.GroupMessage;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.MessageStore;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A running node's way to the messages on its disk. */
record SimulatedMessages(NodeLife node) implements MessageStore {

  @Override
  public CompletionStage<Void> putMessages(Instant at, List<GroupMessage> messages) {
    return SimulatedSurroundings.write(
            node,
            NodeLife.writeBeside(messages),
            () -> {
              node.reach(new Moment.Committing(node.name(), MessageBookShell.NAME, messages));
              if (messages.stream().anyMatch(this::isTaken)) {
                return false;
              }
              for (var message : messages) {
                if (!isKept(message)) {
                  node.simulation().messaging().onKept(node.name(), message);
                  node.disk().put(message);
                }
              }
              node.reach(new Moment.Committed(node.name(), MessageBookShell.NAME, messages));
              return true;
            })
        .thenCompose(kept -> kept ? done() : refused());
  }

  private static CompletionStage<Void> done() {
    return CompletableFuture.completedFuture(null);
  }

  private static CompletionStage<Void> refused() {
    return CompletableFuture.failedFuture(new IllegalStateException("The number is taken."));
  }

  /** In another JVM another life has given its number to another message. */
  private boolean isTaken(GroupMessage message) {
    var known = node.disk().messages(message.contract(), message.from()).get(message.number());
    return known != null && !known.equals(message);
  }

  /** Another life has kept it, or has kept it and forgotten it. */
  private boolean isKept(GroupMessage message) {
    var kept = node.disk().messages(message.contract(), message.from());
    return node.home().jvms().count() > 1 && !kept.isEmpty() && kept.lastKey() >= message.number();
  }

  @Override
  public CompletionStage<Void> forgetMessages(ContractAddress contract, NodeName from, long upTo) {
    return SimulatedSurroundings.write(
        node,
        NodeLife.WRITE,
        () -> {
          node.simulation().messaging().onForgotten(node.name(), from, upTo);
          node.disk().forget(contract, from, upTo);
          return null;
        });
  }

  @Override
  public CompletionStage<Map<NodeName, Long>> newestMessages(ContractAddress contract) {
    return answer(() -> node.disk().newestMessages(contract));
  }

  @Override
  public CompletionStage<List<GroupMessage>> messagesAfter(
      ContractAddress contract, NodeName from, long after, int limit) {
    return answer(
        () ->
            node.disk().messages(contract, from).tailMap(after, false).values().stream()
                .limit(limit)
                .toList());
  }

  private <T> CompletionStage<T> answer(Supplier<T> what) {
    return SimulatedSurroundings.answer(node, NodeLife.WORK, what);
  }
}
