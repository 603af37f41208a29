package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.RequestId;

/** The states of a {@link StateDistribution} are stored. */
public record StateDistributionAcknowledgement(RequestId distributionId, ContractAddress contract)
    implements Message.ForStateStore {}
