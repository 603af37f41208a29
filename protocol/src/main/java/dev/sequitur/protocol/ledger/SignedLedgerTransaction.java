package dev.sequitur.protocol.ledger;

import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.TransactionHash;

/**
 * A base-ledger transaction as {@link dev.sequitur.protocol.port.BaseLedger#sign} makes it.
 *
 * @param hash under which the ledger knows it
 * @param signature as {@link dev.sequitur.protocol.port.Keys#sign} makes it
 */
public record SignedLedgerTransaction(
    LedgerTransaction transaction, TransactionHash hash, Verifier verifier, Bytes signature) {}
