package dev.sequitur.protocol.id;

/**
 * How the texts of ids are spelt, by loops: ids are made with every message that is read, and
 * regular expressions were felt there.
 */
final class Spelling {
  private Spelling() {}

  /**
   * Whether {@code text} is 1 to {@code most} letters, digits or {@code marks}, all ASCII, and
   * starts with a letter or digit.
   */
  static boolean isName(String text, int most, String marks) {
    if (text.isEmpty() || text.length() > most || !isLetterOrDigit(text.charAt(0))) {
      return false;
    }
    for (int i = 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!isLetterOrDigit(c) && marks.indexOf(c) < 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean isLetterOrDigit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }

  /** Whether {@code text} is {@code 0x} and so many lower-case hexadecimal digits. */
  static boolean isHex(String text, int digits) {
    if (text.length() != digits + 2 || !text.startsWith("0x")) {
      return false;
    }
    for (int i = 2; i < text.length(); i++) {
      char c = text.charAt(i);
      if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
        return false;
      }
    }
    return true;
  }
}
