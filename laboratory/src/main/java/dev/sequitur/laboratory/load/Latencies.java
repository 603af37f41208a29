package dev.sequitur.laboratory.load;

import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalLong;

/** Every latency of a run, for exact percentiles. Confined to one thread. */
public final class Latencies {
  private static final double NANOS_PER_MILLI = 1e6;

  private long[] nanos = new long[1024];
  private int size;

  public void record(long elapsedNanos) {
    if (size == nanos.length) {
      nanos = Arrays.copyOf(nanos, size * 2);
    }
    nanos[size++] = elapsedNanos;
  }

  /**
   * The nearest rank: the least recorded value that {@code percent} of all do not exceed.
   *
   * @param percent above 0, at most 100
   * @return nanoseconds; empty if nothing was recorded
   */
  public OptionalLong percentile(double percent) {
    if (size == 0) {
      return OptionalLong.empty();
    }
    var sorted = Arrays.copyOf(nanos, size);
    Arrays.sort(sorted);
    int rank = (int) Math.ceil(percent / 100 * size);
    return OptionalLong.of(sorted[Math.max(rank, 1) - 1]);
  }

  /** The same in milliseconds; no number if nothing was recorded. */
  public double millis(double percent) {
    var nanoseconds = percentile(percent);
    return nanoseconds.isEmpty() ? Double.NaN : nanoseconds.getAsLong() / NANOS_PER_MILLI;
  }

  /** The same for a person. */
  public String milliseconds(double percent) {
    return size == 0 ? "-" : String.format(Locale.ROOT, "%,.0f ms", millis(percent));
  }

  /** How many were recorded. */
  public int count() {
    return size;
  }
}
