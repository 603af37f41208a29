package dev.sequitur.protocol.room;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.TransactionId;
import java.time.Instant;

/**
 * What is left of a transaction once its contents are forgotten.
 *
 * @param contract as its receipt named it
 * @param own whether this node had accepted it
 * @param success as the receipt that held said
 * @param ended when that was
 */
public record Forgotten(
    TransactionId transaction,
    ContractAddress contract,
    boolean own,
    boolean success,
    Instant ended) {}
