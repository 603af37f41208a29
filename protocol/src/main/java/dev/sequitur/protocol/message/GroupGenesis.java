package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.ledger.ContractGenesis;

/**
 * From the node that makes a group to the node of each other member, before anything stands on the
 * base ledger: what the group is. A chain has only its hash (SEL-7).
 *
 * @param domain the domain's name
 */
public record GroupGenesis(RequestId requestId, String domain, ContractGenesis genesis)
    implements Message.OfGroup {}
