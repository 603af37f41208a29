package dev.sequitur.simulation;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.port.StateContents;
import dev.sequitur.protocol.transaction.PrivateState;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/** A running node's way to the contents of states on its disk. */
record SimulatedContents(RunningNode node) implements StateContents {

  @Override
  public CompletionStage<Void> putStates(List<PrivateState> states) {
    // Sooner than the events that name them, or much later.
    var wait =
        states.hashCode() % 2 == 0
            ? RunningNode.WRITE.dividedBy(2)
            : RunningNode.WRITE.multipliedBy(16);
    return SimulatedSurroundings.answer(
        node,
        wait,
        () -> {
          node.simulation().conduct().onKept(node.name(), states);
          states.forEach(state -> node.disk().contents.put(state.id(), state));
          return null;
        });
  }

  @Override
  public CompletionStage<List<PrivateState>> states(
      ContractAddress contract, Collection<StateId> ids) {
    return SimulatedSurroundings.answer(
        node,
        RunningNode.WORK,
        () ->
            ids.stream()
                .map(node.disk().contents::get)
                .filter(Objects::nonNull)
                .filter(state -> state.contract().equals(contract))
                .toList());
  }
}
