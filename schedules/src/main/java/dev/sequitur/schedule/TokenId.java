package dev.sequitur.schedule;

import dev.sequitur.protocol.id.Utf8;

/**
 * A token in which accounts of a queue can hold money, beside the queue's own.
 *
 * @param value its address or name: 1 to 100 characters, no {@code #}
 */
public record TokenId(String value) implements Comparable<TokenId> {
  private static final int MOST_CHARACTERS = 100;

  public TokenId {
    if (!isName(value)) {
      throw new IllegalArgumentException("A token's name has 1 to 100 characters, and no '#'.");
    }
  }

  static boolean isName(String text) {
    return !text.isEmpty()
        && text.length() <= MOST_CHARACTERS
        && text.indexOf('#') < 0
        && Utf8.isWhole(text);
  }

  @Override
  public int compareTo(TokenId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
