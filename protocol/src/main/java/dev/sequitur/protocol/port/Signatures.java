package dev.sequitur.protocol.port;

import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.ledger.LedgerAddress;

/** Checks secp256k1 signatures. Pure and thread-safe; takes tens of microseconds. */
public interface Signatures {
  /**
   * @param signature r and s, 64 bytes, low s
   */
  boolean verify(Verifier verifier, Hash digest, Bytes signature);

  /**
   * The base-ledger address of a key: the last 20 bytes of keccak-256 over the uncompressed key.
   */
  LedgerAddress address(Verifier verifier);
}
