package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.RequestId;

/** The prepared transaction is stored on the sender's node. */
public record PreparedTransactionAcknowledgement(RequestId distributionId, ContractAddress contract)
    implements Message.ForCoordinator {}
