package dev.sequitur.protocol.message;

import dev.sequitur.protocol.group.GenesisFlaw;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.RequestId;

/** The member's node takes no part in such a group (SEL-7). */
public record GroupGenesisRejected(RequestId requestId, GroupId group, GenesisFlaw flaw)
    implements Message.OfGroup {}
