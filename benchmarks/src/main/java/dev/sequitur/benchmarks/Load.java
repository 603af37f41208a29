package dev.sequitur.benchmarks;

import dev.sequitur.laboratory.load.Entrance;
import dev.sequitur.laboratory.load.LocalEntrance;
import dev.sequitur.laboratory.load.NodeLoad;
import dev.sequitur.laboratory.load.Totals;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.Identity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Drives all nodes of a network at once from one thread. */
final class Load {
  private static final int TOGETHER = 200;
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);

  private final BenchmarkNetwork network;
  private final List<PrivacyGroup> groups;
  private final int mostOutstanding;
  private final Totals totals = new Totals();
  private final List<NodeLoad> nodes = new ArrayList<>();

  /** By each node, at a rate. */
  private final long[] submitted;

  /**
   * @param mostOutstanding of one node, submitted and without a receipt
   */
  Load(BenchmarkNetwork network, List<PrivacyGroup> groups, int mostOutstanding) {
    this(network, groups, mostOutstanding, List.of());
  }

  /**
   * @param entrances of the nodes, in order; none: past JSON-RPC
   */
  Load(
      BenchmarkNetwork network,
      List<PrivacyGroup> groups,
      int mostOutstanding,
      List<? extends Entrance> entrances) {
    this.network = network;
    this.groups = groups;
    this.mostOutstanding = mostOutstanding;
    for (var node : network.nodes()) {
      var local = new LocalEntrance(node, TOGETHER);
      var entrance = entrances.isEmpty() ? local : entrances.get(nodes.size());
      nodes.add(new NodeLoad(node.name().value(), entrance, local, totals, false));
    }
    this.submitted = new long[nodes.size()];
  }

  /** What the nodes submit: made for each, once for a phase. */
  interface Kind extends BiFunction<List<PrivacyGroup>, Identity, NodeWorkload> {}

  /** What came of a measured phase. */
  record Measured(Totals totals, Resources used, double messages, double reassemblies) {
    double rate() {
      return totals.confirmed() / used.seconds();
    }

    /** Of processor time for one transaction, this load's own driver and the compiler included. */
    double cpuMillis() {
      return 1000 * used.cpuSeconds() / Math.max(1, totals.confirmed());
    }
  }

  /** Submits so many on each node and waits until all are confirmed. */
  void complete(Kind kind, int each) {
    totals.clear();
    var workloads = workloads(kind);
    var left = new int[nodes.size()];
    Arrays.fill(left, each);
    step(workloads, System.nanoTime() + PATIENCE_NANOS, left);
    if (totals.confirmed() < each * nodes.size()) {
      throw new IllegalStateException(
          "%d of %d preparing transactions were confirmed. %s"
              .formatted(totals.confirmed(), each * nodes.size(), totals.firstRevert().orElse("")));
    }
  }

  /**
   * Twice as many coins as can be spent at once, so that none is spent before it is confirmed.
   *
   * @param coins that each payment spends
   */
  void fund(int coins) {
    int all = coins * Math.max(2 * mostOutstanding, 64 * groups.size());
    int each = (all + NodeWorkload.PAYMENTS - 1) / NodeWorkload.PAYMENTS;
    complete(NodeWorkload::mints, each);
    complete(NodeWorkload::splits, each);
  }

  private void step(List<NodeWorkload> workloads, long deadline, int[] left) {
    while (System.nanoTime() < deadline && (sum(left) > 0 || outstanding() > 0)) {
      for (int i = 0; i < left.length; i++) {
        var node = nodes.get(i);
        left[i] -=
            node.step(workloads.get(i), Math.min(left[i], mostOutstanding - node.outstanding()));
      }
      tick();
    }
  }

  /**
   * Nothing may be refused, or need to be submitted again: it would not be the load that was meant.
   */
  private void tick() {
    totals
        .firstRefusal()
        .or(totals::lastFailure)
        .ifPresent(
            failure -> {
              throw new IllegalStateException("A transaction was not accepted: " + failure);
            });
    LockSupport.parkNanos(TICK_NANOS);
  }

  private static int sum(int[] numbers) {
    return IntStream.of(numbers).sum();
  }

  /**
   * @param perSecond over all nodes; infinite for as many as may be outstanding
   */
  Measured measure(Kind kind, double perSecond, Duration warmUp, Duration window) {
    return measure(kind, perSecond, warmUp, window, false);
  }

  /**
   * Full load, from one block to another: what is confirmed comes in blocks, and one more or less
   * in the time that is measured would be a difference of some percent.
   */
  Measured measureBlocks(Kind kind, Duration warmUp, Duration window) {
    return measure(kind, Double.POSITIVE_INFINITY, warmUp, window, true);
  }

  private Measured measure(
      Kind kind, double perSecond, Duration warmUp, Duration window, boolean wholeBlocks) {
    var workloads = workloads(kind);
    run(workloads, perSecond, warmUp);
    if (wholeBlocks) {
      runToNextBlock(workloads);
    }
    totals.clear();
    var before = Resources.now();
    var counts = network.counts();
    run(workloads, perSecond, window);
    if (wholeBlocks) {
      runToNextBlock(workloads);
    }
    var during = network.counts().since(counts);
    return new Measured(
        totals, Resources.now().since(before), during.messagesToPeers(), during.reassemblies());
  }

  private void run(List<NodeWorkload> workloads, double perSecond, Duration time) {
    long start = System.nanoTime();
    run(workloads, perSecond, now -> now - start < time.toNanos());
  }

  /** Until the receipts of one more block begin to come. */
  private void runToNextBlock(List<NodeWorkload> workloads) {
    var newest = nodes.get(0).newest();
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    run(
        workloads,
        Double.POSITIVE_INFINITY,
        now -> now < deadline && nodes.get(0).newest().equals(newest));
  }

  private void run(List<NodeWorkload> workloads, double perSecond, LongPredicate goesOn) {
    long start = System.nanoTime();
    var before = submitted.clone();
    for (long now = start; goesOn.test(now); now = System.nanoTime()) {
      double due = perSecond / nodes.size() * (now - start) / 1e9;
      // Each pays the next: one that runs ahead of the others would run out of coins.
      long most = LongStream.of(submitted).min().orElseThrow() + Math.max(1, mostOutstanding / 4);
      for (int i = 0; i < submitted.length; i++) {
        var node = nodes.get(i);
        double room =
            Math.min(
                Math.min(before[i] + due, most) - submitted[i],
                mostOutstanding - node.outstanding());
        submitted[i] += node.step(workloads.get(i), (int) room);
      }
      tick();
    }
  }

  /** Waits until nothing is outstanding. */
  void drain() {
    step(
        workloads((all, owner) -> NodeWorkload.payments(all, owner, 1)),
        System.nanoTime() + PATIENCE_NANOS,
        new int[nodes.size()]);
    if (outstanding() > 0) {
      throw new IllegalStateException(outstanding() + " transactions never got a receipt.");
    }
  }

  private int outstanding() {
    return nodes.stream().mapToInt(NodeLoad::outstanding).sum();
  }

  private List<NodeWorkload> workloads(Kind kind) {
    return network.members().stream().map(member -> kind.apply(groups, member)).toList();
  }
}
