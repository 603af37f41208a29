package dev.sequitur.sequencer.crypto;

import dev.sequitur.protocol.id.Hash;
import java.security.SecureRandom;

/** Salts of intents: nobody outside the group can guess one. Thread-safe. */
public final class IntentSalt {
  private static final SecureRandom RANDOM = new SecureRandom();

  private IntentSalt() {}

  /** A new one for each series of intents. */
  public static Hash random() {
    var salt = new byte[32];
    RANDOM.nextBytes(salt);
    return Hash.of(salt);
  }
}
