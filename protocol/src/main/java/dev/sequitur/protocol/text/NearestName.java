package dev.sequitur.protocol.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToIntFunction;

/** Finds what somebody may have meant to write. */
public final class NearestName {
  private NearestName() {}

  /** The candidate with the fewest edits, if they are few for its length; case does not count. */
  public static Optional<String> of(String name, Collection<String> candidates) {
    var lower = name.toLowerCase(Locale.ROOT);
    ToIntFunction<String> edits = candidate -> edits(lower, candidate.toLowerCase(Locale.ROOT));
    return candidates.stream()
        .min(Comparator.comparingInt(edits).thenComparing(Comparator.naturalOrder()))
        .filter(best -> edits.applyAsInt(best) <= Math.max(2, best.length() / 3));
  }

  /** The Levenshtein distance. */
  private static int edits(String a, String b) {
    var previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      var current = new int[b.length() + 1];
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replaced, 1 + Math.min(previous[j], current[j - 1]));
      }
      previous = current;
    }
    return previous[b.length()];
  }
}
