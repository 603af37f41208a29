package dev.sequitur.schedule.multisignature;

import dev.sequitur.schedule.ConsensusTime;

/**
 * A page of times.
 *
 * @param from the first
 * @param to the last; none is in the page if it is before {@code from}
 * @param descending whether the page begins with the last
 * @param limit how many are shown at most, 1 to {@value EntityRange#MOST}
 */
public record TimeRange(ConsensusTime from, ConsensusTime to, boolean descending, int limit) {
  public TimeRange {
    if (limit < 1 || limit > EntityRange.MOST) {
      throw new IllegalArgumentException(
          "A page has 1 to " + EntityRange.MOST + " rows, not " + limit + ".");
    }
  }

  public boolean isEmpty() {
    return to.isBefore(from);
  }

  /** What of it is before a time. */
  public TimeRange before(ConsensusTime time) {
    if (to.isBefore(time)) {
      return this;
    }
    return time.nanos() == 0
        ? new TimeRange(time.nextNano(), time, descending, limit)
        : new TimeRange(from, new ConsensusTime(time.nanos() - 1), descending, limit);
  }

  public TimeRange withLimit(int rows) {
    return new TimeRange(from, to, descending, rows);
  }

  public boolean contains(ConsensusTime time) {
    return !time.isBefore(from) && !to.isBefore(time);
  }
}
