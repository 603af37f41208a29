package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.RequestId;

/** The node has no such identity. */
public record ResolveVerifierError(RequestId requestId, Identity identity, String errorMessage)
    implements Message.OfVerifier {}
