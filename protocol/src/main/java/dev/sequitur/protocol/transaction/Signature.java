package dev.sequitur.protocol.transaction;

import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;

/**
 * A party's signature over a 32-byte digest.
 *
 * @param value as {@link dev.sequitur.protocol.port.Keys#sign} makes it
 */
public record Signature(Identity party, Verifier verifier, Bytes value) {}
