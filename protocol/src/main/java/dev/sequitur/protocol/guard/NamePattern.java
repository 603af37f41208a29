package dev.sequitur.protocol.guard;

/** A name, in which {@code *} stands for any characters. */
public record NamePattern(String text) {
  private static final char ANY = '*';

  /** Each part between the stars is looked for after the one before, so that nothing backtracks. */
  public boolean matches(String name) {
    if (isName()) {
      return text.equals(name);
    }
    var parts = text.split("\\*", -1);
    var last = parts[parts.length - 1];
    int at = parts[0].length();
    int end = name.length() - last.length();
    if (end < at || !name.startsWith(parts[0]) || !name.endsWith(last)) {
      return false;
    }
    for (int i = 1; i < parts.length - 1; i++) {
      int found = name.indexOf(parts[i], at);
      if (found < 0 || found + parts[i].length() > end) {
        return false;
      }
      at = found + parts[i].length();
    }
    return true;
  }

  /** How each name begins that matches: the name itself, if no other one does. */
  public String beginning() {
    return isName() ? text : text.substring(0, text.indexOf(ANY));
  }

  private boolean isName() {
    return text.indexOf(ANY) < 0;
  }

  @Override
  public String toString() {
    return text;
  }
}
