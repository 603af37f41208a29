package dev.sequitur.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionId;
import java.util.regex.Pattern;

/**
 * The formats of strings. What parses one throws IllegalArgumentException with a sentence for the
 * caller.
 */
public final class Formats {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final String ADDRESS_TYPE = "a string of 0x and 40 hexadecimal digits";
  private static final Pattern HASH_DIGITS = Pattern.compile("(0x)?[0-9a-fA-F]{64}");
  private static final Pattern HEX_NUMBER = Pattern.compile("0x[0-9a-fA-F]{1,15}");
  private static final Pattern DECIMAL_NUMBER = Pattern.compile("[0-9]{1,18}");
  private static final Pattern PRINTABLE = Pattern.compile("\\P{Cntrl}{1,256}");

  public static final Format<String> TEXT =
      Format.plain("a string", "string", JsonNode::isTextual, JsonNode::textValue, NODES::textNode);

  public static final Format<Boolean> BOOLEAN =
      Format.plain(
          "true or false",
          "boolean",
          JsonNode::isBoolean,
          JsonNode::booleanValue,
          NODES::booleanNode);

  /** An object whose fields are another's to explain, such as a domain's. */
  public static final Format<JsonNode> OBJECT =
      Format.plain("an object", "object", JsonNode::isObject, node -> node, node -> node);

  /** Any JSON. */
  public static final Format<JsonNode> ANY =
      Format.of(Shape.ANY.type(), Shape.ANY, (path, node) -> node);

  /** From 0 to 2^63 - 1. */
  public static final Format<Long> NUMBER =
      Format.of(
          "a whole number, or a string of 0x and hexadecimal digits",
          Shape.of("a whole number", Formats::numberSchema, NODES::numberNode),
          Formats::numberOf);

  /** A number of things that are held in memory. */
  public static final Format<Integer> COUNT =
      Format.of(
          "a whole number from 0 to " + Integer.MAX_VALUE,
          Shape.of("a whole number", Formats::numberSchema, NODES::numberNode),
          Formats::countOf);

  public static final Format<String> NAME =
      Format.of("a string of 1 to 256 characters", "alice", Formats::name);

  public static final Format<TransactionId> TRANSACTION_ID =
      Format.of("a UUID in a string", "6f1c6f0e-0000-4000-8000-000000000001", TransactionId::parse);

  public static final Format<ContractAddress> ADDRESS =
      Format.of(ADDRESS_TYPE, "0x1111111111111111111111111111111111111111", ContractAddress::new);

  /** The address of a signing key. */
  public static final Format<LedgerAddress> SIGNER =
      Format.of(ADDRESS_TYPE, "0x1111111111111111111111111111111111111111", LedgerAddress::new);

  public static final Format<Hash> HASH =
      Format.of(
          "a string of 0x and 64 hexadecimal digits",
          "0x582967534d0f909d196b97f9e6921342777aea87b46fa52df165389db1fb8ccf",
          Formats::hash);

  public static final Format<Verifier> VERIFIER =
      Format.of(
          "a public key, 0x and 66 hexadecimal digits",
          "0x0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
          text -> new Verifier(Bytes.hex(text)));

  public static final Shape<Object> NODE = Shape.words("the name of a node", "node1");
  public static final Shape<Object> IDENTITY = Shape.words("an identity", "alice@node1");
  public static final Shape<Object> TIME =
      Shape.words("a time by RFC 3339 in UTC", "2026-11-21T10:00:00Z");

  public static final Shape<Object> UUID =
      Shape.words("a UUID", "6f1c6f0e-0000-4000-8000-000000000001");

  private static final String HEX_DIGITS = "0x and hexadecimal digits";

  /** Bytes, as 0x and hexadecimal digits, however many. */
  public static final Format<Bytes> HEX =
      Format.of(HEX_DIGITS, Shape.words(HEX_DIGITS, "0x00").of(Bytes::toHex), Formats::hexOf);

  private Formats() {}

  public static Hash hash(String text) {
    if (!HASH_DIGITS.matcher(text).matches()) {
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

  private static Bytes hexOf(String path, JsonNode node) {
    if (!node.isTextual()) {
      throw Format.wrongType(path, HEX_DIGITS, node);
    }
    try {
      return Bytes.hex(node.textValue());
    } catch (IllegalArgumentException e) {
      throw wrong(path + " must be " + HEX_DIGITS + ".");
    }
  }

  static Unreadable wrong(String sentence) {
    return Unreadable.wrongType(sentence);
  }

  private static ObjectNode numberSchema() {
    var schema = JsonText.object();
    schema.putArray("type").add("integer").add("string");
    return schema.put("minimum", 0).put("pattern", "^([0-9]{1,18}|0x[0-9a-fA-F]{1,15})$");
  }

  private static Long numberOf(String path, JsonNode node) {
    return numberUpTo(Long.MAX_VALUE, path, node);
  }

  private static Integer countOf(String path, JsonNode node) {
    return (int) numberUpTo(Integer.MAX_VALUE, path, node);
  }

  private static long numberUpTo(long most, String path, JsonNode node) {
    var number = node.isTextual() ? Format.parse(path, node.textValue(), Formats::number) : null;
    if (number == null && node.isIntegralNumber() && node.canConvertToLong()) {
      number = node.longValue();
    }
    if (number != null && number >= 0 && number <= most) {
      return number;
    } else if (number != null || node.isNumber()) {
      throw Unreadable.wrongType(path + " must be a whole number from 0 to " + most + ".");
    }
    throw Format.wrongType(path, NUMBER.type(), node);
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
