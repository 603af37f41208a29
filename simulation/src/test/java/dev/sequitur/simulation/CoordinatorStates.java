package dev.sequitur.simulation;

import dev.sequitur.protocol.assembly.AssemblyGraph;
import dev.sequitur.protocol.coordinator.CoordinatorState;
import dev.sequitur.protocol.transaction.StateLocks;
import dev.sequitur.protocol.trie.HashTrie;
import org.pcollections.TreePMap;

/** States that no coordinator comes to by itself. */
final class CoordinatorStates {
  private CoordinatorStates() {}

  static CoordinatorState withNobodyWaiting(CoordinatorState state) {
    return state.withAttestations(state.attestations().withWaiting(TreePMap.empty()));
  }

  static CoordinatorState withoutLocks(CoordinatorState state) {
    var graph = state.graph();
    var unlocked =
        new AssemblyGraph(
            graph.nodes(),
            HashTrie.empty(),
            HashTrie.empty(),
            graph.madeBy(),
            StateLocks.NONE,
            graph.audiences(),
            graph.settled());
    return new CoordinatorState(
        state.mode(),
        state.height(),
        state.availability(),
        state.announcements(),
        state.transactions(),
        state.waiting(),
        state.assembling(),
        state.attestations(),
        unlocked,
        state.requests(),
        state.handed(),
        state.doubts(),
        state.passedOver(),
        state.silences(),
        state.awake(),
        state.cannotSubmit());
  }
}
