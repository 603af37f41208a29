package dev.sequitur.laboratory.demo;

import dev.sequitur.laboratory.load.Latencies;
import dev.sequitur.laboratory.load.Totals;
import dev.sequitur.sequencer.setup.SequencerMetrics;
import java.time.Duration;
import java.util.Optional;

/**
 * What a demonstration ends with.
 *
 * @param resumed whether an earlier start's run was finished
 * @param stuck whether some intents never got a receipt
 * @param counters of this process while the workload ran
 */
record DemoSummary(
    RunFile run,
    boolean resumed,
    boolean stuck,
    Counts counts,
    Duration elapsed,
    Latencies latencies,
    SequencerMetrics.Counts counters,
    DoubleCheck.Result doubleCheck) {

  /**
   * By the nodes' receipts, of this run.
   *
   * @param submitted what the run consists of
   * @param refused not accepted by a node, with the first sentence of refusal
   * @param revert why the first reverted, if this start has seen it
   * @param confirmedNow of the confirmed ones, those without a receipt before this start
   */
  record Counts(
      long submitted,
      long confirmed,
      long reverted,
      long refused,
      long confirmedNow,
      Optional<String> refusal,
      Optional<String> revert) {

    static Counts of(RunFile run, Totals totals) {
      return new Counts(
          run.transactions(),
          totals.confirmed(),
          totals.reverted(),
          totals.refused(),
          totals.confirmedNow(),
          totals.firstRefusal(),
          totals.firstRevert());
    }
  }

  boolean holds() {
    return !stuck && doubleCheck.holds();
  }

  /** Confirmed transactions a second, of those that this process has seen confirmed. */
  double throughput() {
    double seconds = elapsed.toNanos() / 1e9;
    return seconds == 0 ? 0 : counts.confirmedNow() / seconds;
  }

  /** Between nodes, by what was confirmed meanwhile. */
  double messagesPerTransaction() {
    return counts.confirmedNow() == 0
        ? 0
        : (double) counters.messagesToPeers() / counts.confirmedNow();
  }
}
