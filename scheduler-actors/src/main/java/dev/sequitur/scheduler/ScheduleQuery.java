package dev.sequitur.scheduler;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.queue.QueueSetup;
import java.time.Instant;
import java.util.Optional;

/**
 * Which schedules to list.
 *
 * @param family only of this one
 * @param owner only of this one
 * @param state only those that stand there
 * @param label only those that have it
 * @param dueSince only those whose next time is then or later
 * @param dueUntil only those whose next time is before
 * @param after where the page before ended
 * @param limit 1 to {@value #MOST}
 * @param looks at how many schedules it is looked for these, wanted or not; at least 1, and where
 *     it is left out as many as a queue looks at for one page
 */
public record ScheduleQuery(
    Optional<FamilyKind> family,
    Optional<AccountId> owner,
    Optional<ScheduleState> state,
    Optional<String> label,
    Optional<Instant> dueSince,
    Optional<Instant> dueUntil,
    Optional<ScheduleId> after,
    int limit,
    Optional<Integer> looks) {
  /** The largest page. */
  public static final int MOST = 1_000;

  public ScheduleQuery {
    if (limit < 1 || limit > MOST) {
      throw new IllegalArgumentException("Ask for 1 to " + MOST + " schedules, not " + limit + ".");
    }
  }

  public ScheduleQuery(
      Optional<FamilyKind> family,
      Optional<AccountId> owner,
      Optional<ScheduleState> state,
      Optional<ScheduleId> after,
      int limit) {
    this(
        family,
        owner,
        state,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        after,
        limit,
        Optional.empty());
  }

  /** The first page of all. */
  public static ScheduleQuery first(int limit) {
    return new ScheduleQuery(
        Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), limit);
  }

  /** The same, looking at so many at most. */
  public ScheduleQuery looking(int atMost) {
    return paged(after, limit, Optional.of(atMost));
  }

  /** The same with other pages. */
  public ScheduleQuery withLimit(int most) {
    return paged(after, most, looks);
  }

  /** The page that follows one which ended there. */
  public ScheduleQuery after(ScheduleId last) {
    return paged(Optional.of(last), limit, looks);
  }

  private ScheduleQuery paged(Optional<ScheduleId> from, int most, Optional<Integer> atMost) {
    return new ScheduleQuery(family, owner, state, label, dueSince, dueUntil, from, most, atMost);
  }

  /**
   * Whether one belongs into the list; what {@link #after} and the limit say aside.
   *
   * @param setup by whose rules it is due
   */
  public boolean matches(ScheduleView view, QueueSetup setup) {
    var schedule = view.schedule();
    return family.map(schedule.family()::equals).orElse(true)
        && owner.map(schedule.proposal().owner()::equals).orElse(true)
        && state.map(view.state()::equals).orElse(true)
        && label.map(schedule.proposal().description().labels()::contains).orElse(true)
        && isDue(view, setup);
  }

  /** Whether only those are wanted that stand somewhere, and not any of an owner or label. */
  public boolean namesPlace() {
    return state.isPresent() || namesTime();
  }

  /** Whether only those are wanted that are due at some time. */
  public boolean namesTime() {
    return dueSince.isPresent() || dueUntil.isPresent();
  }

  private boolean isDue(ScheduleView view, QueueSetup setup) {
    if (dueSince.isEmpty() && dueUntil.isEmpty()) {
      return true;
    }
    var next = view.next(setup);
    return next.isPresent()
        && dueSince.map(first -> !next.get().isBefore(first)).orElse(true)
        && dueUntil.map(next.get()::isBefore).orElse(true);
  }
}
