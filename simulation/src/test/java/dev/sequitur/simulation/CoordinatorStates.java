package dev.sequitur.simulation;

import dev.sequitur.protocol.assembly.AssemblyGraph;
import dev.sequitur.protocol.coordinator.CoordinatorState;
import dev.sequitur.protocol.transaction.StateLocks;
import org.pcollections.HashTreePMap;

/** States that no coordinator comes to by itself. */
final class CoordinatorStates {
  private CoordinatorStates() {}

  static CoordinatorState withoutLocks(CoordinatorState state) {
    var graph = state.graph();
    var unlocked =
        new AssemblyGraph(
            graph.nodes(),
            HashTreePMap.empty(),
            HashTreePMap.empty(),
            graph.madeBy(),
            StateLocks.NONE,
            graph.audiences(),
            graph.settled());
    return new CoordinatorState(
        state.mode(),
        state.sequence(),
        state.height(),
        state.availability(),
        state.transactions(),
        state.queues(),
        state.arrivals(),
        state.lastServed(),
        state.assembling(),
        unlocked,
        state.exchanges(),
        state.purposes(),
        state.handed(),
        state.nextRequest(),
        state.lastHeartbeat(),
        state.startupSentAt());
  }
}
