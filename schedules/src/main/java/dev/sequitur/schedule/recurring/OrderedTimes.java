package dev.sequitur.schedule.recurring;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Times in their order. They are UTC, milliseconds since 1970. */
public interface OrderedTimes {
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
}
