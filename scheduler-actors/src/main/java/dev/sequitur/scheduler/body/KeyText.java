package dev.sequitur.scheduler.body;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.signing.PublicKey;

/** A key as people write it: {@code ed25519:} or {@code secp256k1:} and hexadecimal digits. */
public final class KeyText {
  private static final String ED25519 = "ed25519:";
  private static final String SECP256K1 = "secp256k1:";

  private KeyText() {}

  /**
   * @throws IllegalArgumentException with a sentence for the caller, if it is none
   */
  public static PublicKey parse(String text) {
    var algorithm =
        text.startsWith(ED25519)
            ? PublicKey.Algorithm.ED25519
            : text.startsWith(SECP256K1) ? PublicKey.Algorithm.ECDSA_SECP256K1 : null;
    if (algorithm == null) {
      throw new IllegalArgumentException(
          "A key is ed25519: and 64 hexadecimal digits, or secp256k1: and 66.");
    }
    return CurvePoints.checked(
        new PublicKey(algorithm, Bytes.hex(text.substring(text.indexOf(':') + 1))));
  }

  public static String of(PublicKey key) {
    var algorithm = key.algorithm() == PublicKey.Algorithm.ED25519 ? ED25519 : SECP256K1;
    var hex = key.value().toHex();
    return algorithm + (hex.startsWith("0x") ? hex.substring(2) : hex);
  }
}
