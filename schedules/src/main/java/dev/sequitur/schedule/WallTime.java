package dev.sequitur.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What the JVM's clock says, and what it is judged by.
 *
 * @param others what the clocks of others say, as far as it is known: the node's other JVMs, or the
 *     base ledger's newest block
 */
public record WallTime(Instant now, Optional<Instant> others) {
  /** With nothing to judge it by. */
  public static WallTime of(Instant now) {
    return new WallTime(now, Optional.empty());
  }

  public static WallTime judgedBy(Instant now, Instant others) {
    return new WallTime(now, Optional.of(others));
  }

  /**
   * The time to go by: the JVM's, but no further than {@code maxAhead} beyond the others. One bad
   * clock would otherwise fire everything at once, and no clock could lead the queue back.
   */
  public ConsensusTime followed(Duration maxAhead) {
    var bound = others.map(time -> time.plus(maxAhead)).orElse(Instant.MAX);
    var followed = now.isAfter(bound) ? bound : now;
    return followed.isBefore(Instant.EPOCH) ? ConsensusTime.ZERO : ConsensusTime.of(followed);
  }

  /** How far the JVM's clock is before the others; negative behind them, zero if none is known. */
  public Duration ahead() {
    return others.map(time -> Duration.between(time, now)).orElse(Duration.ZERO);
  }
}
