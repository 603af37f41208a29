package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.RequestId;

/** Ends the resending of a {@link StartupNotification}. */
public record StartupNotificationAcknowledgement(RequestId startupId, ContractAddress contract)
    implements Message.ForCoordinator {}
