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

    private int order(OfSchedule other) {
      int order = Long.compare(incarnation, other.incarnation);
      return order == 0 ? schedule.compareTo(other.schedule) : order;
    }
  }

  /**
   * One that outlives single schedules; its family says what is owed of it.
   *
   * @param name as the family composes it, such as who bought which plan
   */
  record Named(FamilyKind family, String name) implements HoldId {
    private int order(Named other) {
      int order = family.compareTo(other.family);
      return order == 0 ? name.compareTo(other.name) : order;
    }
  }

  @Override
  default int compareTo(HoldId other) {
    return switch (this) {
      case OfSchedule mine ->
          switch (other) {
            case OfSchedule theirs -> mine.order(theirs);
            case Named ignored -> -1;
          };
      case Named mine ->
          switch (other) {
            case OfSchedule ignored -> 1;
            case Named theirs -> mine.order(theirs);
          };
    };
  }
}
