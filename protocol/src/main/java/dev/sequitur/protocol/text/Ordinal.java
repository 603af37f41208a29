package dev.sequitur.protocol.text;

import java.util.Locale;

/** A place in a line, for people: {@code 1st}, {@code 12th}, {@code 1,023rd}. */
public final class Ordinal {
  private Ordinal() {}

  public static String of(long place) {
    return String.format(Locale.ROOT, "%,d%s", place, ending(place));
  }

  private static String ending(long place) {
    long tens = place % 100;
    if (tens >= 11 && tens <= 13) {
      return "th";
    }
    return switch ((int) (place % 10)) {
      case 1 -> "st";
      case 2 -> "nd";
      case 3 -> "rd";
      default -> "th";
    };
  }
}
