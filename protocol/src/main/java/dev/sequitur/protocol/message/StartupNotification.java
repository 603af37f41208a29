package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.RequestId;
import java.time.Instant;

/** A node that was inactive for this contract has seen activity of it. Reliable notification. */
public record StartupNotification(RequestId startupId, Instant timestamp, ContractAddress contract)
    implements Message.ForSender, Message.ForCoordinator, Message.ForEndorser {}
