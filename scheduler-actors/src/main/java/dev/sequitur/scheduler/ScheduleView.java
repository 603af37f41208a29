package dev.sequitur.scheduler;

import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.execution.Execution;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.queue.QueueSetup;
import java.time.Instant;
import java.util.Optional;

/**
 * A schedule and where it stands.
 *
 * @param execution of its present occurrence, from Due to Settled; empty while it waits
 * @param ended whether it has its outcome, or has expired and is about to get it, and leaves the
 *     queue in a block to come
 */
public record ScheduleView(Schedule schedule, Optional<Execution> execution, boolean ended) {
  public ScheduleState state() {
    if (ended) {
      return ScheduleState.SETTLED;
    }
    var waiting = schedule.due().isParked() ? ScheduleState.PARKED : ScheduleState.WAITING;
    return execution.map(each -> ScheduleState.valueOf(each.state().name())).orElse(waiting);
  }

  /**
   * When its present occurrence is due; empty if no time alone makes it so.
   *
   * @param setup by whose rules it is due
   */
  public Optional<Instant> next(QueueSetup setup) {
    return ended || schedule.due().isParked()
        ? Optional.empty()
        : setup.family(schedule.family()).askedFor(schedule).map(ConsensusTime::toInstant);
  }
}
