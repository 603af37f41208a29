package dev.sequitur.persistence.map;

import static java.util.Objects.requireNonNull;

/**
 * The keys from one on until, but without, another; empty when they are equal or the wrong way
 * round.
 */
public record KeyRange(Key from, Key until) {
  /** Neither end may be missing. */
  public KeyRange {
    requireNonNull(from, "from");
    requireNonNull(until, "until");
  }

  /** Every key that starts with the prefix, the prefix itself included. */
  public static KeyRange startingWith(Key prefix) {
    return new KeyRange(prefix, prefix.afterPrefix());
  }

  /**
   * The keys that are the prefix followed by a number of at least {@code first} and at most {@code
   * last}.
   */
  public static KeyRange numbered(Key prefix, long first, long last) {
    Key until = last == Long.MAX_VALUE ? prefix.afterPrefix() : prefix.number(last + 1);
    return new KeyRange(prefix.number(first), until);
  }

  /** The keys that are in both. */
  public KeyRange within(KeyRange other) {
    return new KeyRange(
        from.compareTo(other.from) < 0 ? other.from : from,
        until.compareTo(other.until) > 0 ? other.until : until);
  }

  /** Whether a key is in it. */
  public boolean contains(Key key) {
    return key.compareTo(from) >= 0 && key.compareTo(until) < 0;
  }

  /** Whether no key can be in it. */
  public boolean isEmpty() {
    return from.compareTo(until) >= 0;
  }
}
