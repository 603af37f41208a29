package dev.sequitur.schedule.recurring;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** When a series runs again. Times are UTC, milliseconds since 1970. */
public sealed interface Cadence permits Cadence.Every, CronCadence {
  /** The first time after {@code ms}, exclusive; empty if none is to come. */
  Optional<Long> after(long ms);

  /**
   * The first times after {@code ms}, exclusive, in order.
   *
   * @param untilMs inclusive; of those after it only the first is given
   * @param atMost how many
   */
  default List<Long> after(long ms, long untilMs, int atMost) {
    var times = new ArrayList<Long>();
    var next = after(ms);
    while (next.isPresent() && times.size() < atMost) {
      long time = next.get();
      times.add(time);
      next = time > untilMs || times.size() == atMost ? Optional.empty() : after(time);
    }
    return times;
  }

  /**
   * How many times there are after {@code afterMs}, exclusive, and up to {@code untilMs},
   * inclusive: by arithmetic, so that nobody pays for a long outage time by time (REC-16).
   */
  long count(long afterMs, long untilMs);

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
