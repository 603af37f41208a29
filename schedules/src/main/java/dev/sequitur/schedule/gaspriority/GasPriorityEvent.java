package dev.sequitur.schedule.gaspriority;

import dev.sequitur.schedule.family.FamilyEvent;

/** What the gas-priority family must not forget beyond its schedules. */
public sealed interface GasPriorityEvent extends FamilyEvent {
  /**
   * A block was cut in this tick and left something waiting that had been due before it.
   *
   * @param tick since 1970
   */
  record TickCut(long tick) implements GasPriorityEvent {}
}
