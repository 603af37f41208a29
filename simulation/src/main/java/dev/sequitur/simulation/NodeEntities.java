package dev.sequitur.simulation;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.selection.CoordinatorSelection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** What there is once in a node, in whichever of its JVMs, as the JVMs of one cluster see it. */
final class NodeEntities {
  final Map<ContractAddress, ContractMachines> ofContracts = new LinkedHashMap<>();

  /** The groups as the node knows them: they change as it reads blocks. */
  final Map<ContractAddress, CoordinatorSelection> selections = new LinkedHashMap<>();

  final List<KeeperShell> keepers = new ArrayList<>();
  QueueShell queue;
  PublicSubmitterShell publics;
  Indexing indexing;

  /**
   * Some begin anew, with what is on the disk.
   *
   * @param where by contract
   */
  void begin(Predicate<Shell<?, ?, ?, ?>> which, Places where) {
    for (var contract : List.copyOf(ofContracts.keySet())) {
      var before = ofContracts.get(contract);
      if (before.all().anyMatch(which)) {
        var place = where.of(contract.value());
        place.alive(
            () -> {
              var fresh = EntityFactory.create(place, contract);
              var after = before.replaced(which, fresh);
              ofContracts.put(contract, after);
              after.begin(before);
            });
      }
    }
    if (which.test(queue)) {
      var place = where.of(QueueShell.NAME);
      place.alive(
          () -> {
            queue = new QueueShell(place);
            queue.start();
          });
    }
    if (which.test(publics)) {
      var place = where.of(PublicSubmitterShell.NAME);
      place.alive(
          () -> {
            publics = new PublicSubmitterShell(place, place.simulation().setup());
            publics.begin();
          });
    }
  }

  /** By the name of an entity, the JVM that it belongs to. */
  interface Places {
    NodeLife of(String entity);
  }

  /**
   * What a JVM sees that is left out: what it has. Of a contract that is in several JVMs its part
   * ends, since nobody there is answered by the others.
   */
  NodeEntities asSeenBy(NodeLife leftOut) {
    var seen = new NodeEntities();
    ofContracts.forEach(
        (contract, machines) -> {
          seen.ofContracts.put(contract, machines);
          if (!machines.all().allMatch(each -> each.node() == leftOut)) {
            machines.all().filter(each -> each.node() == leftOut).forEach(Shell::leave);
          }
        });
    keepers.stream().filter(each -> each.node() == leftOut).forEach(seen.keepers::add);
    seen.selections.putAll(selections);
    seen.queue = queue;
    seen.publics = publics;
    seen.indexing = indexing;
    return seen;
  }
}
