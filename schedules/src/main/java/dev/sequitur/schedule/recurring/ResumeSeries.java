package dev.sequitur.schedule.recurring;

import dev.sequitur.schedule.ScheduleId;
import java.util.Optional;

/** Has a series that was parked go on, at its first time from now on; its owner's. */
public record ResumeSeries(ScheduleId series) implements RecurringOperation {
  @Override
  public String name() {
    return "ResumeSeries";
  }

  @Override
  public Optional<ScheduleId> about() {
    return Optional.of(series);
  }

  @Override
  public ResumeSeries aboutNone() {
    return new ResumeSeries(ScheduleId.never(family()));
  }
}
