package dev.sequitur.protocol.schedule.family;

import java.util.Optional;

/** When a series runs again. Times are UTC, milliseconds since 1970. */
public sealed interface Cadence permits Cadence.Every, CronCadence {
  /** The first time after {@code ms}, exclusive; empty if none is to come. */
  Optional<Long> after(long ms);

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
  }
}
