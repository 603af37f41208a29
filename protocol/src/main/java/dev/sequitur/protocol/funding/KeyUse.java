package dev.sequitur.protocol.funding;

import dev.sequitur.protocol.id.LedgerAddress;

/**
 * A key of the node is about to pay for gas. Amounts are in the ledger's smallest unit.
 *
 * @param needs for the gas of what it submits now, at most
 * @param sends what it sends along, which nobody tops up (FND-6)
 * @param waits whether the ledger has refused it for want of money
 * @param once whether it pays for this and then never again
 */
public record KeyUse(LedgerAddress key, long needs, long sends, boolean waits, boolean once) {
  KeyUse funded() {
    return new KeyUse(key, needs, sends, false, once);
  }
}
