package dev.sequitur.node.rpc.query;

/**
 * SQL's LIKE: {@code %} for any characters, {@code _} for one, a backslash before one of these (or
 * another backslash) for just that. No regular expression, since a pattern of a stranger must not
 * take exponential time: this takes at most pattern times text steps.
 */
final class LikePattern {
  private static final char ESCAPE = '\\';

  private LikePattern() {}

  static boolean matches(String pattern, String text) {
    int p = 0;
    int t = 0;
    int afterPercent = -1;
    int resumeAt = 0;
    while (t < text.length()) {
      if (p < pattern.length() && pattern.charAt(p) == '%') {
        afterPercent = ++p;
        resumeAt = t;
      } else if (p < pattern.length() && matchesOne(pattern, p, text.charAt(t))) {
        p += isEscape(pattern, p) ? 2 : 1;
        t++;
      } else if (afterPercent >= 0) {
        p = afterPercent;
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

  private static boolean matchesOne(String pattern, int at, char character) {
    return isEscape(pattern, at)
        ? pattern.charAt(at + 1) == character
        : pattern.charAt(at) == '_' || pattern.charAt(at) == character;
  }

  /** A last backslash stands for itself. */
  private static boolean isEscape(String pattern, int at) {
    return pattern.charAt(at) == ESCAPE && at + 1 < pattern.length();
  }
}
