package dev.sequitur.crypto;

import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.limited.LimitedMap;
import dev.sequitur.protocol.port.Signatures;
import fr.acinq.secp256k1.Secp256k1;
import fr.acinq.secp256k1.Secp256k1Exception;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * {@link Signatures} by the native library. A signature with a high s is wrong: otherwise anyone
 * could turn one valid signature into another. Checks by recovering the key, as a contract of an
 * EVM does: so a wrong v is noticed. Thread-safe.
 */
public final class Secp256k1Signatures implements Signatures {
  /** v of a signature whose r is a point with an even y; with an odd one it is one more. */
  static final int FIRST_V = 27;

  static final int NUMBER_BYTES = 32;
  private static final byte[] HIGHEST_S =
      HexFormat.of().parseHex("7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0");
  private static final BigInteger ORDER =
      new BigInteger("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", 16);
  private static final int ADDRESS_BYTES = 20;

  /** More than the members of a committee and the submitters that this node hears of at a time. */
  static final int KEYS_KEPT = 4096;

  private final Secp256k1 library = Secp256k1.get();
  private final Map<Verifier, PublicKey> keys = LimitedMap.ofLastUsed(KEYS_KEPT);

  /**
   * A key as a point: to find that point takes a seventh of a verification.
   *
   * @param point uncompressed, 65 bytes
   */
  private record PublicKey(byte[] point, LedgerAddress address) {}

  /** Never throws: what is no signature or no key on the curve verifies nothing. */
  @Override
  public boolean verify(Verifier verifier, Hash digest, Bytes signature) {
    // The library also reads other encodings of signatures; two encodings would be two signatures.
    if (signature.size() != BYTES) {
      return false;
    }
    var bytes = signature.toByteArray();
    var numbers = Arrays.copyOf(bytes, 2 * NUMBER_BYTES);
    int parity = bytes[2 * NUMBER_BYTES] - FIRST_V;
    if (parity < 0 || parity > 1 || !isLow(numbers)) {
      return false;
    }
    try {
      var signer = library.ecdsaRecover(numbers, digest.toByteArray(), parity);
      return Arrays.equals(signer, key(verifier).point());
    } catch (Secp256k1Exception e) {
      return false;
    }
  }

  /** The library recovers a key from a signature with a high s as well. */
  private static boolean isLow(byte[] numbers) {
    return Arrays.compareUnsigned(
            numbers, NUMBER_BYTES, 2 * NUMBER_BYTES, HIGHEST_S, 0, NUMBER_BYTES)
        <= 0;
  }

  /**
   * The one form of a signature that {@link #verify} takes: others write v as 0 or 1, or a high s.
   *
   * @return empty if it has neither form
   */
  public static Optional<Bytes> canonical(Bytes signature) {
    if (signature.size() != BYTES) {
      return Optional.empty();
    }
    var bytes = signature.toByteArray();
    int parity =
        bytes[2 * NUMBER_BYTES] < FIRST_V
            ? bytes[2 * NUMBER_BYTES]
            : bytes[2 * NUMBER_BYTES] - FIRST_V;
    if (parity < 0 || parity > 1) {
      return Optional.empty();
    }
    if (!isLow(bytes)) {
      var s = new BigInteger(1, Arrays.copyOfRange(bytes, NUMBER_BYTES, 2 * NUMBER_BYTES));
      var low = ORDER.subtract(s);
      if (low.signum() <= 0) {
        return Optional.empty();
      }
      var digits = low.toByteArray();
      Arrays.fill(bytes, NUMBER_BYTES, 2 * NUMBER_BYTES, (byte) 0);
      int length = Math.min(digits.length, NUMBER_BYTES);
      System.arraycopy(digits, digits.length - length, bytes, 2 * NUMBER_BYTES - length, length);
      parity = 1 - parity;
    }
    bytes[2 * NUMBER_BYTES] = (byte) (FIRST_V + parity);
    return Optional.of(Bytes.of(bytes));
  }

  /**
   * @throws IllegalArgumentException if the verifier is no point of the curve
   */
  @Override
  public LedgerAddress address(Verifier verifier) {
    return onCurve(verifier).address();
  }

  /**
   * Both coordinates of the key, 64 bytes.
   *
   * @throws IllegalArgumentException if the verifier is no point of the curve
   */
  public Bytes coordinates(Verifier verifier) {
    var point = onCurve(verifier).point();
    return Bytes.of(Arrays.copyOfRange(point, 1, point.length));
  }

  private PublicKey onCurve(Verifier verifier) {
    try {
      return key(verifier);
    } catch (Secp256k1Exception e) {
      throw new IllegalArgumentException(
          "The verifier " + verifier + " is no secp256k1 public key.", e);
    }
  }

  /**
   * @throws Secp256k1Exception if the verifier is no point of the curve
   */
  private PublicKey key(Verifier verifier) {
    synchronized (keys) {
      var known = keys.get(verifier);
      if (known != null) {
        return known;
      }
    }
    var point = library.pubkeyParse(verifier.publicKey().toByteArray());
    var key = new PublicKey(point, address(point));
    synchronized (keys) {
      keys.put(verifier, key);
    }
    return key;
  }

  private static LedgerAddress address(byte[] point) {
    var hash = Digests.keccak256(Arrays.copyOfRange(point, 1, point.length)).toByteArray();
    var address = Arrays.copyOfRange(hash, hash.length - ADDRESS_BYTES, hash.length);
    return new LedgerAddress(Bytes.of(address).toHex());
  }

  int keptKeys() {
    synchronized (keys) {
      return keys.size();
    }
  }
}
