package dev.sequitur.protocol.schedule.book;

import dev.sequitur.protocol.schedule.FamilyKind;
import dev.sequitur.protocol.schedule.ScheduleId;

/** Which money is set aside, and for what. Ordered, so that equal books have equal encodings. */
public sealed interface HoldId extends Comparable<HoldId> {
  /** Whose schedules it serves. */
  FamilyKind family();

  /** One for each incarnation of a schedule; the queue opens it and settles it with the outcome. */
  record OfSchedule(ScheduleId schedule, long incarnation) implements HoldId {
    @Override
    public FamilyKind family() {
      return schedule.family();
    }
  }

  /**
   * One that outlives single schedules; its family says what is owed of it.
   *
   * @param name as the family composes it, such as who bought which plan
   */
  record Named(FamilyKind family, String name) implements HoldId {}

  @Override
  default int compareTo(HoldId other) {
    if (this instanceof OfSchedule mine) {
      if (!(other instanceof OfSchedule theirs)) {
        return -1;
      }
      int order = Long.compare(mine.incarnation, theirs.incarnation);
      return order == 0 ? mine.schedule.compareTo(theirs.schedule) : order;
    } else if (this instanceof Named mine && other instanceof Named theirs) {
      int order = mine.family.compareTo(theirs.family);
      return order == 0 ? mine.name.compareTo(theirs.name) : order;
    }
    return 1;
  }
}
