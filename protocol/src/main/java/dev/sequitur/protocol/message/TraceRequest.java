package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;

/**
 * Asks another member of a committee what it has seen of the exchange about a transaction. No
 * message of the specification: nothing that is decided depends on it, and a node need not answer.
 *
 * <p>It does not count as a message about the transaction, so that to look at a trace leaves none.
 */
public record TraceRequest(RequestId requestId, ContractAddress contract, TransactionId transaction)
    implements Message.OfTrace {}
