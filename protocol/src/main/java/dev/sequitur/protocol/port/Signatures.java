package dev.sequitur.protocol.port;

import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.LedgerAddress;

/** Checks secp256k1 signatures. Pure and thread-safe; takes tens of microseconds. */
public interface Signatures {
  /** r and s, 32 bytes each, and v. */
  int BYTES = 65;

  /**
   * Whether it is the one signature that the key makes of the digest: one with a high s or another
   * v is none.
   *
   * @param signature r, s and v, as {@link Keys#sign} makes it
   */
  boolean verify(Verifier verifier, Hash digest, Bytes signature);

  /**
   * As {@link #verify}, of what somebody else has sent: a signature of another length is none, and
   * neither is one by a key that is not on the curve.
   */
  default boolean isValid(Verifier verifier, Hash digest, Bytes signature) {
    if (signature.size() != BYTES) {
      return false;
    }
    try {
      return verify(verifier, digest, signature);
    } catch (IllegalArgumentException notOnTheCurve) {
      return false;
    }
  }

  /**
   * The base-ledger address of a key: the last 20 bytes of keccak-256 over the uncompressed key.
   */
  LedgerAddress address(Verifier verifier);
}
