package dev.sequitur.schedule.signing;

import dev.sequitur.protocol.id.Bytes;
import java.util.Arrays;

/**
 * A key that signs by itself.
 *
 * @param value 32 bytes of Ed25519, or 33 of a compressed secp256k1 point
 */
public record PublicKey(Algorithm algorithm, Bytes value)
    implements AccountKey, Comparable<PublicKey> {
  /** How it signs. */
  public enum Algorithm {
    /** RFC 8032. */
    ED25519(32),
    /** ECDSA over Keccak-256, 64 bytes r and s. */
    ECDSA_SECP256K1(33);

    private final int size;

    Algorithm(int size) {
      this.size = size;
    }

    /** Whether these may be the bytes of such a key. */
    public boolean hasSize(Bytes bytes) {
      return bytes.size() == size;
    }
  }

  public PublicKey {
    if (value.size() != algorithm.size) {
      throw new IllegalArgumentException(
          "A key of " + algorithm + " has " + algorithm.size + " bytes, not " + value.size() + ".");
    }
  }

  /** Whether a signature pair with this prefix may be this key's; an empty prefix may be any's. */
  public boolean hasPrefix(Bytes prefix) {
    var mine = value.toByteArray();
    var theirs = prefix.toByteArray();
    return theirs.length <= mine.length
        && Arrays.equals(mine, 0, theirs.length, theirs, 0, theirs.length);
  }

  @Override
  public int compareTo(PublicKey other) {
    int order = algorithm.compareTo(other.algorithm);
    return order == 0 ? value.compareTo(other.value) : order;
  }
}
