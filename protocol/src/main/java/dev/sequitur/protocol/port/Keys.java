package dev.sequitur.protocol.port;

import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.ledger.Signer;

/**
 * The node's own keys, found by name and made on first use: the same name is the same key, on every
 * JVM of the node and across restarts. Private keys never leave it. Thread-safe.
 */
public interface Keys {
  /** The verifier of the key called {@code name}: the part of an identity before {@code @}. */
  Verifier verifier(String name);

  /**
   * Signs a 32-byte digest, deterministically: r, s and v, 65 bytes. s is low, and v is 27, or 28
   * if the point of r has an odd y: so a contract of an EVM finds the key.
   */
  Bytes sign(String name, Hash digest);

  /** The key called {@code name}, for the base ledger. */
  default Signer signer(String name) {
    return new Signer(verifier(name), digest -> sign(name, digest));
  }
}
