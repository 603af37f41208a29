package dev.sequitur.schedule.book;

import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;

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

    @Override
    public int compareTo(HoldId other) {
      if (!(other instanceof OfSchedule theirs)) {
        return -1;
      }
      int order = Long.compare(incarnation, theirs.incarnation);
      return order == 0 ? schedule.compareTo(theirs.schedule) : order;
    }
  }

  /**
   * One that outlives single schedules; its family says what is owed of it.
   *
   * @param name as the family composes it, such as who bought which plan
   */
  record Named(FamilyKind family, String name) implements HoldId {
    @Override
    public int compareTo(HoldId other) {
      if (!(other instanceof Named theirs)) {
        return 1;
      }
      int order = family.compareTo(theirs.family);
      return order == 0 ? name.compareTo(theirs.name) : order;
    }
  }
}
