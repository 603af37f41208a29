package dev.sequitur.protocol.indexing;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When the base ledger is looked at (CNF-8): at each poll while anybody waits for a block, and else
 * seldom, where looks cost. Pure.
 *
 * @param looked when it was looked at last
 */
public record LookPace(Optional<Instant> looked) {
  /** The ledger was not looked at yet. */
  public static final LookPace NEW = new LookPace(Optional.empty());

  /**
   * @param awaited whether anybody waits for a block
   * @param pause between two looks while nobody does
   */
  public boolean isDue(Instant now, boolean awaited, Duration pause) {
    return awaited || looked.isEmpty() || !now.isBefore(looked.get().plus(pause));
  }

  /** With the ledger looked at now. */
  public LookPace at(Instant now) {
    return new LookPace(Optional.of(now));
  }
}
