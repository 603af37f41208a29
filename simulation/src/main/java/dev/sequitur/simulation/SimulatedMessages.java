package dev.sequitur.simulation;

import dev.sequitur.protocol.group.GroupMessage;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.MessageStore;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A running node's way to the messages on its disk. */
record SimulatedMessages(NodeLife node) implements MessageStore {

  @Override
  public CompletionStage<Void> putMessages(Instant at, List<Following> places) {
    var messages = places.stream().map(Following::message).toList();
    return SimulatedSurroundings.write(
            node,
            NodeLife.writeBeside(messages),
            () -> {
              node.reach(new Moment.Committing(node.name(), MessageBookShell.NAME, messages));
              if (places.stream().anyMatch(this::isTaken)) {
                return false;
              }
              for (var place : places) {
                if (following(place).isEmpty()) {
                  node.simulation().messaging().onKept(node.name(), place);
                  node.disk().put(place.message());
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

  /** In another JVM another life has gone on from the same message. */
  private boolean isTaken(Following place) {
    return following(place).filter(there -> !there.equals(place.message())).isPresent();
  }

  /** What stands where it would. */
  private Optional<GroupMessage> following(Following place) {
    var message = place.message();
    var kept = node.disk().messages(message.contract(), message.from());
    return Optional.ofNullable(kept.higherEntry(place.after())).map(Map.Entry::getValue);
  }

  @Override
  public CompletionStage<Void> forgetMessages(ContractAddress contract, NodeName from, int keep) {
    return SimulatedSurroundings.write(
        node,
        NodeLife.WRITE,
        () -> {
          node.simulation().messaging().onForgotten(node.name(), from);
          node.disk().forget(contract, from, keep);
          return null;
        });
  }

  @Override
  public CompletionStage<Map<NodeName, Long>> newestMessages(ContractAddress contract) {
    return answer(() -> node.disk().newestMessages(contract));
  }

  @Override
  public CompletionStage<List<Long>> newestNumbers(
      ContractAddress contract, NodeName from, int most) {
    return answer(() -> node.disk().newestNumbers(contract, from, most));
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
