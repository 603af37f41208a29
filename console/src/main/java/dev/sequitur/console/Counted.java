package dev.sequitur.console;

import java.util.Locale;

/** How many of something, for people: {@code 1 node}, {@code 3 nodes}, {@code 5,000 nodes}. */
public final class Counted {
  private Counted() {}

  /**
   * @param noun whose plural has just an s more
   */
  public static String of(long count, String noun) {
    return String.format(Locale.ROOT, "%,d %s%s", count, noun, count == 1 ? "" : "s");
  }
}
