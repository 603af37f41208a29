package dev.sequitur.benchmarks.schedules;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntToDoubleFunction;

/** When each schedule of a load was run. Thread-safe; a run twice counts as two. */
final class Runs {
  /** Jobs of Quartz and JobRunr are made by those, and know nobody. */
  private static volatile Runs present = new Runs(0);

  private final AtomicLongArray micros;
  private final AtomicInteger count = new AtomicInteger();

  private Runs(int schedules) {
    micros = new AtomicLongArray(schedules);
  }

  /** What runs from now on is of a new load of so many. */
  static Runs begin(int schedules) {
    present = new Runs(schedules);
    return present;
  }

  /** Called by whatever runs a schedule, as all that it does. */
  public static void ran(int number) {
    present.add(number, Instant.now());
  }

  private void add(int number, Instant at) {
    if (number < micros.length()) {
      micros.set(number, ChronoUnit.MICROS.between(Instant.EPOCH, at));
      count.incrementAndGet();
    }
  }

  int count() {
    return count.get();
  }

  /**
   * How late each of those that ran was, in milliseconds, ascending.
   *
   * @param due of each number, in milliseconds since the epoch
   */
  double[] lateness(IntToDoubleFunction due) {
    var late = new double[micros.length()];
    int ran = 0;
    for (int i = 0; i < micros.length(); i++) {
      if (micros.get(i) != 0) {
        late[ran++] = micros.get(i) / 1e3 - due.applyAsDouble(i);
      }
    }
    var sorted = Arrays.copyOf(late, ran);
    Arrays.sort(sorted);
    return sorted;
  }

  /** The nearest rank of what is ascending. */
  static double percentile(double[] ascending, double percent) {
    int rank = (int) Math.ceil(percent / 100 * ascending.length);
    return ascending.length == 0 ? Double.NaN : ascending[Math.max(rank, 1) - 1];
  }
}
