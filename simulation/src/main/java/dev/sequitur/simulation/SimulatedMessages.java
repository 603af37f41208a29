package dev.sequitur.simulation;

import dev.sequitur.protocol.group.GroupMessage;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.MessageStore;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A running node's way to the messages on its disk. */
record SimulatedMessages(NodeLife node) implements MessageStore {

  @Override
  public CompletionStage<Void> putMessages(Instant at, List<GroupMessage> messages) {
    return SimulatedSurroundings.answer(
        node,
        NodeLife.writeBeside(messages),
        () -> {
          node.reach(new Moment.Committing(node.name(), MessageBookShell.NAME, messages));
          for (var message : messages) {
            node.simulation().messaging().onKept(node.name(), message);
            node.disk().put(message);
          }
          node.reach(new Moment.Committed(node.name(), MessageBookShell.NAME, messages));
          return null;
        });
  }

  @Override
  public CompletionStage<Void> forgetMessages(ContractAddress contract, NodeName from, long upTo) {
    return SimulatedSurroundings.answer(
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
