package dev.sequitur.simulation;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.placement.EvenShares;
import dev.sequitur.protocol.placement.ShardNumber;
import dev.sequitur.protocol.sender.Handover;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The JVMs of one node, and which of them has what: as {@link EvenShares} says, and moved when a
 * JVM has come or gone. Nothing here is drawn where a node has one.
 */
final class SimulatedJvms {
  /** As in the profile of a node. */
  private static final int SHARDS = ShardNumber.USUAL;

  private final Simulation simulation;
  private final SimulatedNode node;
  private final int count;
  private final SplittableRandom random;

  /** Oldest first. */
  private List<NodeLife> members = List.of();

  /** Those that run on and are left out. */
  private List<NodeLife> leftOut = List.of();

  private NodeEntities entities = new NodeEntities();

  SimulatedJvms(Simulation simulation, SimulatedNode node, int count) {
    this.simulation = simulation;
    this.node = node;
    this.count = count;
    this.random = new SplittableRandom(simulation.setup().seed() * 97 + node.name().hashCode());
  }

  boolean isUp() {
    return !members.isEmpty();
  }

  int count() {
    return count;
  }

  List<NodeLife> members() {
    return members;
  }

  List<NodeLife> fellows(NodeLife jvm) {
    return members.contains(jvm) ? members : List.of(jvm);
  }

  /** Whether there are members besides it. */
  boolean hasOthers(NodeLife jvm) {
    return members.size() > (members.contains(jvm) ? 1 : 0);
  }

  /** Whom callers and other nodes happen to speak to: also one that is left out. */
  NodeLife any(Object of) {
    if (members.size() + leftOut.size() == 1) {
      return members.getFirst();
    }
    int which = Math.floorMod(of.hashCode(), members.size() + leftOut.size());
    return which < members.size() ? members.get(which) : leftOut.get(which - members.size());
  }

  /** All of them, with what is on the disk. */
  void start() {
    entities = new NodeEntities();
    var begun = new ArrayList<NodeLife>();
    for (int i = 0; i < count; i++) {
      begun.add(life(node.name() + "/" + i));
    }
    members = List.copyOf(begun);
    var first = members.getFirst();
    first.alive(first::startFirst);
    for (var each : begun) {
      if (each != first && each.isAlive()) {
        each.alive(each::join);
      }
    }
  }

  private NodeLife life(String name) {
    node.begins();
    return new NodeLife(simulation, node, name, entities);
  }

  /** All end. */
  void crash() {
    members.forEach(NodeLife::die);
    leftOut.forEach(NodeLife::die);
    members = List.of();
    leftOut = List.of();
  }

  /** The JVM that an entity belongs to; those of a contract are together. */
  NodeLife placeOf(String entity) {
    if (members.size() == 1) {
      return members.getFirst();
    }
    Map<String, NodeLife> byName = new TreeMap<>();
    members.forEach(each -> byName.put(each.jvm(), each));
    return byName.get(
        EvenShares.of(SHARDS, byName.keySet()).get(ShardNumber.shard(entity, SHARDS)));
  }

  /** A sender begins in the oldest JVM, unless others have begun it elsewhere. */
  void arrive(SenderShell before, PrivacyGroup group) {
    var machines = entities.ofContracts.get(group.contract());
    if (!members.isEmpty() && machines != null && machines.sender() == before) {
      var place = members.getFirst();
      place.alive(
          () -> {
            var there = EntityFactory.sender(place, simulation.setup(), group);
            entities.ofContracts.put(
                group.contract(), entities.ofContracts.get(group.contract()).with(there));
            there.start();
          });
    }
  }

  // What goes wrong

  /** One of several dies, or is left out. */
  void strike(long which, boolean dies, Duration away) {
    if (members.size() > 1) {
      var jvm = members.get((int) (which % members.size()));
      if (dies) {
        die(jvm, Optional.of(away));
      } else {
        leaveOut(jvm);
      }
    }
  }

  /** One dies while others go on; they take over once they have found out. */
  void die(NodeLife jvm, Optional<Duration> again) {
    simulation.injected(Fault.JVM_DIED);
    lose(jvm);
    var cluster = entities;
    simulation.after(Duration.ofMillis(1_000 + random.nextInt(4_000)), () -> takeOver(cluster));
    again.ifPresent(wait -> simulation.after(wait, () -> join(cluster, jvm.jvm())));
  }

  /**
   * The others go on without one that does not know it. Whether they have its entities before its
   * writes are refused, or after, is open.
   */
  void leaveOut(NodeLife jvm) {
    simulation.injected(Fault.JVM_LEFT_OUT);
    simulation.trace().add(simulation.now(), node.name(), "leaves out", jvm.jvm());
    var cluster = entities;
    members = without(members, jvm);
    leftOut = with(leftOut, jvm);
    jvm.leaveOut();
    simulation.after(Duration.ofMillis(random.nextInt(600)), () -> takeOver(cluster));
    simulation.after(
        Duration.ofMillis(random.nextInt(3_000)),
        () -> {
          jvm.fence();
          lookForUnfinished(cluster);
        });
    simulation.after(NodeLife.OVERLAP, () -> lose(jvm));
    var again = NodeLife.OVERLAP.plusMillis(random.nextInt(4_000));
    simulation.after(again, () -> join(cluster, jvm.jvm()));
  }

  /** It is no more. */
  void lose(NodeLife jvm) {
    if (!jvm.isAlive()) {
      return;
    }
    simulation.trace().add(simulation.now(), node.name(), "loses", jvm.jvm());
    Recovery.checkWhatIsIn(jvm);
    jvm.die();
    node.lost(jvm);
    members = without(members, jvm);
    leftOut = without(leftOut, jvm);
  }

  private static List<NodeLife> without(List<NodeLife> all, NodeLife one) {
    return all.stream().filter(each -> each != one).toList();
  }

  private static List<NodeLife> with(List<NodeLife> all, NodeLife one) {
    var more = new ArrayList<>(all);
    more.add(one);
    return List.copyOf(more);
  }

  /** What is in none of the members begins in one of them. */
  private void takeOver(NodeEntities cluster) {
    if (cluster != entities || members.isEmpty()) {
      return;
    }
    cluster.begin(each -> !members.contains(each.node()), this::placeOf);
    var first = members.getFirst();
    first.alive(
        () -> {
          if (!members.contains(cluster.indexing.node())) {
            cluster.indexing = new Indexing(first, node.disk().indexedTo);
          }
          if (cluster.keepers.removeIf(each -> !members.contains(each.node()))
              && cluster.keepers.isEmpty()) {
            first.moveKeeper();
          }
        });
    lookForUnfinished(cluster);
  }

  /** What it has accepted that nobody knows of. */
  private void lookForUnfinished(NodeEntities cluster) {
    if (cluster == entities && !members.isEmpty()) {
      var first = members.getFirst();
      first.alive(
          () -> {
            first
                .handover()
                .tell(new Handover.Input.InDoubt(Set.copyOf(cluster.ofContracts.keySet())));
            var sender = new Identity(Simulation.MEMBER, node.name());
            first.handover().tell(new Handover.Input.PublicsAccepted(Set.of(sender)));
            first.founding().begin();
          });
    }
  }

  private void join(NodeEntities cluster, String name) {
    if (cluster != entities || members.isEmpty()) {
      return;
    }
    simulation.injected(Fault.JVM_JOINED);
    simulation.trace().add(simulation.now(), node.name(), "is joined by", name);
    var jvm = life(name);
    members = with(members, jvm);
    jvm.alive(jvm::join);
    for (var contract : List.copyOf(cluster.ofContracts.keySet())) {
      move(cluster, contract, each -> !(each instanceof CoordinatorShell));
      simulation.after(
          Duration.ofMillis(random.nextInt(8_000)),
          () -> move(cluster, contract, CoordinatorShell.class::isInstance));
    }
  }

  /**
   * NodeEntities of a contract go where they belong. What they are told meanwhile is held back for
   * them.
   */
  private void move(
      NodeEntities cluster, ContractAddress contract, Predicate<Shell<?, ?, ?, ?>> which) {
    if (cluster != entities || members.isEmpty()) {
      return;
    }
    var place = placeOf(contract.value());
    var moving =
        cluster
            .ofContracts
            .get(contract)
            .all()
            .filter(which)
            .filter(each -> each.node() != place && members.contains(each.node()) && each.isHere())
            .toList();
    if (moving.stream().anyMatch(Shell::isWriting)) {
      simulation.after(Duration.ofMillis(5), () -> move(cluster, contract, which));
    } else if (!moving.isEmpty()) {
      simulation.injected(Fault.ENTITIES_MOVED);
      moving.forEach(Shell::leaveForNow);
      simulation.after(
          Duration.ofMillis(50 + random.nextInt(1_000)),
          () -> {
            if (cluster == entities && !members.isEmpty()) {
              cluster.begin(moving::contains, this::placeOf);
            }
          });
    }
  }
}
