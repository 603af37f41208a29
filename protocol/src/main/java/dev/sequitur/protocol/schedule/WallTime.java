package dev.sequitur.protocol.schedule;

import java.time.Instant;
import java.util.Optional;

/**
 * What the JVM's clock says, and what it is judged by.
 *
 * @param others what the clocks of others say, as far as it is known: other nodes, or the base
 *     ledger's newest block
 */
public record WallTime(Instant now, Optional<Instant> others) {
  /** With nothing to judge it by. */
  public static WallTime of(Instant now) {
    return new WallTime(now, Optional.empty());
  }

  public static WallTime judgedBy(Instant now, Instant others) {
    return new WallTime(now, Optional.of(others));
  }
}
