package dev.sequitur.protocol.id;

import java.util.UUID;
import java.util.regex.Pattern;

/** The id of one intent: what a caller of {@code ptx_sendTransaction} is given. */
public record TransactionId(UUID value) implements Comparable<TransactionId> {
  /** Ids in a series: those that differ in their last byte only. */
  public static final int SERIES = 256;

  private static final Pattern UUID_FORM =
      Pattern.compile("[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}");

  /**
   * @throws IllegalArgumentException with a sentence for the caller, if the text is no UUID
   */
  public static TransactionId parse(String text) {
    // UUID.fromString fills up groups that are too short.
    if (!UUID_FORM.matcher(text).matches()) {
      throw new IllegalArgumentException("A transaction id is a UUID, not '" + text + "'.");
    }
    return new TransactionId(UUID.fromString(text));
  }

  /** The first id of its series: all that its neighbours have in common. */
  public TransactionId series() {
    long without = value.getLeastSignificantBits() & -SERIES;
    return new TransactionId(new UUID(value.getMostSignificantBits(), without));
  }

  /** Its place in its series, from 0. */
  public int place() {
    return (int) (value.getLeastSignificantBits() & (SERIES - 1));
  }

  /**
   * Another of its series.
   *
   * @throws IllegalArgumentException if a series has no such place
   */
  public TransactionId at(int place) {
    if (place < 0 || place >= SERIES) {
      throw new IllegalArgumentException("A series of ids has no place " + place + ".");
    }
    var first = series().value();
    return new TransactionId(
        new UUID(first.getMostSignificantBits(), first.getLeastSignificantBits() | place));
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
