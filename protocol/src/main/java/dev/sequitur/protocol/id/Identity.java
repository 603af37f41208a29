package dev.sequitur.protocol.id;

/** A node-qualified signing identity, written {@code name@node}. */
public record Identity(String name, NodeName node) implements Comparable<Identity> {
  private static final int MOST_CHARACTERS = 128;

  public Identity {
    if (!Spelling.isName(name, MOST_CHARACTERS, "._/-")) {
      throw new IllegalArgumentException(
          "The name before '@' is 1 to 128 letters, digits, '.', '_', '/' or '-', and starts with"
              + " a letter or digit; this is none: "
              + name);
    }
  }

  /**
   * @throws IllegalArgumentException with a sentence for the caller, if the text is not {@code
   *     name@node}
   */
  public static Identity parse(String text) {
    int at = text.indexOf('@');
    if (at < 0 || at != text.lastIndexOf('@')) {
      throw new IllegalArgumentException("An identity is written name@node, not '" + text + "'.");
    }
    return new Identity(text.substring(0, at), new NodeName(text.substring(at + 1)));
  }

  @Override
  public int compareTo(Identity other) {
    int order = name.compareTo(other.name);
    return order == 0 ? node.compareTo(other.node) : order;
  }

  @Override
  public String toString() {
    return name + "@" + node.value();
  }
}
