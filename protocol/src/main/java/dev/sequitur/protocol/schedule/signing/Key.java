package dev.sequitur.protocol.schedule.signing;

import dev.sequitur.protocol.id.CanonicalDigest;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** What has to sign for an account: one key, all of a list, or enough of one; nested to 15. */
public sealed interface Key permits PublicKey, Key.KeyList, Key.ThresholdKey {
  int DEEPEST = 15;

  /** All of them; an empty list could be satisfied by nobody's signature, so there is none. */
  record KeyList(List<Key> keys) implements Key {
    public KeyList {
      keys = checked(keys);
    }
  }

  /** At least {@code threshold} of them. */
  record ThresholdKey(int threshold, List<Key> keys) implements Key {
    public ThresholdKey {
      keys = checked(keys);
      if (threshold < 1 || threshold > keys.size()) {
        throw new IllegalArgumentException(
            "A threshold is from 1 to the number of keys, " + keys.size() + ", not " + threshold);
      }
    }
  }

  /** Whether signatures of just these keys are enough. */
  default boolean isSatisfiedBy(Set<PublicKey> signers) {
    if (this instanceof PublicKey key) {
      return signers.contains(key);
    } else if (this instanceof KeyList list) {
      return list.keys.stream().allMatch(key -> key.isSatisfiedBy(signers));
    } else if (this instanceof ThresholdKey some) {
      return some.keys.stream().filter(key -> key.isSatisfiedBy(signers)).count() >= some.threshold;
    }
    throw new IllegalStateException("Unknown key: " + this);
  }

  /** Each key in it that can sign by itself, perhaps more than once. */
  default void forEachPublicKey(Consumer<PublicKey> consumer) {
    if (this instanceof PublicKey key) {
      consumer.accept(key);
    } else if (this instanceof KeyList list) {
      list.keys.forEach(key -> key.forEachPublicKey(consumer));
    } else if (this instanceof ThresholdKey some) {
      some.keys.forEach(key -> key.forEachPublicKey(consumer));
    }
  }

  /** So that no two keys add the same; digests of it are stored. */
  default void addTo(CanonicalDigest digest) {
    if (this instanceof PublicKey key) {
      digest.add(key.algorithm().name()).add(key.value());
    } else if (this instanceof ThresholdKey some) {
      digest.add("threshold").add(some.threshold).add(some.keys.size());
      some.keys.forEach(key -> key.addTo(digest));
    } else if (this instanceof KeyList list) {
      digest.add("all").add(list.keys.size());
      list.keys.forEach(key -> key.addTo(digest));
    }
  }

  /** 1 for a key that signs by itself. */
  default int depth() {
    if (this instanceof KeyList list) {
      return 1 + deepest(list.keys);
    } else if (this instanceof ThresholdKey some) {
      return 1 + deepest(some.keys);
    }
    return 1;
  }

  private static int deepest(List<Key> keys) {
    return keys.stream().mapToInt(Key::depth).max().orElse(0);
  }

  private static List<Key> checked(List<Key> keys) {
    if (keys.isEmpty()) {
      throw new IllegalArgumentException("A list of keys has at least one.");
    } else if (deepest(keys) >= DEEPEST) {
      throw new IllegalArgumentException("Keys are nested to " + DEEPEST + " levels at most.");
    }
    return List.copyOf(keys);
  }
}
