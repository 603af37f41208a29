package dev.sequitur.protocol.id;

/** The name of one party's installation, unique in the network: letters, digits, {@code . _ -}. */
public record NodeName(String value) implements Comparable<NodeName> {
  private static final int MOST_CHARACTERS = 63;

  public NodeName {
    if (!Spelling.isName(value, MOST_CHARACTERS, "._-")) {
      throw new IllegalArgumentException(
          "A node name is 1 to 63 letters, digits, '.', '_' or '-', and starts with a letter or"
              + " digit; this is none: "
              + value);
    }
  }

  @Override
  public int compareTo(NodeName other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
