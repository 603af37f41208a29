package dev.sequitur.schedule.recurring;

import dev.sequitur.schedule.family.FamilyResult;
import java.util.List;

/** What the recurring family answers to a creation. */
public sealed interface RecurringResult extends FamilyResult {
  /**
   * The first times at which it runs, as its slots begin: at most {@value Recurring#FIRST_TIMES}.
   *
   * @param timesMs UTC, milliseconds since 1970
   */
  record FirstTimes(List<Long> timesMs) implements RecurringResult {
    public FirstTimes {
      timesMs = List.copyOf(timesMs);
    }
  }
}
