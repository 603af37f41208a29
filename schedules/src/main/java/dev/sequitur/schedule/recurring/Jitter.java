package dev.sequitur.schedule.recurring;

import dev.sequitur.schedule.ScheduleId;
import java.util.Optional;

/**
 * How much later than its time an occurrence runs: chosen by the series and the time alone, so that
 * it is the same whenever it is asked, and differs between series. It is less than what is left
 * until the next time, so no two change places.
 *
 * @param most slots
 */
record Jitter(RecurringSettings settings, ScheduleId series, Times times, long most) {
  static Jitter of(RecurringSettings settings, ScheduleId series, Times times) {
    long most = times.policy().jitter().toMillis() / settings.slot().toMillis();
    return new Jitter(settings, series, times, most);
  }

  /** The slot in which the time runs that begins at a slot. */
  long planned(long slot) {
    if (most == 0) {
      return slot;
    }
    long room =
        times
            .after(settings.begin(slot))
            .map(next -> Math.max(0, settings.slotFrom(next) - slot - 1))
            .orElse(most);
    long mixed = mixed(series.value().word0() ^ mixed(slot));
    return slot + Long.remainderUnsigned(mixed, Math.min(most, room) + 1);
  }

  /** The slot of the time that runs in a slot: the last one that is not after it. */
  long time(long planned) {
    return find(planned).orElse(planned);
  }

  /** The same, if there is one so near. */
  Optional<Long> find(long planned) {
    long first = planned - most;
    long end = planned;
    while (first < end) {
      long middle = first + (end - first + 1) / 2;
      if (hasTime(middle, planned)) {
        first = middle;
      } else {
        end = middle - 1;
      }
    }
    return hasTime(first, planned) ? Optional.of(first) : Optional.empty();
  }

  private boolean hasTime(long from, long until) {
    return times.count(settings.begin(from - 1), settings.begin(until)) > 0;
  }

  /** SplitMix64's last step: each bit depends on all bits. */
  private static long mixed(long bits) {
    long seed = bits + 0x9E3779B97F4A7C15L;
    long first = (seed ^ (seed >>> 30)) * 0xBF58476D1CE4E5B9L;
    long second = (first ^ (first >>> 27)) * 0x94D049BB133111EBL;
    return second ^ (second >>> 31);
  }
}
