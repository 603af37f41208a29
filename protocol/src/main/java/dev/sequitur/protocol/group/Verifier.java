package dev.sequitur.protocol.group;

import dev.sequitur.protocol.id.Bytes;

/**
 * What checks an identity's signatures.
 *
 * @param publicKey secp256k1, compressed, 33 bytes
 */
public record Verifier(Bytes publicKey) {
  public Verifier {
    if (publicKey.size() != 33) {
      throw new IllegalArgumentException(
          "A verifier is a compressed secp256k1 key of 33 bytes, not " + publicKey.size() + ".");
    }
  }

  /** {@code 0x} and 66 digits. */
  @Override
  public String toString() {
    return publicKey.toHex();
  }
}
