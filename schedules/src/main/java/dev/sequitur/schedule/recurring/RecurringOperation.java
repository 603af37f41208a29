package dev.sequitur.schedule.recurring;

import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.family.Intervention;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What can be asked of the recurring family beyond scheduling and cancelling. */
public sealed interface RecurringOperation extends FamilyOperation
    permits ResumeSeries,
        RecurringOperation.SetDaysOff,
        RecurringOperation.RemoveDaysOff,
        RecurringOperation.BackFill {
  @Override
  default FamilyKind family() {
    return FamilyKind.RECURRING;
  }

  @Override
  default Stream<Target> targets() {
    return Stream.empty();
  }

  /** Makes a list of days off, or replaces it; the administrator's. */
  record SetDaysOff(String list, DaysOff days) implements RecurringOperation {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    public SetDaysOff {
      checkName(list);
    }

    /**
     * @throws IllegalArgumentException if no list can be called so
     */
    public static void checkName(String list) {
      if (!NAME.matcher(list).matches()) {
        throw new IllegalArgumentException(
            "Name a list of days off by 1 to 64 letters, digits, dots, dashes or underscores.");
      }
    }

    @Override
    public String name() {
      return "SetDaysOff";
    }

    @Override
    public boolean isOfWholeQueue() {
      return true;
    }
  }

  /** Deletes a list of days off on which nothing stands; the administrator's. */
  record RemoveDaysOff(String list) implements RecurringOperation {
    @Override
    public String name() {
      return "RemoveDaysOff";
    }

    @Override
    public boolean isOfWholeQueue() {
      return true;
    }
  }

  /**
   * Runs a series again for its past times; its owner's.
   *
   * @param fromMs the first of them, inclusive
   * @param untilMs the last of them, inclusive
   * @param note why, for whoever reads its history
   */
  record BackFill(ScheduleId series, long fromMs, long untilMs, String note)
      implements RecurringOperation {
    /** Of one: all of them are taken in by one step. */
    public static final int MOST_TIMES = 100;

    public BackFill {
      Intervention.check(note);
    }

    @Override
    public String name() {
      return "BackFill";
    }

    @Override
    public Optional<ScheduleId> about() {
      return Optional.of(series);
    }

    @Override
    public BackFill aboutNone() {
      return new BackFill(ScheduleId.never(family()), fromMs, untilMs, note);
    }
  }
}
