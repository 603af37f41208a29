package dev.sequitur.schedule.recurring;

import java.util.List;
import java.util.Optional;

/**
 * The times of a series: those of its cadence that its policy lets it have.
 *
 * @param off the days on which it has none
 */
record Times(Cadence cadence, SeriesPolicy policy, Optional<DaysOff> off) implements OrderedTimes {
  @Override
  public Optional<Long> after(long ms) {
    var time = cadence.after(Math.max(ms, policy.notBeforeMs() - 1));
    while (time.isPresent() && time.get() <= policy.notAfterMs()) {
      long found = time.get();
      var over = off.flatMap(days -> days.over(found));
      if (over.isEmpty()) {
        return time;
      }
      time = cadence.after(over.get() - 1);
    }
    return Optional.empty();
  }

  @Override
  public long count(long afterMs, long untilMs) {
    long after = Math.max(afterMs, policy.notBeforeMs() - 1);
    long until = Math.min(untilMs, policy.notAfterMs());
    if (after >= until) {
      return 0;
    }
    long count = cadence.count(after, until);
    for (var span : off.map(days -> days.between(after, until)).orElse(List.of())) {
      long from = Math.max(after, span.fromMs() - 1);
      long last = Math.min(until, span.untilMs() - 1);
      count -= from < last ? cadence.count(from, last) : 0;
    }
    return count;
  }
}
