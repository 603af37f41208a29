package dev.sequitur.protocol.schedule;

import java.time.Duration;
import java.time.Instant;

/**
 * The clock of one queue: max(wall, last + 1 ns), so that it strictly increases whatever the wall
 * clock does. It moves only when something is stored; a refused command costs no time.
 *
 * @param last the time of what was stored last
 */
public record ConsensusClock(ConsensusTime last) {
  public static final ConsensusClock INITIAL = new ConsensusClock(ConsensusTime.ZERO);

  /**
   * The time of what is stored next. A wall clock further than {@code maxAhead} ahead of the others
   * is followed no further than that: one bad clock would otherwise fire everything at once, and no
   * clock could lead the queue back.
   */
  public ConsensusTime next(WallTime wall, Duration maxAhead) {
    var bound = wall.others().map(others -> others.plus(maxAhead)).orElse(Instant.MAX);
    var followed = wall.now().isAfter(bound) ? bound : wall.now();
    long nanos = followed.isBefore(Instant.EPOCH) ? 0 : ConsensusTime.of(followed).nanos();
    return new ConsensusTime(Math.max(nanos, Math.addExact(last.nanos(), 1)));
  }

  /**
   * @throws IllegalStateException if {@code time} is not after the last one
   */
  public ConsensusClock advance(ConsensusTime time) {
    if (time.compareTo(last) <= 0) {
      throw new IllegalStateException("The clock would not advance: " + last + " to " + time);
    }
    return new ConsensusClock(time);
  }
}
