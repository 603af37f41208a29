package dev.sequitur.schedule.recurring;

import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.FamilyResult;
import java.util.List;

/** What the recurring family answers to a creation, and to a back-fill. */
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

  /**
   * What a back-fill runs.
   *
   * @param runs those that were taken in, in the order of their times
   * @param already how many times of the range were filled before
   */
  record Filling(List<Filled> runs, int already) implements RecurringResult {
    public Filling {
      runs = List.copyOf(runs);
    }
  }

  /**
   * One past time, and the task that runs it.
   *
   * @param timeMs UTC, milliseconds since 1970
   */
  record Filled(ScheduleId task, long timeMs) {}
}
