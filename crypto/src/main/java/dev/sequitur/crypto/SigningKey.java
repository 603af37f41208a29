package dev.sequitur.crypto;

import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.port.Signatures;
import fr.acinq.secp256k1.Secp256k1;
import java.util.Arrays;
import java.util.Optional;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.generators.HKDFBytesGenerator;
import org.bouncycastle.crypto.params.HKDFParameters;

/** A private key. Not a record: a record's text would show it. Thread-safe. */
final class SigningKey {
  static final int BYTES = 32;

  private final byte[] secret;
  private final byte[] point;
  private final Verifier verifier;

  private SigningKey(byte[] secret, byte[] point, Verifier verifier) {
    this.secret = secret;
    this.point = point;
    this.verifier = verifier;
  }

  /** Empty if the number is zero or not below the order of the curve. */
  static Optional<SigningKey> of(byte[] secret) {
    var library = Secp256k1.get();
    if (!library.secKeyVerify(secret)) {
      return Optional.empty();
    }
    var point = library.pubkeyCreate(secret);
    var verifier = new Verifier(Bytes.of(library.pubKeyCompress(point)));
    return Optional.of(new SigningKey(secret.clone(), point, verifier));
  }

  Verifier verifier() {
    return verifier;
  }

  /** 32 bytes that follow from it, by HKDF-SHA256 (RFC 5869). */
  byte[] derived(byte[] salt, byte[] info) {
    var generator = new HKDFBytesGenerator(new SHA256Digest());
    generator.init(new HKDFParameters(secret, salt, info));
    var bytes = new byte[BYTES];
    generator.generateBytes(bytes, 0, bytes.length);
    return bytes;
  }

  /** By RFC 6979; the library makes s low, and does not tell v, so it is found by trying one. */
  Bytes sign(Hash digest) {
    var library = Secp256k1.get();
    var message = digest.toByteArray();
    var numbers = library.sign(message, secret);
    boolean even = Arrays.equals(library.ecdsaRecover(numbers, message, 0), point);
    var signature = Arrays.copyOf(numbers, Signatures.BYTES);
    signature[numbers.length] = (byte) (Secp256k1Signatures.FIRST_V + (even ? 0 : 1));
    return Bytes.of(signature);
  }
}
