package dev.sequitur.schedule.signing;

import dev.sequitur.protocol.id.Bytes;
import java.util.List;

/**
 * One signature pair, verified before it reaches the rules.
 *
 * @param prefix the pair's public-key prefix
 * @param verified those of the keys in question that have this prefix and whose signature it is;
 *     empty if it is nobody's
 */
public record SignatureCheck(Bytes prefix, List<PublicKey> verified) {
  public SignatureCheck {
    verified = List.copyOf(verified);
  }

  /** A pair with a whole key as its prefix. */
  public static SignatureCheck by(PublicKey key) {
    return new SignatureCheck(key.value(), List.of(key));
  }
}
