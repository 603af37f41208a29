package dev.sequitur.protocol.funding;

import dev.sequitur.protocol.ledger.LedgerAddress;

/**
 * A key of the node is about to pay for gas.
 *
 * @param needs for what it submits now, at most, in the ledger's smallest unit
 * @param waits whether the ledger has refused it for want of money
 * @param once whether it pays for this and then never again
 */
public record KeyUse(LedgerAddress key, long needs, boolean waits, boolean once) {}
