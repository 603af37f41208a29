package dev.sequitur.simulation;

import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.EndorsementRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.random.RandomGenerator;

/** All kinds of trouble at once, chosen by the seed, until it is told to stop. */
final class RandomFaults {
  private final Simulation simulation;
  private final RandomGenerator random;
  private final List<SimulatedNode> nodes;
  private boolean calm;

  RandomFaults(Simulation simulation, RandomGenerator random) {
    this.simulation = simulation;
    this.random = random;
    this.nodes = List.copyOf(simulation.nodes());
  }

  void start() {
    if (chance(0.6)) {
      simulation.wire().add(LinkFault.lose(envelope -> true, random.nextDouble() * 0.2));
    }
    if (chance(0.6)) {
      simulation.wire().add(LinkFault.duplicate(envelope -> true, random.nextDouble() * 0.2));
    }
    if (chance(0.5)) {
      var upTo = Duration.ofMillis(100 + random.nextInt(3_000));
      simulation.wire().add(LinkFault.delay(envelope -> true, random.nextDouble() * 0.2, upTo));
    }
    for (var node : nodes) {
      if (chance(0.4)) {
        node.lag(Duration.ofMillis(random.nextInt(4_000)));
      }
    }
    if (chance(0.3)) {
      var once = new HashSet<TransactionId>();
      double share = random.nextDouble() * 0.3;
      simulation
          .ledger()
          .doom(prepared -> chance(share) && !calm && once.add(prepared.transaction()));
    }
    if (chance(0.3)) {
      double share = random.nextDouble() * 0.3;
      simulation
          .domain()
          .refuseWhere((NodeName node, EndorsementRequest request) -> !calm && chance(share));
    }
    strike();
  }

  private boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  private SimulatedNode any() {
    return nodes.get(random.nextInt(nodes.size()));
  }

  private void strike() {
    if (calm) {
      return;
    }
    switch (random.nextInt(8)) {
      case 0 -> partition();
      case 1 -> crashWithAnotherClock(any());
      case 2, 3 -> crashAtSomeMoment();
      case 4 -> stopIndexing(any());
      case 5 -> cutFromLedger(any());
      case 6 -> congest();
      default -> takeBackBlocks();
    }
    simulation.after(Duration.ofMillis(500 + random.nextInt(6_000)), this::strike);
  }

  /** Its clock is set while it is down, forwards or back. */
  private void crashWithAnotherClock(SimulatedNode node) {
    node.crashFor(downtime());
    node.skewClock(Duration.ofMillis(random.nextInt(10_000) - 5_000L));
  }

  private Duration downtime() {
    return Duration.ofMillis(100 + random.nextInt(8_000));
  }

  /** One way or both ways, between two groups of nodes. */
  private void partition() {
    var side = new HashSet<NodeName>();
    nodes.forEach(
        node -> {
          if (chance(0.5)) {
            side.add(node.name());
          }
        });
    boolean bothWays = chance(0.5);
    var heal =
        simulation
            .wire()
            .add(
                LinkFault.lose(
                    envelope ->
                        side.contains(envelope.from())
                            ? !side.contains(envelope.to())
                            : bothWays && side.contains(envelope.to()),
                    1.0));
    simulation.after(downtime(), heal);
  }

  private void crashAtSomeMoment() {
    int skip = random.nextInt(60);
    var kinds =
        List.of(
            Moment.Accepting.class,
            Moment.Accepted.class,
            Moment.Sent.class,
            Moment.Committing.class,
            Moment.Committed.class,
            Moment.Indexing.class);
    var kind = kinds.get(random.nextInt(kinds.size()));
    int[] left = {skip};
    any().crashAt(moment -> kind.isInstance(moment) && left[0]-- <= 0, downtime());
  }

  private void stopIndexing(SimulatedNode node) {
    node.indexAtMost(simulation.ledger().head());
    simulation.after(downtime(), node::indexAll);
  }

  private void cutFromLedger(SimulatedNode node) {
    node.cutFromLedger(true);
    simulation.after(downtime(), () -> node.cutFromLedger(false));
  }

  private void congest() {
    simulation.ledger().limitBlocks(random.nextInt(3));
    simulation.after(downtime(), () -> simulation.ledger().limitBlocks(Integer.MAX_VALUE));
  }

  /** Never final ones. */
  private void takeBackBlocks() {
    int open = (int) (simulation.ledger().head() - simulation.finalHeight());
    simulation.ledger().takeBack(random.nextInt(open + 1));
  }

  /** No new faults, and the old ones heal; who is down comes back. */
  void calm() {
    calm = true;
    simulation.wire().heal();
    simulation.ledger().limitBlocks(Integer.MAX_VALUE);
    for (var node : new ArrayList<>(nodes)) {
      node.crashNoMore();
      node.cutFromLedger(false);
      node.indexAll();
      node.lag(Duration.ofMillis(random.nextInt(500)));
      node.start();
    }
  }
}
