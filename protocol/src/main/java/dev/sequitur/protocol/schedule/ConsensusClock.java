package dev.sequitur.protocol.schedule;

import java.time.Duration;

/**
 * The clock of one queue: max(wall, last + 1 ns), so that it strictly increases whatever the wall
 * clock does. It moves only when something is stored; a refused command costs no time.
 *
 * @param last the time of what was stored last
 */
public record ConsensusClock(ConsensusTime last) {
  public static final ConsensusClock INITIAL = new ConsensusClock(ConsensusTime.ZERO);

  /** The time of what is stored next; a wall clock that has run away is not followed. */
  public ConsensusTime next(WallTime wall, Duration maxAhead) {
    long followed = wall.followed(maxAhead).nanos();
    return new ConsensusTime(Math.max(followed, Math.addExact(last.nanos(), 1)));
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
