package dev.sequitur.protocol.id;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Text as bytes and back, without loss. The JDK's own {@code getBytes} writes half a surrogate pair
 * as a question mark, and its {@code new String} reads what is no UTF-8 as a replacement character:
 * two texts would become one, and what is stored would not be what was given.
 */
public final class Utf8 {
  private Utf8() {}

  /**
   * @throws IllegalArgumentException if the text holds half a surrogate pair
   */
  public static byte[] encode(String text) {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    // Mostly it is ASCII, which is told faster than by looking at each character.
    boolean isAscii =
        bytes.length == text.length() && new String(bytes, StandardCharsets.US_ASCII).equals(text);
    if (!isAscii && !isWhole(text)) {
      throw new IllegalArgumentException(
          "A text holds half a surrogate pair. Send whole characters only.");
    }
    return bytes;
  }

  /**
   * @throws IllegalArgumentException if the bytes are not UTF-8: overlong forms and encoded
   *     surrogates are not
   */
  public static String decode(byte[] bytes) {
    var text = new String(bytes, StandardCharsets.UTF_8);
    // What was replaced comes back as other bytes.
    if (text.indexOf('\uFFFD') >= 0
        && !Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes)) {
      throw new IllegalArgumentException("The bytes are not UTF-8. Check how they are encoded.");
    }
    return text;
  }

  /** Whether no half of a surrogate pair stands alone, so that the text can be encoded. */
  public static boolean isWhole(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (!Character.isSurrogate(text.charAt(i))) {
        continue;
      }
      if (i + 1 == text.length()
          || !Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1))) {
        return false;
      }
      i++;
    }
    return true;
  }
}
