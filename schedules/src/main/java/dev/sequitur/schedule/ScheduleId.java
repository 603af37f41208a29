package dev.sequitur.schedule;

import dev.sequitur.protocol.id.Hash;

/**
 * The id of a schedule within its queue.
 *
 * @param value as the family's specification makes it
 */
public record ScheduleId(FamilyKind family, Hash value) implements Comparable<ScheduleId> {
  /** Before all others. */
  public static final ScheduleId FIRST = never(FamilyKind.values()[0]);

  /** That of no schedule, ever. */
  public static ScheduleId never(FamilyKind family) {
    return new ScheduleId(family, new Hash(0, 0, 0, 0));
  }

  @Override
  public int compareTo(ScheduleId other) {
    int order = family.compareTo(other.family);
    return order == 0 ? value.compareTo(other.value) : order;
  }

  @Override
  public String toString() {
    return family.word() + ":" + value;
  }
}
