package dev.sequitur.scheduler.body;

import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.SignatureCheck;
import dev.sequitur.schedule.signing.VerifiedSignatures;
import fr.acinq.secp256k1.Secp256k1;
import fr.acinq.secp256k1.Secp256k1Exception;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Verifies signature pairs before they reach the rules: Ed25519 over the bytes, secp256k1 over
 * their Keccak-256. Thread-safe, to be used from as many threads as there are.
 */
public final class SignatureVerifier {
  private static final byte[] ED25519_HEADER = HexFormat.of().parseHex("302a300506032b6570032100");
  private static final int SIGNATURE_BYTES = 64;
  private static final int HALF = SIGNATURE_BYTES / 2;
  private static final BigInteger ORDER =
      new BigInteger("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", 16);

  /** Found out when it is first needed, so that a node that needs none loads no library. */
  private static final class Library {
    static final Secp256k1 SECP256K1 = Secp256k1.get();
  }

  /**
   * @param over what was signed
   * @param inQuestion the keys that a pair's prefix can mean; a whole key is its own prefix,
   *     whether it is in question or not
   */
  public VerifiedSignatures verify(
      Bytes over, List<SignaturePair> pairs, Collection<PublicKey> inQuestion) {
    var checks = new ArrayList<SignatureCheck>();
    for (var pair : pairs) {
      var verified =
          candidates(pair, inQuestion).stream()
              .filter(key -> verify(over, pair.signature().toByteArray(), key))
              .toList();
      checks.add(new SignatureCheck(pair.prefix(), verified));
    }
    return new VerifiedSignatures(Hash.sha256(over.toByteArray()), checks);
  }

  private static Set<PublicKey> candidates(SignaturePair pair, Collection<PublicKey> inQuestion) {
    var candidates = new TreeSet<PublicKey>();
    for (var key : inQuestion) {
      if (key.algorithm() == pair.algorithm() && key.hasPrefix(pair.prefix())) {
        candidates.add(key);
      }
    }
    if (candidates.isEmpty() && pair.algorithm().hasSize(pair.prefix())) {
      candidates.add(new PublicKey(pair.algorithm(), pair.prefix()));
    }
    return candidates;
  }

  /** Never throws: what is no key or no signature verifies nothing. */
  private static boolean verify(Bytes content, byte[] signature, PublicKey key) {
    if (signature.length != SIGNATURE_BYTES) {
      return false;
    }
    return key.algorithm() == PublicKey.Algorithm.ED25519
        ? verifyEd25519(content, signature, key)
        : verifySecp256k1(content, signature, key);
  }

  private static boolean verifyEd25519(Bytes content, byte[] signature, PublicKey key) {
    try {
      var encoded = Arrays.copyOf(ED25519_HEADER, ED25519_HEADER.length + key.value().size());
      System.arraycopy(
          key.value().toByteArray(), 0, encoded, ED25519_HEADER.length, key.value().size());
      var verifier = Signature.getInstance("Ed25519");
      verifier.initVerify(
          KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded)));
      verifier.update(content.toByteArray());
      return verifier.verify(signature);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static boolean verifySecp256k1(Bytes content, byte[] signature, PublicKey key) {
    try {
      return Library.SECP256K1.verify(
          withLowS(signature), Digests.keccak256(content).toByteArray(), key.value().toByteArray());
    } catch (Secp256k1Exception e) {
      return false;
    }
  }

  /**
   * Hedera's clients may send a high s, which the library refuses. What counts here is who signed,
   * not which of the two signatures it was.
   */
  private static byte[] withLowS(byte[] signature) {
    var s = new BigInteger(1, Arrays.copyOfRange(signature, HALF, SIGNATURE_BYTES));
    if (s.compareTo(ORDER.shiftRight(1)) <= 0 || s.compareTo(ORDER) >= 0) {
      return signature;
    }
    var low = ORDER.subtract(s).toByteArray();
    var normal = Arrays.copyOf(signature, SIGNATURE_BYTES);
    Arrays.fill(normal, HALF, SIGNATURE_BYTES, (byte) 0);
    int length = Math.min(low.length, HALF);
    System.arraycopy(low, low.length - length, normal, SIGNATURE_BYTES - length, length);
    return normal;
  }
}
