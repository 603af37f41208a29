package dev.sequitur.node.rpc.query;

/**
 * SQL's LIKE: {@code %} for any characters, {@code _} for one. No regular expression, since a
 * pattern of a stranger must not take exponential time: this takes at most pattern times text
 * steps.
 */
final class LikePattern {
  private LikePattern() {}

  static boolean matches(String pattern, String text) {
    int p = 0;
    int t = 0;
    int lastPercent = -1;
    int resumeAt = 0;
    while (t < text.length()) {
      if (p < pattern.length() && pattern.charAt(p) == '%') {
        lastPercent = p++;
        resumeAt = t;
      } else if (p < pattern.length() && matchesOne(pattern.charAt(p), text.charAt(t))) {
        p++;
        t++;
      } else if (lastPercent >= 0) {
        p = lastPercent + 1;
        t = ++resumeAt;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '%') {
      p++;
    }
    return p == pattern.length();
  }

  private static boolean matchesOne(char pattern, char character) {
    return pattern == '_' || pattern == character;
  }
}
