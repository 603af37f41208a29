package dev.sequitur.protocol.message;

import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.RequestId;

/**
 * Asks a node for the verifier of one of its identities, before there is a contract: a group's
 * creator needs each member's. An instance of the Request pattern, ours.
 */
public record ResolveVerifierRequest(RequestId requestId, Identity identity)
    implements Message.OfVerifier {}
