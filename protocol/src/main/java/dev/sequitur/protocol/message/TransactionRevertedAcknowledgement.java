package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.RequestId;

/** Ends the resending of a {@link TransactionReverted}. */
public record TransactionRevertedAcknowledgement(RequestId notificationId, ContractAddress contract)
    implements Message.ForCoordinator, Message.ForSubmitter {}
