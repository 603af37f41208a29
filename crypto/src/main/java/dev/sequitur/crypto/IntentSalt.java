package dev.sequitur.crypto;

import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.Keys;
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

  /**
   * The one of a series, by which the node that has the key knows on the ledger what it has sent,
   * also if it has forgotten it (RCV-7). Who has not the node's seed can no more guess it than a
   * random one.
   *
   * @param key what the node calls that secret
   * @param transaction any of the series
   */
  public static Hash of(
      Keys keys, String key, ContractAddress contract, TransactionId transaction, Identity from) {
    var what =
        new CanonicalDigest()
            .add("sequitur intent salt")
            .add(contract.value())
            .add(transaction.series().toString())
            .add(from.toString())
            .finish();
    return new CanonicalDigest().add(keys.secret(key, what)).finish();
  }
}
