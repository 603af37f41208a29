package dev.sequitur.benchmarks.schedules;

import dev.sequitur.laboratory.load.Latencies;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntToDoubleFunction;

/** When each schedule of a load was run. Thread-safe; a run twice counts as two. */
final class Runs {
  /** Those of the load that is measured now. */
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

  static void ran(int number) {
    var runs = present;
    if (number < runs.micros.length()) {
      runs.micros.set(number, ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
      runs.count.incrementAndGet();
    }
  }

  int count() {
    return count.get();
  }

  /**
   * How late each of those that ran was.
   *
   * @param due of each number, in milliseconds since the epoch
   */
  Latencies lateness(IntToDoubleFunction due) {
    var late = new Latencies();
    for (int i = 0; i < micros.length(); i++) {
      if (micros.get(i) != 0) {
        late.record((long) ((micros.get(i) / 1e3 - due.applyAsDouble(i)) * 1e6));
      }
    }
    return late;
  }
}
