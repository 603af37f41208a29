package dev.sequitur.scheduler.actor;

import dev.sequitur.schedule.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;

/** How many times of schedules ended how within the last hour, minute by minute. Thread-safe. */
final class RecentOutcomes {
  private static final int MINUTES = 60;

  private final long[][] counts = new long[MINUTES][Outcome.values().length];

  /** Which minute each row counts. */
  private final long[] minutes = new long[MINUTES];

  /**
   * @param now this JVM's time
   */
  synchronized void add(Outcome outcome, long number, Instant now) {
    long minute = minute(now);
    int row = row(minute);
    if (minutes[row] != minute) {
      minutes[row] = minute;
      Arrays.fill(counts[row], 0);
    }
    counts[row][outcome.ordinal()] += number;
  }

  synchronized long count(Outcome outcome, Instant now) {
    long minute = minute(now);
    long sum = 0;
    for (int row = 0; row < MINUTES; row++) {
      boolean recent = minutes[row] > minute - MINUTES && minutes[row] <= minute;
      sum += recent ? counts[row][outcome.ordinal()] : 0;
    }
    return sum;
  }

  private static long minute(Instant at) {
    return Math.floorDiv(at.getEpochSecond(), Duration.ofMinutes(1).toSeconds());
  }

  private static int row(long minute) {
    return (int) Math.floorMod(minute, (long) MINUTES);
  }
}
