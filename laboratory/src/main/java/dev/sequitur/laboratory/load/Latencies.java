package dev.sequitur.laboratory.load;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.DoubleFunction;

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

  /**
   * p50, p95 and p99 in milliseconds, as a file has them; null if nothing was recorded.
   *
   * @param rounding of milliseconds
   */
  public Map<String, Number> percentiles(DoubleFunction<Number> rounding) {
    var percentiles = new LinkedHashMap<String, Number>();
    for (int percent : List.of(50, 95, 99)) {
      percentiles.put("p" + percent, size == 0 ? null : rounding.apply(millis(percent)));
    }
    return percentiles;
  }

  /** To hundredths. */
  public static double rounded(double value) {
    return Math.round(value * 100) / 100.0;
  }

  /** How many were recorded. */
  public int count() {
    return size;
  }
}
