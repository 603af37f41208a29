package dev.sequitur.crypto;

import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * All that a key file has: the seed, and what does not follow from it alone, the keys that names
 * got or lost. Its bytes are those of the seed where there is nothing else; otherwise lines, of
 * which {@link #MAGIC} is the first:
 *
 * <pre>
 * seed HEX
 * key NAME made|HEX held|revoked
 * </pre>
 *
 * {@code made} is the key that follows from seed and name. Lines of one name stand together, the
 * oldest key first. Immutable; not a record, whose text would show it.
 */
final class SeedAndKeys {
  private static final String MAGIC = "sequitur keys 1";
  private static final byte[] FIRST_LINE = (MAGIC + "\n").getBytes(StandardCharsets.US_ASCII);
  private static final String MADE = "made";
  private static final String HELD = "held";
  private static final String REVOKED = "revoked";

  /** A node has so many identities whose keys are not of its seed. */
  static final int MOST_KEYS = 4_096;

  /** The bytes of one that is full. */
  static final int MOST_BYTES = MOST_KEYS * 256;

  private static final NodeName ANY = new NodeName("node");

  private final byte[] seed;
  private final Map<String, List<Entry>> entries;

  /**
   * A key of a name.
   *
   * @param secret empty if it follows from seed and name
   */
  record Entry(Optional<Secret> secret, boolean revoked) {
    static final Entry OF_SEED = new Entry(Optional.empty(), false);

    Entry revoke() {
      return new Entry(secret, true);
    }
  }

  /** 32 bytes that no text shows. */
  record Secret(byte[] bytes) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Secret that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
      return "(hidden)";
    }
  }

  private SeedAndKeys(byte[] seed, Map<String, List<Entry>> entries) {
    this.seed = seed;
    this.entries = entries;
  }

  static SeedAndKeys of(byte[] seed) {
    return new SeedAndKeys(seed.clone(), Map.of());
  }

  /** What a file begins with that has more than a seed. */
  static boolean isRing(byte[] content) {
    return content.length >= FIRST_LINE.length
        && Arrays.equals(FIRST_LINE, Arrays.copyOf(content, FIRST_LINE.length));
  }

  /**
   * @throws IllegalArgumentException if it has neither form
   */
  static SeedAndKeys decode(byte[] content) {
    if (content.length == SeedFile.BYTES) {
      return of(content);
    }
    var lines = new String(content, StandardCharsets.UTF_8).split("\n", -1);
    if (!isRing(content) || lines.length < 3 || !lines[lines.length - 1].isEmpty()) {
      throw new IllegalArgumentException("It is neither a seed nor a list of keys.");
    }
    var words = lines[1].split(" ", -1);
    if (words.length != 2 || !words[0].equals("seed")) {
      throw new IllegalArgumentException("Its seed is not where it should be.");
    }
    var ring = of(secret(words[1]).bytes());
    for (int i = 2; i < lines.length - 1; i++) {
      ring = ring.withLine(lines[i]);
    }
    return ring;
  }

  private SeedAndKeys withLine(String line) {
    var words = line.split(" ", -1);
    if (words.length != 4
        || !words[0].equals("key")
        || !(words[3].equals(HELD) || words[3].equals(REVOKED))) {
      throw new IllegalArgumentException("It has a line that is no key.");
    }
    var secret = words[2].equals(MADE) ? Optional.<Secret>empty() : Optional.of(secret(words[2]));
    if (secret.isPresent() && SigningKey.of(secret.get().bytes()).isEmpty()) {
      throw new IllegalArgumentException("It has a key that is none.");
    }
    return with(words[1], new Entry(secret, words[3].equals(REVOKED)));
  }

  private static Secret secret(String hex) {
    var bytes = HexFormat.of().parseHex(hex);
    if (bytes.length != SeedFile.BYTES) {
      throw new IllegalArgumentException("It has a secret of another length.");
    }
    return new Secret(bytes);
  }

  byte[] encode() {
    if (entries.isEmpty()) {
      return seed.clone();
    }
    var text = new StringBuilder(MAGIC).append('\n');
    text.append("seed ").append(HexFormat.of().formatHex(seed)).append('\n');
    entries.forEach(
        (name, keys) ->
            keys.forEach(
                key ->
                    text.append("key ")
                        .append(name)
                        .append(' ')
                        .append(
                            key.secret()
                                .map(it -> HexFormat.of().formatHex(it.bytes()))
                                .orElse(MADE))
                        .append(' ')
                        .append(key.revoked() ? REVOKED : HELD)
                        .append('\n')));
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  byte[] seed() {
    return seed.clone();
  }

  /** By name, the oldest key first. */
  Map<String, List<Entry>> entries() {
    return entries;
  }

  /** Those of a name, the oldest first. */
  List<Entry> keys(String name) {
    return entries.getOrDefault(name, List.of(Entry.OF_SEED));
  }

  /**
   * With a key more, the newest of its name. The one of the seed stays only if it is told.
   *
   * @throws IllegalArgumentException with a sentence, if no identity has such a name, or there are
   *     too many keys
   */
  SeedAndKeys with(String name, Entry key) {
    var identity = new Identity(name, ANY);
    var keys = new ArrayList<>(entries.getOrDefault(identity.name(), List.of()));
    keys.add(key);
    var next = with(identity.name(), keys);
    if (next.entries.values().stream().mapToInt(List::size).sum() > MOST_KEYS) {
      throw new IllegalArgumentException(
          "A key file has at most " + MOST_KEYS + " keys that do not follow from its seed.");
    }
    return next;
  }

  /** A new key beside those of now. */
  SeedAndKeys rotated(String name, Secret secret) {
    return with(name, keys(name)).with(name, new Entry(Optional.of(secret), false));
  }

  /**
   * With those keys of a name revoked.
   *
   * @param verifier of a key
   */
  SeedAndKeys revoked(String name, List<Verifier> which, Function<Entry, Verifier> verifier) {
    var keys =
        keys(name).stream()
            .map(key -> which.contains(verifier.apply(key)) ? key.revoke() : key)
            .toList();
    return with(new Identity(name, ANY).name(), keys);
  }

  private SeedAndKeys with(String name, List<Entry> keys) {
    var next = new TreeMap<>(entries);
    next.put(name, List.copyOf(keys));
    return new SeedAndKeys(seed, next);
  }

  @Override
  public String toString() {
    return "SeedAndKeys of " + entries.keySet();
  }
}
