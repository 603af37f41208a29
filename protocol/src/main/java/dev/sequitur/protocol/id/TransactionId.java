package dev.sequitur.protocol.id;

import java.util.UUID;

/** The id of one intent: what a caller of {@code ptx_sendTransaction} is given. */
public record TransactionId(UUID value) implements Comparable<TransactionId> {
  /**
   * @throws IllegalArgumentException with a sentence for the caller, if the text is no UUID
   */
  public static TransactionId parse(String text) {
    try {
      return new TransactionId(UUID.fromString(text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("A transaction id is a UUID, not '" + text + "'.", e);
    }
  }

  @Override
  public int compareTo(TransactionId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
