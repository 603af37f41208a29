package dev.sequitur.scheduler;

import dev.sequitur.schedule.queue.History;
import java.util.Optional;

/**
 * What a queue knows of one schedule. Both parts are there while it waits for another time of it,
 * and from its end to the next block.
 *
 * @param view while it waits or runs, and until the block after its end
 * @param lastOutcome of its newest occurrence that has ended, as long as that is remembered
 */
public record KnownSchedule(Optional<ScheduleView> view, Optional<History.Recorded> lastOutcome) {
  /** Whether there is none, or none any more. */
  public boolean isNothing() {
    return view.isEmpty() && lastOutcome.isEmpty();
  }
}
