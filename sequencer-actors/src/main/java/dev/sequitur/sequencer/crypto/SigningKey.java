package dev.sequitur.sequencer.crypto;

import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import fr.acinq.secp256k1.Secp256k1;
import java.util.Optional;

/** A private key. Not a record: a record's text would show it. Thread-safe. */
final class SigningKey {
  static final int BYTES = 32;

  private final byte[] secret;
  private final Verifier verifier;

  private SigningKey(byte[] secret, Verifier verifier) {
    this.secret = secret;
    this.verifier = verifier;
  }

  /** Empty if the number is zero or not below the order of the curve. */
  static Optional<SigningKey> of(byte[] secret) {
    var library = Secp256k1.get();
    if (!library.secKeyVerify(secret)) {
      return Optional.empty();
    }
    var publicKey = library.pubKeyCompress(library.pubkeyCreate(secret));
    return Optional.of(new SigningKey(secret.clone(), new Verifier(Bytes.of(publicKey))));
  }

  Verifier verifier() {
    return verifier;
  }

  /** By RFC 6979; the library makes s low. */
  Bytes sign(Hash digest) {
    return Bytes.of(Secp256k1.get().sign(digest.toByteArray(), secret));
  }
}
