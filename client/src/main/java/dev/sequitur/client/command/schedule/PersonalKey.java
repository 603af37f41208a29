package dev.sequitur.client.command.schedule;

import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.id.Bytes;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Locale;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.crypto.generators.ECKeyPairGenerator;
import org.bouncycastle.crypto.params.AsymmetricKeyParameter;
import org.bouncycastle.crypto.params.ECKeyGenerationParameters;
import org.bouncycastle.crypto.params.ECNamedDomainParameters;
import org.bouncycastle.crypto.params.ECPrivateKeyParameters;
import org.bouncycastle.crypto.params.Ed25519PrivateKeyParameters;
import org.bouncycastle.crypto.signers.ECDSASigner;
import org.bouncycastle.crypto.signers.Ed25519Signer;
import org.bouncycastle.crypto.signers.HMacDSAKCalculator;
import org.bouncycastle.crypto.util.PrivateKeyFactory;
import org.bouncycastle.crypto.util.PrivateKeyInfoFactory;
import org.bouncycastle.math.ec.FixedPointCombMultiplier;
import org.bouncycastle.util.BigIntegers;

/**
 * A person's private key, which signs as the schedule queues verify. Not a record: a record's text
 * would show it.
 */
abstract sealed class PersonalKey {
  /** What such a key can be. */
  enum Algorithm {
    /** Signs the bytes. */
    ED25519,
    /** Signs their Keccak-256. */
    SECP256K1;

    /** As the nodes write it before a public key's digits. */
    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private PersonalKey() {}

  /** A new one. */
  static PersonalKey random(Algorithm algorithm) {
    var random = new SecureRandom();
    return switch (algorithm) {
      case ED25519 -> new OfEd25519(new Ed25519PrivateKeyParameters(random));
      case SECP256K1 -> {
        var generator = new ECKeyPairGenerator();
        generator.init(new ECKeyGenerationParameters(OfSecp256k1.CURVE, random));
        yield new OfSecp256k1((ECPrivateKeyParameters) generator.generateKeyPair().getPrivate());
      }
    };
  }

  /** Empty if the key is of another algorithm. */
  static Optional<PersonalKey> of(PrivateKeyInfo info) {
    AsymmetricKeyParameter key;
    try {
      key = PrivateKeyFactory.createKey(info);
    } catch (IOException | RuntimeException e) {
      // The library has no type of its own for what it does not know.
      return Optional.empty();
    }
    if (key instanceof Ed25519PrivateKeyParameters ed25519) {
      return Optional.of(new OfEd25519(ed25519));
    } else if (key instanceof ECPrivateKeyParameters ec
        && OfSecp256k1.CURVE.equals(ec.getParameters())) {
      return Optional.of(new OfSecp256k1(ec));
    }
    return Optional.empty();
  }

  /** PKCS#8, as OpenSSL reads it. */
  abstract byte[] encoded() throws IOException;

  /** As the nodes write keys: the algorithm, a colon and hexadecimal digits. */
  final String publicKey() {
    var digits = Bytes.of(point()).toHex();
    return algorithm().word() + ":" + (digits.startsWith("0x") ? digits.substring(2) : digits);
  }

  abstract Bytes sign(Bytes content);

  abstract Algorithm algorithm();

  abstract byte[] point();

  private static final class OfEd25519 extends PersonalKey {
    private static final ASN1ObjectIdentifier ID = new ASN1ObjectIdentifier("1.3.101.112");

    private final Ed25519PrivateKeyParameters key;

    OfEd25519(Ed25519PrivateKeyParameters key) {
      this.key = key;
    }

    @Override
    Bytes sign(Bytes content) {
      var signer = new Ed25519Signer();
      signer.init(true, key);
      signer.update(content.toByteArray(), 0, content.size());
      return Bytes.of(signer.generateSignature());
    }

    @Override
    Algorithm algorithm() {
      return Algorithm.ED25519;
    }

    /** RFC 8410 without the public key, which OpenSSL 3.0 does not read in this place. */
    @Override
    byte[] encoded() throws IOException {
      var algorithm = new AlgorithmIdentifier(ID);
      return new PrivateKeyInfo(algorithm, new DEROctetString(key.getEncoded())).getEncoded();
    }

    @Override
    byte[] point() {
      return key.generatePublicKey().getEncoded();
    }
  }

  private static final class OfSecp256k1 extends PersonalKey {
    static final ECNamedDomainParameters CURVE =
        new ECNamedDomainParameters(
            SECObjectIdentifiers.secp256k1,
            CustomNamedCurves.getByOID(SECObjectIdentifiers.secp256k1));

    private static final int BYTES = 32;

    private final ECPrivateKeyParameters key;

    OfSecp256k1(ECPrivateKeyParameters key) {
      this.key = key;
    }

    @Override
    Bytes sign(Bytes content) {
      // RFC 6979: the same content has the same signature, and no chance can give the key away.
      var signer = new ECDSASigner(new HMacDSAKCalculator(new SHA256Digest()));
      signer.init(true, key);
      var numbers = signer.generateSignature(Digests.keccak256(content).toByteArray());
      var signature = new byte[2 * BYTES];
      BigIntegers.asUnsignedByteArray(numbers[0], signature, 0, BYTES);
      // The nodes take the lower of the two that are right.
      BigIntegers.asUnsignedByteArray(
          numbers[1].min(CURVE.getN().subtract(numbers[1])), signature, BYTES, BYTES);
      return Bytes.of(signature);
    }

    @Override
    Algorithm algorithm() {
      return Algorithm.SECP256K1;
    }

    @Override
    byte[] encoded() throws IOException {
      return PrivateKeyInfoFactory.createPrivateKeyInfo(key).getEncoded();
    }

    @Override
    byte[] point() {
      return new FixedPointCombMultiplier().multiply(CURVE.getG(), key.getD()).getEncoded(true);
    }
  }
}
