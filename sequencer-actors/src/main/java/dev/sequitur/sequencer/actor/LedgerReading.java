package dev.sequitur.sequencer.actor;

import dev.sequitur.protocol.id.BlockHeight;
import java.util.Optional;

/**
 * How this JVM, if it is the one of its node that does so, reads the base ledger.
 *
 * @param head the ledger's newest block, as it was seen last
 * @param parted a sentence for the operator: why it reads no further; empty if it does
 * @param unread a sentence for the operator: since when it cannot be read; empty if it could be the
 *     last time, or only failed once
 */
public record LedgerReading(BlockHeight head, Optional<String> parted, Optional<String> unread) {
  /** Nothing was read yet, or another JVM reads it. */
  static final LedgerReading NONE =
      new LedgerReading(BlockHeight.ZERO, Optional.empty(), Optional.empty());

  LedgerReading at(BlockHeight newest) {
    return new LedgerReading(newest, parted, unread);
  }

  LedgerReading parted(Optional<String> why) {
    return new LedgerReading(head, why, unread);
  }

  LedgerReading unread(Optional<String> why) {
    return new LedgerReading(head, parted, why);
  }
}
