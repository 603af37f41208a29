package dev.sequitur.schedule.signing;

import dev.sequitur.protocol.id.CanonicalDigest;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** What has to sign for an account: one key, all of a list, or enough of one; nested to 15. */
public sealed interface AccountKey permits PublicKey, AccountKey.KeyList, AccountKey.ThresholdKey {
  int DEEPEST = 15;

  /** All of them; an empty list could be satisfied by nobody's signature, so there is none. */
  record KeyList(List<AccountKey> keys) implements AccountKey {
    public KeyList {
      keys = checked(keys);
    }
  }

  /** At least {@code threshold} of them. */
  record ThresholdKey(int threshold, List<AccountKey> keys) implements AccountKey {
    public ThresholdKey {
      keys = checked(keys);
      if (threshold < 1 || threshold > keys.size()) {
        throw new IllegalArgumentException(
            "A threshold is from 1 to the number of keys, which is " + keys.size() + ".");
      }
    }
  }

  /** Whether signatures of just these keys are enough. */
  default boolean isSatisfiedBy(Set<PublicKey> signers) {
    return switch (this) {
      case PublicKey key -> signers.contains(key);
      case KeyList(var keys) -> keys.stream().allMatch(key -> key.isSatisfiedBy(signers));
      case ThresholdKey(var threshold, var keys) ->
          keys.stream().filter(key -> key.isSatisfiedBy(signers)).count() >= threshold;
    };
  }

  /** Each key in it that can sign by itself, perhaps more than once. */
  default void forEachPublicKey(Consumer<PublicKey> consumer) {
    switch (this) {
      case PublicKey key -> consumer.accept(key);
      case KeyList list -> list.keys.forEach(key -> key.forEachPublicKey(consumer));
      case ThresholdKey some -> some.keys.forEach(key -> key.forEachPublicKey(consumer));
    }
  }

  /** So that no two keys add the same; digests of it are stored. */
  default void addTo(CanonicalDigest digest) {
    switch (this) {
      case PublicKey key -> digest.add(key.algorithm().name()).add(key.value());
      case ThresholdKey some -> {
        digest.add("threshold").add(some.threshold).add(some.keys.size());
        some.keys.forEach(key -> key.addTo(digest));
      }
      case KeyList list -> {
        digest.add("all").add(list.keys.size());
        list.keys.forEach(key -> key.addTo(digest));
      }
    }
  }

  /** 1 for a key that signs by itself. */
  default int depth() {
    return switch (this) {
      case PublicKey ignored -> 1;
      case KeyList list -> 1 + deepest(list.keys);
      case ThresholdKey some -> 1 + deepest(some.keys);
    };
  }

  private static int deepest(List<AccountKey> keys) {
    return keys.stream().mapToInt(AccountKey::depth).max().orElse(0);
  }

  private static List<AccountKey> checked(List<AccountKey> keys) {
    if (keys.isEmpty()) {
      throw new IllegalArgumentException("A list of keys has at least one.");
    } else if (deepest(keys) >= DEEPEST) {
      throw new IllegalArgumentException("Keys are nested to " + DEEPEST + " levels at most.");
    }
    return List.copyOf(keys);
  }
}
