package dev.sequitur.protocol.message;

import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.RequestId;

/** The verifier asked for. */
public record ResolveVerifierResponse(RequestId requestId, Identity identity, Verifier verifier)
    implements Message.OfVerifier {}
