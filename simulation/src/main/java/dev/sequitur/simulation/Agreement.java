package dev.sequitur.simulation;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import java.util.HashSet;
import java.util.Optional;

/** Whether all members of a group delegate to the same coordinator. */
final class Agreement {
  private Agreement() {}

  static boolean isReached(Simulation simulation) {
    return simulation.groups().stream().allMatch(group -> isReached(simulation, group.contract()));
  }

  private static boolean isReached(Simulation simulation, ContractAddress contract) {
    var chosen = new HashSet<Optional<NodeName>>();
    for (var node : simulation.nodes()) {
      var entities = node.running().entities(contract);
      if (entities != null) {
        chosen.add(entities.sender().state().choice().coordinator());
      }
    }
    return chosen.size() == 1 && chosen.iterator().next().isPresent();
  }
}
