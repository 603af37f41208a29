package dev.sequitur.schedule.recurring;

import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.FamilyOperation;
import java.util.Optional;
import java.util.stream.Stream;

/** Has a series that was parked go on, at its first time from now on; its owner's. */
public record ResumeSeries(ScheduleId series) implements FamilyOperation {
  @Override
  public FamilyKind family() {
    return FamilyKind.RECURRING;
  }

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

  @Override
  public Stream<Target> targets() {
    return Stream.empty();
  }
}
