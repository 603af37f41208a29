package dev.sequitur.node.rpc.json;

import dev.sequitur.protocol.id.Hash;
import java.util.regex.Pattern;

/**
 * The formats of strings that the protocol's own parsers do not explain to a caller. Each throws
 * IllegalArgumentException with a sentence for the caller.
 */
public final class Formats {
  private static final Pattern HASH = Pattern.compile("(0x)?[0-9a-fA-F]{64}");
  private static final Pattern HEX_NUMBER = Pattern.compile("0x[0-9a-fA-F]{1,15}");
  private static final Pattern DECIMAL_NUMBER = Pattern.compile("[0-9]{1,18}");
  private static final Pattern PRINTABLE = Pattern.compile("\\P{Cntrl}{1,256}");

  private Formats() {}

  public static Hash hash(String text) {
    if (!HASH.matcher(text).matches()) {
      throw new IllegalArgumentException("A hash is 0x and 64 hexadecimal digits.");
    }
    return Hash.hex(text);
  }

  /** A whole number that is not negative, decimal or as {@code 0x} and hexadecimal digits. */
  public static long number(String text) {
    if (HEX_NUMBER.matcher(text).matches()) {
      return Long.parseLong(text, 2, text.length(), 16);
    }
    if (DECIMAL_NUMBER.matcher(text).matches()) {
      return Long.parseLong(text);
    }
    throw new IllegalArgumentException(
        "A number in a string is decimal digits, or 0x and hexadecimal digits.");
  }

  /** A name or key that a caller chose: short, not empty, nothing that a database refuses. */
  public static String name(String text) {
    if (!PRINTABLE.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "A name or key has 1 to 256 characters and no control characters.");
    }
    return text;
  }
}
