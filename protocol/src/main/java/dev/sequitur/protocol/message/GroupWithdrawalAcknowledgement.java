package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.RequestId;

/** The member's node waits for no contract of a group that the asking node has given it (SEL-9). */
public record GroupWithdrawalAcknowledgement(RequestId requestId, GroupId group)
    implements Message.OfGroup {}
