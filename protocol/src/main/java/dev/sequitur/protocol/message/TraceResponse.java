package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.RequestId;

/**
 * What one process of the asked node has seen; each of its processes answers for itself. No message
 * of the specification, as {@link TraceRequest}.
 */
public record TraceResponse(RequestId requestId, ContractAddress contract, TracePart part)
    implements Message.OfTrace {}
