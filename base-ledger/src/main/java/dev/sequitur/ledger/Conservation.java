package dev.sequitur.ledger;

import dev.sequitur.protocol.ledger.LedgerReceipt.Fulfilled;
import java.util.Optional;

/**
 * Checks what the ledger cannot see: the audit shows each fulfilled intent, in the ledger's order,
 * to one who knows what is in the states that it spent and made.
 */
@FunctionalInterface
public interface Conservation {
  /** For one who knows of no contents. */
  Conservation UNKNOWN = fulfilled -> Optional.empty();

  /** What is wrong with the sums of this intent, without private data; empty if nothing is. */
  Optional<String> complaint(Fulfilled fulfilled);
}
