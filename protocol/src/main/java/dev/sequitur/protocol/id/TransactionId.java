package dev.sequitur.protocol.id;

import java.util.UUID;
import java.util.regex.Pattern;

/** The id of one intent: what a caller of {@code ptx_sendTransaction} is given. */
public record TransactionId(UUID value) implements Comparable<TransactionId> {
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

  @Override
  public int compareTo(TransactionId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
