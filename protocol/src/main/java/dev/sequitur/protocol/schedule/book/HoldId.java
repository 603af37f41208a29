package dev.sequitur.protocol.schedule.book;

import dev.sequitur.protocol.schedule.ScheduleId;

/** One hold for each incarnation of a schedule. */
public record HoldId(ScheduleId schedule, long incarnation) implements Comparable<HoldId> {
  @Override
  public int compareTo(HoldId other) {
    int order = schedule.compareTo(other.schedule);
    return order == 0 ? Long.compare(incarnation, other.incarnation) : order;
  }
}
