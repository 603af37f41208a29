package dev.sequitur.benchmarks.schedules;

import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.scheduler.body.SignaturePair;
import fr.acinq.secp256k1.Secp256k1;

/** Somebody with a secp256k1 key, who signs as Hedera's clients do. */
public record HederaSigner(Bytes secret, PublicKey key) {
  private static final int SECRET_BYTES = 32;

  /**
   * @param number from 1; the same number has the same key
   */
  public static HederaSigner of(int number) {
    var secret = new byte[SECRET_BYTES];
    secret[SECRET_BYTES - 2] = (byte) (number >> 8);
    secret[SECRET_BYTES - 1] = (byte) number;
    var library = Secp256k1.get();
    var point = Bytes.of(library.pubKeyCompress(library.pubkeyCreate(secret)));
    return new HederaSigner(
        Bytes.of(secret), new PublicKey(PublicKey.Algorithm.ECDSA_SECP256K1, point));
  }

  /** A signature over these bytes. */
  public SignaturePair sign(Bytes over) {
    var digest = Digests.keccak256(over).toByteArray();
    var signature = Bytes.of(Secp256k1.get().sign(digest, secret.toByteArray()));
    return new SignaturePair(key.value(), key.algorithm(), signature);
  }
}
