package dev.sequitur.schedule.recurring;

import java.util.Optional;

/** When a series runs again, if nothing else is said. */
public sealed interface Cadence extends OrderedTimes permits Cadence.Every, CronCadence {
  /**
   * A fixed frequency by the real clock: no change of any zone's offset moves it.
   *
   * @param firstMs the first time
   * @param everyMs from one time to the next
   */
  record Every(long firstMs, long everyMs) implements Cadence {
    public Every {
      if (firstMs < 0 || everyMs < 1) {
        throw new IllegalArgumentException(
            "A series begins after 1970 and has at least 1 ms from time to time.");
      }
    }

    @Override
    public Optional<Long> after(long ms) {
      if (ms < firstMs) {
        return Optional.of(firstMs);
      }
      long sinceLast = (ms - firstMs) % everyMs;
      return ms > Long.MAX_VALUE - everyMs
          ? Optional.empty()
          : Optional.of(ms - sinceLast + everyMs);
    }

    @Override
    public long count(long afterMs, long untilMs) {
      return Math.max(0, upTo(untilMs) - upTo(afterMs));
    }

    private long upTo(long ms) {
      return ms < firstMs ? 0 : (ms - firstMs) / everyMs + 1;
    }
  }
}
