package dev.sequitur.protocol.schedule.family;

import dev.sequitur.protocol.schedule.FamilyKind;
import dev.sequitur.protocol.schedule.ScheduleId;

/** Has a series that was parked go on, at its first time from now on; its owner's. */
public record ResumeSeries(ScheduleId series) implements FamilyOperation {
  @Override
  public FamilyKind family() {
    return FamilyKind.RECURRING;
  }
}
