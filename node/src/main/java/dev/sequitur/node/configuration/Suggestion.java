package dev.sequitur.node.configuration;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds what a person may have meant to type. */
final class Suggestion {
  private Suggestion() {}

  /** The known word nearest to {@code typed}, if it is near enough to be a slip. */
  static Optional<String> nearest(String typed, Collection<String> known) {
    return known.stream()
        .filter(word -> distance(typed, word) <= Math.max(2, word.length() / 3))
        .min(
            Comparator.<String>comparingInt(word -> distance(typed, word))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** How many letters to insert, remove or replace (Levenshtein). */
  private static int distance(String left, String right) {
    var row = new int[right.length() + 1];
    for (int j = 0; j <= right.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= left.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= right.length(); j++) {
        int replaced = diagonal + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[right.length()];
  }
}
