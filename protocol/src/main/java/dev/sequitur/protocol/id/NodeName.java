package dev.sequitur.protocol.id;

import java.util.regex.Pattern;

/** The name of one party's installation, unique in the network: letters, digits, {@code . _ -}. */
public record NodeName(String value) implements Comparable<NodeName> {
  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

  public NodeName {
    if (!FORM.matcher(value).matches()) {
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
