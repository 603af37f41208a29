package dev.sequitur.benchmarks.schedules;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

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

  /** How late each of those that ran was, in milliseconds, ascending. */
  double[] lateness(Instant firstDue, Duration between) {
    long first = ChronoUnit.MICROS.between(Instant.EPOCH, firstDue);
    var late = new double[micros.length()];
    int ran = 0;
    for (int i = 0; i < micros.length(); i++) {
      long due = first + between.multipliedBy(i).toNanos() / 1_000;
      if (micros.get(i) != 0) {
        late[ran++] = (micros.get(i) - due) / 1e3;
      }
    }
    var sorted = Arrays.copyOf(late, ran);
    Arrays.sort(sorted);
    return sorted;
  }
}
