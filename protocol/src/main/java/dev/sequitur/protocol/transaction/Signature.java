package dev.sequitur.protocol.transaction;

import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;

/**
 * A party's signature over a 32-byte digest.
 *
 * @param value secp256k1 ECDSA, r and s, 64 bytes, low s
 */
public record Signature(Identity party, Verifier verifier, Bytes value) {}
