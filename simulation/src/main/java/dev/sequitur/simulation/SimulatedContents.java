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
    return SimulatedSurroundings.answer(
        node,
        RunningNode.WRITE,
        () -> {
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
