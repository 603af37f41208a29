package dev.sequitur.schedule.recurring;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.family.Terms;

/** What the recurring family understands of a schedule: its times, or how they follow. */
public sealed interface TaskTerms extends Terms permits RecurringTerms, SeriesTerms {
  /** By which its owner tells its tasks apart. */
  Bytes providedId();

  @Override
  default FamilyKind family() {
    return FamilyKind.RECURRING;
  }
}
