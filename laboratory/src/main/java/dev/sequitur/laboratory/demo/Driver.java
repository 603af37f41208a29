package dev.sequitur.laboratory.demo;

import dev.sequitur.console.Console;
import dev.sequitur.console.StopSignal;
import dev.sequitur.laboratory.load.LocalEntrance;
import dev.sequitur.laboratory.load.NodeLoad;
import dev.sequitur.laboratory.load.Standstill;
import dev.sequitur.laboratory.load.Totals;
import dev.sequitur.node.process.RunningNetwork;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.sequencer.SequencerNode;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Submits operations through all nodes at once and waits until each has its receipt. */
final class Driver {
  /** No receipt for so long means that something is stuck. */
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final int BATCH = 50;
  private static final int MOST_OUTSTANDING = 500;

  private final RunningNetwork network;
  private final Console console;
  private final StopSignal stop;

  Driver(RunningNetwork network, Console console, StopSignal stop) {
    this.network = network;
    this.console = console;
    this.stop = stop;
  }

  /**
   * What came of it.
   *
   * @param nanos from the first submission to the last receipt
   * @param stuck whether some never got a receipt
   */
  record Outcome(Totals totals, long nanos, boolean stuck) {}

  /**
   * @throws DemoStopped if a person asks for an end meanwhile
   */
  Outcome run(Work work) {
    var totals = new Totals(work.acceptedBefore(), outcome -> {});
    var shares =
        network.nodes().stream()
            .map(running -> Share.of(running.sequencer(), work, totals))
            .toList();
    long started = System.nanoTime();
    var standstill = new Standstill(PATIENCE, () -> oldestWaitsFor(shares));
    int size = work.operations().size();
    try (var progress = console.progress(work.label(), size)) {
      while (!shares.stream().allMatch(Share::isDone)) {
        if (stop.isRequested()) {
          throw new DemoStopped(
              "Stopped with " + (size - totals.finished()) + " transactions unfinished.");
        }
        shares.forEach(Share::step);
        long took = System.nanoTime() - started;
        if (standstill.reached(totals.finished())) {
          return new Outcome(totals, took, true);
        }
        progress.update(totals.finished(), detail(totals, took) + standstill.reason());
        Await.tick();
      }
      return new Outcome(totals, standstill.movedAt() - started, false);
    }
  }

  private static CompletionStage<Optional<String>> oldestWaitsFor(List<Share> shares) {
    return shares.stream()
        .filter(share -> !share.isDone())
        .findFirst()
        .map(Share::oldestWaitsFor)
        .orElse(CompletableFuture.completedFuture(Optional.empty()));
  }

  private static String detail(Totals totals, long nanos) {
    double perSecond = totals.confirmedNow() / Math.max(nanos / 1e9, 0.001);
    var text = String.format(Locale.ROOT, "%,.0f/s", perSecond);
    return totals.reverted() == 0 ? text : text + ", " + totals.reverted() + " reverted";
  }

  /**
   * Operations to be driven to their receipts.
   *
   * @param label beside the progress bar
   * @param acceptedBefore by an earlier start: they are waited for, but not timed
   */
  record Work(
      String label,
      NodeOperations.All operations,
      Intents intents,
      Set<TransactionId> acceptedBefore) {}

  /** One node's part of the work. */
  record Share(SequencerNode node, NodeLoad load, NodeOperations operations) {
    static Share of(SequencerNode node, Work work, Totals totals) {
      var entrance = new LocalEntrance(node, BATCH);
      return new Share(
          node,
          new NodeLoad(node.name().value(), entrance, entrance, totals, false),
          new NodeOperations(node.name(), work.operations(), work.intents(), 0));
    }

    void step() {
      load.step(operations, MOST_OUTSTANDING - load.outstanding());
    }

    /** Whether every operation has been accepted and has its receipt. */
    boolean isDone() {
      return operations.isDone() && load.outstanding() == 0;
    }

    /** Why the oldest of what is unfinished is so, as the node tells it. */
    CompletionStage<Optional<String>> oldestWaitsFor() {
      return load.oldest()
          .map(
              oldest ->
                  node.transactionStatus(oldest)
                      .thenApply(
                          found ->
                              found.map(
                                  status ->
                                      "%s on %s is %s, %s"
                                          .formatted(
                                              oldest,
                                              node.name(),
                                              status.state(),
                                              status.waitsFor()))))
          .orElse(CompletableFuture.completedFuture(Optional.empty()));
    }
  }
}
