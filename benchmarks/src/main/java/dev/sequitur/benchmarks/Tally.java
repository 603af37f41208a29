package dev.sequitur.benchmarks;

import dev.sequitur.protocol.transaction.Receipt;
import java.util.Arrays;
import java.util.Optional;

/** What was finished since the last {@link #clear}. Confined to one thread. */
final class Tally {
  private long[] nanos = new long[4096];
  private int confirmed;
  private int reverted;
  private Optional<String> failure = Optional.empty();

  void finish(Receipt receipt, long elapsedNanos) {
    if (!receipt.success()) {
      reverted++;
      failure = receipt.failureMessage();
      return;
    }
    if (confirmed == nanos.length) {
      nanos = Arrays.copyOf(nanos, confirmed * 2);
    }
    nanos[confirmed++] = elapsedNanos;
  }

  void clear() {
    confirmed = 0;
    reverted = 0;
    failure = Optional.empty();
  }

  int confirmed() {
    return confirmed;
  }

  int reverted() {
    return reverted;
  }

  Optional<String> failure() {
    return failure;
  }

  /** The nearest rank in milliseconds; 0 if nothing was confirmed. */
  double latencyMillis(double percent) {
    if (confirmed == 0) {
      return 0;
    }
    var sorted = Arrays.copyOf(nanos, confirmed);
    Arrays.sort(sorted);
    int rank = (int) Math.ceil(percent / 100 * confirmed);
    return sorted[Math.max(rank, 1) - 1] / 1e6;
  }
}
