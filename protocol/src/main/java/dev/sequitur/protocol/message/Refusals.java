package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.TransactionId;

/**
 * How often endorsers have refused a transaction since it was last a try of its sender's. Its
 * coordinator tells it, and the sender hands it on to the next one, which counts on (EDR-5).
 */
public record Refusals(TransactionId transaction, int times) {}
