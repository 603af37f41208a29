package dev.sequitur.protocol.ledger;

import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.TransactionHash;

/**
 * A base-ledger transaction with its signer's signature over its hash.
 *
 * @param signature secp256k1 ECDSA, r and s, 64 bytes
 */
public record SignedLedgerTransaction(
    LedgerTransaction transaction, TransactionHash hash, Verifier verifier, Bytes signature) {}
