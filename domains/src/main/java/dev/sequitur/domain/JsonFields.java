package dev.sequitur.domain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import java.math.BigInteger;
import java.util.List;
import java.util.function.Function;

/**
 * The fields of one JSON object, read strictly: none is unknown and each has its type. Of what a
 * program has written, or a group is configured with; what functions take is declared by a {@link
 * PrivateFunction}.
 */
public final class JsonFields {
  private static final int MOST_DIGITS = 78;
  private static final int HASH_CHARACTERS = 66;

  private final String what;
  private final JsonNode object;

  /**
   * @param what the subject of the sentences, such as "The inputs of transfer"
   * @throws RuleViolation if {@code value} is no object or has a field that is not allowed
   */
  public JsonFields(JsonNode value, String what, List<String> allowed) {
    this.what = what;
    this.object = value;
    RuleViolation.unless(
        value.isObject(), () -> what + " must be a JSON object with " + listed(allowed) + ".");
    for (var names = value.fieldNames(); names.hasNext(); ) {
      RuleViolation.unless(
          allowed.contains(names.next()),
          () -> what + " have a field that is not known; known are " + listed(allowed) + ".");
    }
  }

  private static String listed(List<String> names) {
    return names.isEmpty() ? "no fields" : "'" + String.join("', '", names) + "'";
  }

  public boolean has(String name) {
    return object.has(name);
  }

  public JsonNode required(String name) {
    var value = object.get(name);
    RuleViolation.unless(value != null, () -> what + " lack '" + name + "'.");
    return value;
  }

  public String text(String name) {
    var value = required(name);
    RuleViolation.unless(value.isTextual(), () -> what + " need '" + name + "' as a string.");
    return value.textValue();
  }

  public Identity identity(String name) {
    return identity(name, Identity::parse);
  }

  /**
   * @param reading reads an identity; throws IllegalArgumentException if it is none
   */
  public Identity identity(String name, Function<String, Identity> reading) {
    try {
      return reading.apply(text(name));
    } catch (IllegalArgumentException e) {
      throw new RuleViolation(what + " need '" + name + "' as an identity, written name@node.");
    }
  }

  /** Whether something holds; {@code otherwise} if nothing is said. */
  public boolean flag(String name, boolean otherwise) {
    if (!has(name)) {
      return otherwise;
    }
    var value = required(name);
    RuleViolation.unless(value.isBoolean(), () -> what + " need '" + name + "' as true or false.");
    return value.booleanValue();
  }

  /**
   * A whole number of at most 78 digits, as a JSON number or as a string of digits; in a string
   * too, as JSON writes it: there is one spelling of each.
   */
  public BigInteger wholeNumber(String name) {
    var value = required(name);
    if (value.isTextual() && isWholeNumber(value.textValue())) {
      return new BigInteger(value.textValue());
    }
    RuleViolation.unless(
        value.isIntegralNumber(),
        () ->
            what
                + " need '"
                + name
                + "' as a whole number of at most 78 digits without leading zeros, a JSON number or a"
                + " string of digits.");
    return value.bigIntegerValue();
  }

  /** Loops: a regular expression is slow, and each state that is checked has such fields. */
  public static boolean isWholeNumber(String text) {
    int first = text.startsWith("-") ? 1 : 0;
    if (text.length() == first || text.length() > first + MOST_DIGITS) {
      return false;
    }
    if (text.charAt(first) == '0' && text.length() > 1) {
      return false;
    }
    for (int i = first; i < text.length(); i++) {
      if (!isDigit(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  TokenAmount amount(String name) {
    var value = wholeNumber(name);
    RuleViolation.unless(
        TokenAmount.isValid(value), () -> what + " need '" + name + "' between 1 and 2^256 - 1.");
    return new TokenAmount(value);
  }

  public Hash hash(String name) {
    var text = text(name);
    RuleViolation.unless(isHash(text), () -> what + " need '" + name + "' as 0x and 64 digits.");
    return Hash.hex(text);
  }

  public static boolean isHash(String text) {
    if (text.length() != HASH_CHARACTERS || !text.startsWith("0x")) {
      return false;
    }
    for (int i = 2; i < HASH_CHARACTERS; i++) {
      char c = text.charAt(i);
      if (!isDigit(c) && (c < 'a' || c > 'f')) {
        return false;
      }
    }
    return true;
  }
}
