package dev.sequitur.protocol.text;

import java.util.Locale;

/** How many of something, for people: {@code 1 node}, {@code 3 nodes}, {@code 5,000 nodes}. */
public final class Counted {
  private Counted() {}

  /**
   * @param noun whose plural has just an s more
   */
  public static String of(long count, String noun) {
    return of(count, noun, noun + "s");
  }

  /** For nouns with a plural of their own, or with a word between. */
  public static String of(long count, String one, String more) {
    return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? one : more);
  }
}
