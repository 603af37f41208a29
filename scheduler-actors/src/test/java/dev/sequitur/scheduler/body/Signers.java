package dev.sequitur.scheduler.body;

import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.signing.PublicKey;
import fr.acinq.secp256k1.Secp256k1;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Arrays;

/** Keys that sign as Hedera's clients do. */
public final class Signers {
  private Signers() {}

  /** Somebody with a key. */
  public interface Signer {
    PublicKey key();

    Bytes signature(Bytes over);

    default SignaturePair sign(Bytes over) {
      return sign(over, key().value().size());
    }

    default SignaturePair sign(Bytes over, int prefixBytes) {
      var prefix = Bytes.of(Arrays.copyOf(key().value().toByteArray(), prefixBytes));
      return new SignaturePair(prefix, key().algorithm(), signature(over));
    }
  }

  public static Signer ed25519() throws GeneralSecurityException {
    var pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    var encoded = pair.getPublic().getEncoded();
    var raw = Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length);
    return new Ed25519(pair, new PublicKey(PublicKey.Algorithm.ED25519, Bytes.of(raw)));
  }

  /**
   * The secret has the byte 32 times: 1 to 254, as others are no number below the group's order.
   */
  public static Signer secp256k1(int seed) {
    var secret = new byte[32];
    Arrays.fill(secret, (byte) seed);
    var library = Secp256k1.get();
    var point = library.pubKeyCompress(library.pubkeyCreate(secret));
    return new EcdsaSecp256k1(
        Bytes.of(secret), new PublicKey(PublicKey.Algorithm.ECDSA_SECP256K1, Bytes.of(point)));
  }

  private record Ed25519(KeyPair pair, PublicKey key) implements Signer {
    @Override
    public Bytes signature(Bytes over) {
      try {
        var signer = Signature.getInstance("Ed25519");
        signer.initSign(pair.getPrivate());
        signer.update(over.toByteArray());
        return Bytes.of(signer.sign());
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private record EcdsaSecp256k1(Bytes secret, PublicKey key) implements Signer {
    @Override
    public Bytes signature(Bytes over) {
      var digest = Digests.keccak256(over).toByteArray();
      return Bytes.of(Secp256k1.get().sign(digest, secret.toByteArray()));
    }
  }
}
