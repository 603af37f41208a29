package dev.sequitur.schedule;

import java.time.Duration;

/**
 * The clock of one queue (SCH-4): max(wall, last + 1 ns), so that it strictly increases whatever
 * the wall clock does. It moves only when something is stored; a refused command costs no time.
 *
 * @param last the time of what was stored last
 */
public record ConsensusClock(ConsensusTime last) {
  public static final ConsensusClock INITIAL = new ConsensusClock(ConsensusTime.ZERO);
  private static final Duration MUCH = Duration.ofSeconds(1);

  /** The time of what is stored next; a wall clock that has run away is not followed. */
  public ConsensusTime next(WallTime wall, Duration maxAhead) {
    long followed = wall.followed(maxAhead).nanos();
    return new ConsensusTime(Math.max(followed, Math.addExact(last.nanos(), 1)));
  }

  /**
   * How long it stands still, since the wall clock was set back: so far is it before that one. Zero
   * if it goes on; a second or less, as clocks are corrected by, counts as nothing.
   */
  public Duration standsStill(WallTime wall, Duration maxAhead) {
    long ahead = last.nanos() - wall.followed(maxAhead).nanos();
    return ahead > MUCH.toNanos() ? Duration.ofNanos(ahead) : Duration.ZERO;
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
