package dev.sequitur.protocol.transaction;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.TransactionId;

/**
 * What a new private transaction is told apart by.
 *
 * @param salt as in {@link PrivateTransaction}
 */
public record FreshIntent(TransactionId id, Hash salt) {}
