package dev.sequitur.simulation;

import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.EndorsementResponse;
import dev.sequitur.protocol.message.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** All kinds of trouble at once, chosen by the seed, until it is told to stop. */
final class RandomFaults {
  private static final int SLOW_ONE_IN = 20;

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
    badNetwork();
    badNodes();
    badPool(new SplittableRandom(simulation.setup().seed() * 43));
    keysWithoutMoney(new SplittableRandom(simulation.setup().seed() * 53));
    badGas(new SplittableRandom(simulation.setup().seed() * 47));
    deadLink(new SplittableRandom(simulation.setup().seed() * 61));
    droppedTransition(new SplittableRandom(simulation.setup().seed() * 67));
    forgetting(new SplittableRandom(simulation.setup().seed() * 97));
    for (var node : nodes) {
      if (chance(0.4)) {
        simulation.injected(Fault.BLOCKS_LATE);
        node.lag(Duration.ofMillis(random.nextInt(4_000)));
      }
    }
    if (chance(0.3)) {
      slowEndorser(any());
    }
    if (chance(0.3)) {
      var once = new HashSet<TransactionId>();
      double share = random.nextDouble() * 0.3;
      simulation
          .ledger()
          .doom(
              prepared -> happens(share, Fault.LEDGER_REVERT) && once.add(prepared.transaction()));
    }
    if (chance(0.3)) {
      double share = random.nextDouble() * 0.5;
      simulation.ledger().refuseBatches(() -> happens(share, Fault.BATCH_REFUSED));
    }
    if (chance(0.3)) {
      double share = random.nextDouble() * 0.3;
      simulation
          .domain()
          .refuseWhere((node, transaction) -> happens(share, Fault.ENDORSEMENT_REFUSED));
    }
    simulation.caller().take(this::callerTakes);
    strike();
  }

  /** Some longer than locks are kept for them. */
  private Duration callerTakes() {
    return happens(0.3, Fault.CALLER_LATE)
        ? Duration.ofMillis(1_000L + random.nextInt(14_000))
        : Duration.ofMillis(300);
  }

  private void badNetwork() {
    var wire = simulation.wire();
    if (chance(0.6)) {
      wire.add(Fault.MESSAGE_LOST, LinkFault.lose(envelope -> true, random.nextDouble() * 0.2));
    }
    if (chance(0.6)) {
      double share = random.nextDouble() * 0.2;
      wire.add(Fault.MESSAGE_DOUBLED, LinkFault.duplicate(envelope -> true, share));
    }
    if (chance(0.5)) {
      var upTo = Duration.ofMillis(100 + random.nextInt(3_000));
      double share = random.nextDouble() * 0.2;
      wire.add(Fault.MESSAGE_DELAYED, LinkFault.delay(envelope -> true, share, upTo));
    }
  }

  /** Drawn apart, so that what else goes wrong in a network does not depend on it. */
  private void badNodes() {
    var apart = new SplittableRandom(simulation.setup().seed() * 31);
    if (apart.nextInt(10) < 4) {
      double share = apart.nextDouble() * 0.1;
      for (var node : nodes) {
        node.loseLocalMessages(
            () -> {
              boolean lost = !calm && apart.nextDouble() < share;
              if (lost) {
                simulation.injected(Fault.LOCAL_MESSAGE_LOST);
              }
              return lost;
            });
      }
    }
  }

  /** Drawn apart as well. */
  private void badGas(SplittableRandom apart) {
    if (apart.nextInt(10) < 3) {
      double share = apart.nextDouble() * 0.5;
      simulation
          .ledger()
          .starve(
              () -> {
                boolean starved = !calm && apart.nextDouble() < share;
                if (starved) {
                  simulation.injected(Fault.CALL_OUT_OF_GAS);
                }
                return starved;
              });
    }
  }

  /** Drawn apart as well. */
  private void badPool(SplittableRandom apart) {
    if (apart.nextInt(10) < 4) {
      simulation.after(Duration.ofMillis(apart.nextInt(4_000)), () -> losePooled(apart));
    }
  }

  private void losePooled(SplittableRandom apart) {
    if (!calm) {
      if (simulation.ledger().losePooled(apart)) {
        simulation.injected(Fault.POOL_LOST);
      }
      simulation.after(Duration.ofMillis(500 + apart.nextInt(4_000)), () -> losePooled(apart));
    }
  }

  /**
   * Drawn apart as well: half of the keys have nothing to pay for gas with, until they are given.
   */
  private void keysWithoutMoney(SplittableRandom apart) {
    if (simulation.setup().funding().isEmpty() && apart.nextInt(10) < 3) {
      int half = apart.nextInt(2);
      simulation.after(
          Duration.ofMillis(apart.nextInt(20_000)),
          () -> {
            simulation.injected(Fault.KEY_WITHOUT_MONEY);
            simulation.ledger().takeMoney(key -> !calm && Math.floorMod(key.hashCode(), 2) == half);
          });
      simulation.after(
          Duration.ofMillis(20_000 + apart.nextInt(8_000)),
          () -> simulation.ledger().takeMoney(key -> false));
    }
  }

  /** Drawn apart as well: a node that neither sees blocks nor submits, and answers all others. */
  private void deadLink(SplittableRandom apart) {
    if (apart.nextInt(10) < 3) {
      var node = nodes.get(apart.nextInt(nodes.size()));
      simulation.after(
          Duration.ofMillis(apart.nextInt(10_000)),
          () -> {
            simulation.injected(Fault.LEDGER_LINK_DEAD);
            node.cutFromLedger(true);
            node.indexAtMost(simulation.finalHeight());
          });
    }
  }

  /**
   * Drawn apart as well: a state store is not told of a block, and its operator makes that good.
   */
  private void droppedTransition(SplittableRandom apart) {
    if (apart.nextInt(10) < 3) {
      var node = nodes.get(apart.nextInt(nodes.size()));
      simulation.after(Duration.ofMillis(apart.nextInt(25_000)), node::dropNextBlock);
      Comparing.allAgainAndAgain(simulation);
    }
  }

  /** Drawn apart as well, and when all is calm, too: no node stops forgetting. */
  private void forgetting(SplittableRandom apart) {
    if (apart.nextInt(10) < 4) {
      Forgetting.begin(simulation, apart);
    }
  }

  private boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  private boolean happens(double probability, Fault fault) {
    boolean happens = chance(probability) && !calm;
    if (happens) {
      simulation.injected(fault);
    }
    return happens;
  }

  private SimulatedNode any() {
    return nodes.get(random.nextInt(nodes.size()));
  }

  private void strike() {
    if (calm) {
      return;
    }
    switch (random.nextInt(10)) {
      case 0 -> partition();
      case 1 -> crashWithAnotherClock(any());
      case 2, 3 -> crashAtSomePoint();
      case 4 -> stopIndexing(any());
      case 5 -> cutFromLedger(any());
      case 6 -> congest();
      case 7 -> silenceHeartbeats(any());
      case 8 -> loseSubmitter(any());
      default -> takeBackBlocks();
    }
    simulation.after(Duration.ofMillis(500 + random.nextInt(6_000)), this::strike);
  }

  /** Its clock is set while it is down, forwards or back. */
  private void crashWithAnotherClock(SimulatedNode node) {
    simulation.injected(Fault.CRASH);
    simulation.injected(Fault.CLOCK_SKEWED);
    node.crashFor(downtime());
    node.skewClock(Duration.ofMillis(random.nextInt(10_000) - 5_000L));
  }

  private Duration downtime() {
    // Half of them are up again before anybody has noticed.
    return Duration.ofMillis(100 + random.nextInt(chance(0.5) ? 800 : 8_000));
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
    simulation.injected(bothWays ? Fault.PARTITION_BOTH_WAYS : Fault.PARTITION_ONE_WAY);
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

  private void crashAtSomePoint() {
    var points = CrashPoint.values();
    var point = points[random.nextInt(points.length)];
    // The named points come seldom; writes and messages come all the time.
    boolean often = point == CrashPoint.WRITING || point == CrashPoint.SENDING;
    int skip = random.nextInt(often ? 60 : 4);
    crashAt(any(), point::is, point.fault(), skip, downtime());
  }

  private void crashAt(
      SimulatedNode node, Predicate<Moment> at, Fault fault, int skip, Duration downtime) {
    int[] left = {skip};
    node.crashAt(
        moment -> {
          boolean now = at.test(moment) && left[0]-- <= 0;
          if (now) {
            simulation.injected(fault);
          }
          return now;
        },
        downtime);
  }

  /** Longer than a sender waits for a submitter's heartbeat. */
  private void loseSubmitter(SimulatedNode node) {
    var downtime = Duration.ofMillis(9_000L + random.nextInt(8_000));
    if (chance(0.5)) {
      crashAt(node, CrashPoint.AT_2C::is, Fault.SUBMITTER_GONE_BEFORE, random.nextInt(3), downtime);
    } else {
      Predicate<Moment> submitted = Moment.Submitted.class::isInstance;
      crashAt(node, submitted, Fault.SUBMITTER_GONE_AFTER, random.nextInt(3), downtime);
    }
  }

  /** It works on, and nobody hears that it lives. */
  private void silenceHeartbeats(SimulatedNode node) {
    var silence =
        LinkFault.lose(
            envelope ->
                envelope.from().equals(node.name())
                    && envelope.payload() instanceof Message.Heartbeat,
            1.0);
    simulation.after(downtime(), simulation.wire().add(Fault.HEARTBEAT_MISSED, silence));
  }

  /**
   * No fault: some transactions take every endorser longer than their coordinator may be silent.
   */
  void slowEndorsements() {
    var heartbeats = simulation.setup().settings().heartbeats();
    var wait = heartbeats.coordinatorFailureThreshold().plus(heartbeats.coordinatorInterval());
    int which = random.nextInt(SLOW_ONE_IN);
    simulation
        .wire()
        .add(
            LinkFault.slow(
                envelope ->
                    envelope.payload() instanceof EndorsementResponse response
                        && response.transactions().stream()
                            .anyMatch(id -> Math.floorMod(id.hashCode(), SLOW_ONE_IN) == which),
                wait));
  }

  /**
   * No fault either: blocks take nothing for longer than a submitter may be silent. It is not
   * silent, so that nobody takes what it holds for lost (SUB-6).
   */
  void emptyBlocks() {
    var apart = new SplittableRandom(simulation.setup().seed() * 59);
    var heartbeats = simulation.setup().settings().heartbeats();
    var silence = heartbeats.submitterFailureThreshold().plus(heartbeats.submitterInterval());
    simulation.after(
        Duration.ofMillis(5_000 + apart.nextInt(10_000)),
        () -> {
          simulation.ledger().limitBlocks(0);
          simulation.after(silence, () -> simulation.ledger().limitBlocks(Integer.MAX_VALUE));
        });
  }

  private void slowEndorser(SimulatedNode node) {
    var upTo = Duration.ofMillis(1_000 + random.nextInt(8_000));
    simulation
        .wire()
        .add(
            Fault.ENDORSER_SLOW,
            LinkFault.delay(
                envelope ->
                    envelope.from().equals(node.name())
                        && envelope.payload() instanceof EndorsementResponse,
                1.0,
                upTo));
  }

  private void stopIndexing(SimulatedNode node) {
    simulation.injected(Fault.BLOCKS_STOPPED);
    node.indexAtMost(simulation.ledger().head());
    simulation.after(downtime(), node::indexAll);
  }

  private void cutFromLedger(SimulatedNode node) {
    simulation.injected(Fault.LEDGER_UNREACHABLE);
    node.cutFromLedger(true);
    simulation.after(downtime(), () -> node.cutFromLedger(false));
  }

  private void congest() {
    simulation.injected(Fault.LEDGER_CONGESTED);
    simulation.ledger().limitBlocks(random.nextInt(3));
    simulation.after(downtime(), () -> simulation.ledger().limitBlocks(Integer.MAX_VALUE));
  }

  /** Never final ones. */
  private void takeBackBlocks() {
    int open = (int) (simulation.ledger().head() - simulation.finalHeight());
    int blocks = random.nextInt(open + 1);
    if (blocks > 0) {
      simulation.injected(Fault.REORGANISATION);
      simulation.ledger().takeBack(blocks);
    }
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
