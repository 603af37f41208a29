package dev.sequitur.benchmarks;

import dev.sequitur.laboratory.load.Latencies;
import dev.sequitur.protocol.transaction.Receipt;
import java.util.Optional;

/** What was finished since the last {@link #clear}. Confined to one thread. */
final class Tally {
  private Latencies latencies = new Latencies();
  private int reverted;
  private Optional<String> failure = Optional.empty();

  void finish(Receipt receipt, long elapsedNanos) {
    if (!receipt.success()) {
      reverted++;
      failure = receipt.failureMessage();
      return;
    }
    latencies.record(elapsedNanos);
  }

  void clear() {
    latencies = new Latencies();
    reverted = 0;
    failure = Optional.empty();
  }

  int confirmed() {
    return latencies.count();
  }

  int reverted() {
    return reverted;
  }

  Optional<String> failure() {
    return failure;
  }

  /** The nearest rank in milliseconds; 0 if nothing was confirmed. */
  double latencyMillis(double percent) {
    return latencies.percentile(percent).orElse(0) / 1e6;
  }
}
