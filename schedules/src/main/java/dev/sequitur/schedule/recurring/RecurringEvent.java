package dev.sequitur.schedule.recurring;

import dev.sequitur.schedule.family.FamilyEvent;

/** What the recurring family must not forget, beyond its schedules. */
public sealed interface RecurringEvent extends FamilyEvent {
  /** A list of days off is there, or is another one. */
  record DaysOffSet(String name, DaysOff list) implements RecurringEvent {}

  /** A list of days off on which nothing stood is gone. */
  record DaysOffRemoved(String name) implements RecurringEvent {}
}
