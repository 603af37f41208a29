package dev.sequitur.sequencer.view;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One message as a process has seen it pass; holds no private data.
 *
 * @param number orders what one process has seen
 * @param fromRole sender, coordinator, endorser, submitter or store
 * @param type the message's name in the specification
 * @param detail a few words: a reason, a height; never content
 */
public record TracedMessage(
    long number,
    Instant time,
    MessageId messageId,
    Optional<MessageId> correlationId,
    NodeName from,
    String fromRole,
    NodeName to,
    String toRole,
    Optional<ContractAddress> contract,
    String type,
    List<TransactionId> transactions,
    String detail) {}
