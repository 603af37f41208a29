package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.RequestId;

/** The genesis is stored on the member's node (SEL-7). */
public record GroupGenesisAcknowledgement(RequestId requestId, GroupId group)
    implements Message.OfGroup {}
