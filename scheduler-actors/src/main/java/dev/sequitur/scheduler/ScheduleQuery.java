package dev.sequitur.scheduler;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import java.util.Optional;

/**
 * Which schedules to list.
 *
 * @param family only of this one
 * @param owner only of this one
 * @param state only those that stand there
 * @param after where the page before ended
 * @param limit 1 to {@value #MOST}
 */
public record ScheduleQuery(
    Optional<FamilyKind> family,
    Optional<AccountId> owner,
    Optional<ScheduleState> state,
    Optional<ScheduleId> after,
    int limit) {
  /** The largest page. */
  public static final int MOST = 1_000;

  public ScheduleQuery {
    if (limit < 1 || limit > MOST) {
      throw new IllegalArgumentException("Ask for 1 to " + MOST + " schedules, not " + limit + ".");
    }
  }

  /** The first page of all. */
  public static ScheduleQuery first(int limit) {
    return new ScheduleQuery(
        Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), limit);
  }

  /** The same with other pages. */
  public ScheduleQuery withLimit(int most) {
    return new ScheduleQuery(family, owner, state, after, most);
  }

  /** The page that follows one which ended there. */
  public ScheduleQuery after(ScheduleId last) {
    return new ScheduleQuery(family, owner, state, Optional.of(last), limit);
  }

  /** Whether one belongs into the list; what {@link #after} and the limit say aside. */
  public boolean matches(ScheduleView view) {
    var schedule = view.schedule();
    return family.map(schedule.family()::equals).orElse(true)
        && owner.map(schedule.proposal().owner()::equals).orElse(true)
        && state.map(view.state()::equals).orElse(true);
  }
}
