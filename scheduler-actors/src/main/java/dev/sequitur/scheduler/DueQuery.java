package dev.sequitur.scheduler;

import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.queue.DueList;
import dev.sequitur.schedule.queue.DueList.Where;
import dev.sequitur.schedule.queue.DuePlace;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Which schedules to list in the order in which they are due. What has ended has no place in it.
 *
 * @param which what the list is of, and how much of it; where it goes on is {@code after}
 * @param after where the page before ended
 */
public record DueQuery(ScheduleQuery which, Optional<DuePlace> after) {
  /** The page that follows one which ended there, or a part of it. */
  public DueQuery after(DuePlace last, int limit) {
    return new DueQuery(which.withLimit(limit), Optional.of(last));
  }

  /**
   * As a queue looks for them.
   *
   * @param wanted which they are
   */
  public DueList.Which listing(Predicate<Schedule> wanted) {
    return new DueList.Which(
        which.family(),
        which.owner(),
        which.label(),
        which.dueSince().map(ConsensusTime::nearest),
        which.dueUntil().map(ConsensusTime::nearest),
        which.state().map(DueQuery::where).orElse(Where.ALL),
        wanted,
        after);
  }

  private static Where where(ScheduleState state) {
    return switch (state) {
      case WAITING -> Where.WAITING;
      case PARKED -> Where.PARKED;
      case DUE, STARTED, SUBMITTED, SUCCEEDED, FAILED -> Where.RUNNING;
      // What has expired waits for its end, and is told as settled.
      case SETTLED -> Where.ALL;
    };
  }
}
