package dev.sequitur.scheduler;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.family.Schedule;
import java.time.Instant;
import java.util.Optional;

/**
 * Which times to come of which schedules are wanted.
 *
 * @param from inclusive
 * @param until exclusive
 * @param family only of this one
 * @param owner only of this one
 * @param label only of those that have it
 * @param limit 1 to {@value ScheduleQuery#MOST}
 */
public record CalendarQuery(
    Instant from,
    Instant until,
    Optional<FamilyKind> family,
    Optional<AccountId> owner,
    Optional<String> label,
    int limit) {
  public CalendarQuery {
    if (limit < 1 || limit > ScheduleQuery.MOST) {
      throw new IllegalArgumentException(
          "Ask for 1 to " + ScheduleQuery.MOST + " times, not " + limit + ".");
    }
  }

  /** Whether it is one of those whose times are wanted. */
  public boolean matches(Schedule schedule) {
    return family.map(schedule.family()::equals).orElse(true)
        && owner.map(schedule.proposal().owner()::equals).orElse(true)
        && label.map(schedule.proposal().description().labels()::contains).orElse(true);
  }
}
