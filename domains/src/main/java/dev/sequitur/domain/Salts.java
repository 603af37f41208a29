package dev.sequitur.domain;

import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.limited.LimitedMap;
import dev.sequitur.protocol.port.Keys;
import java.security.GeneralSecurityException;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Makes what keeps others from guessing the content of a state by its id. A domain has no
 * randomness, so that the same assembly twice gives the same states. A salt is HMAC-SHA256 under a
 * secret that only the sender's node can make. Thread-safe.
 */
public final class Salts {
  private static final String PURPOSE = "sequitur: secret of the salts of a contract";
  private static final String ALGORITHM = "HmacSHA256";

  /** To make one costs as much as a signature, so that one per assembly would be felt. */
  private static final int CACHED_SECRETS = 1024;

  private final Map<Holder, Bytes> secrets = LimitedMap.ofLastUsed(CACHED_SECRETS);

  /** By seed and not by node: several nodes in one process share a domain. */
  private record Holder(Verifier origin, String name, ContractAddress contract) {}

  /** The secret under which {@code identity} makes the salts of a contract. */
  Secret secret(Keys keys, Identity identity, ContractAddress contract) {
    var holder = new Holder(keys.origin(), identity.name(), contract);
    synchronized (secrets) {
      var known = secrets.get(holder);
      if (known != null) {
        return new Secret(known);
      }
    }
    var digest = new CanonicalDigest().add(PURPOSE).add(contract.value()).finish();
    var made = keys.secret(identity.name(), digest);
    synchronized (secrets) {
      secrets.put(holder, made);
    }
    return new Secret(made);
  }

  /** What salts are made under. */
  public static final class Secret {
    private final Bytes key;

    private Secret(Bytes key) {
      this.key = key;
    }

    /**
     * @param place names one output of one assembly
     */
    Hash salt(Hash place) {
      try {
        var mac = Mac.getInstance(ALGORITHM);
        mac.init(new SecretKeySpec(key.toByteArray(), ALGORITHM));
        return Hash.of(mac.doFinal(place.toByteArray()));
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("This Java runtime has no " + ALGORITHM + ".", e);
      }
    }
  }
}
