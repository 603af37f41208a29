package dev.sequitur.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.sequitur.protocol.id.Utf8;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Map;

/**
 * Reads the JSON of strangers and writes ours. Strict, since what two readers understand
 * differently must not be signed or hashed: no duplicate fields, nothing after the value, no NaN,
 * no half surrogate pairs; nesting and the length of numbers are bounded.
 */
public final class JsonText {
  /** How deep arrays and objects may be nested. */
  public static final int MAX_DEPTH = 64;

  /** Characters of one number; a 256-bit amount has 78 digits. */
  public static final int MAX_NUMBER_LENGTH = 128;

  /** Characters of the name of one field. */
  public static final int MAX_NAME_LENGTH = 1_024;

  /** Some programs open a text with it; it is no part of the JSON. */
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(MAX_DEPTH)
                          .maxNumberLength(MAX_NUMBER_LENGTH)
                          .maxNameLength(MAX_NAME_LENGTH)
                          .build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                  // Names come from callers: interning them would let strangers fill a table.
                  .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          // An id of 1.50 goes back as 1.50.
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private JsonText() {}

  public static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /**
   * @throws Unreadable with a sentence that names the place but quotes nothing
   */
  public static JsonNode parse(byte[] utf8) {
    var text = decode(utf8);
    JsonNode node;
    try {
      node = MAPPER.readTree(text);
    } catch (StreamConstraintsException e) {
      throw tooComplex();
    } catch (JsonProcessingException e) {
      throw malformed(e);
    } catch (NumberFormatException | ArithmeticException e) {
      throw new Unreadable(
          Unreadable.Flaw.NO_JSON,
          "The body holds a number whose exponent is too large to be read. Send a smaller one.");
    }
    if (node == null || node.isMissingNode()) {
      throw new Unreadable(
          Unreadable.Flaw.NO_JSON, "The body is empty. Send a JSON-RPC 2.0 request.");
    }
    if (mayHoldEscapedSurrogates(text) && holdsHalfSurrogates(node)) {
      throw new Unreadable(
          Unreadable.Flaw.NO_JSON,
          "A string holds half a surrogate pair (\\ud800 to \\udfff). Escape both halves, or send"
              + " the character as UTF-8.");
    }
    return node;
  }

  /** The same for text that another part of the node has stored, which is well-formed. */
  public static JsonNode parse(String json) {
    return parse(Utf8.encode(json));
  }

  public static byte[] write(JsonNode node) {
    try {
      return MAPPER.writeValueAsBytes(node);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("A JSON tree could not be written.", e);
    }
  }

  /**
   * @throws UncheckedIOException of what the stream throws
   */
  public static void write(JsonNode node, OutputStream to) {
    try {
      MAPPER.writeValue(to, node);
    } catch (IOException e) {
      throw new UncheckedIOException("A JSON tree could not be written.", e);
    }
  }

  /** The same, written once however often it is answered. */
  public static JsonNode once(JsonNode node) {
    return JsonNodeFactory.instance.rawValueNode(
        new RawValue(new SerializedString(new String(write(node), StandardCharsets.UTF_8))));
  }

  /**
   * The text, before anything reads JSON in it: the parser would guess at UTF-16 and UTF-32, and
   * take overlong forms and encoded surrogates, so that two spellings would be one key.
   */
  private static String decode(byte[] utf8) {
    String text;
    try {
      text = Utf8.decode(utf8);
    } catch (IllegalArgumentException e) {
      throw notUtf8();
    }
    if (text.indexOf(0) >= 0) {
      // No JSON holds it as it is, but UTF-16 and UTF-32 are full of it.
      throw notUtf8();
    }
    return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
  }

  private static Unreadable notUtf8() {
    return new Unreadable(
        Unreadable.Flaw.NO_JSON, "The body is not JSON in UTF-8. Check how it is encoded.");
  }

  private static Unreadable malformed(JsonProcessingException e) {
    if (e.getOriginalMessage().startsWith("Duplicate field")) {
      return new Unreadable(
          Unreadable.Flaw.DUPLICATE_FIELD,
          "An object names the same field twice, at" + place(e) + ". Send each field once.");
    }
    return new Unreadable(
        Unreadable.Flaw.NO_JSON,
        "The body is not JSON: it cannot be read on from" + place(e) + ". Correct it there.");
  }

  private static Unreadable tooComplex() {
    return new Unreadable(
        Unreadable.Flaw.TOO_COMPLEX,
        "The JSON is nested deeper than %d levels, or holds a number of more than %d characters or a name of more than %d. Simplify it."
            .formatted(MAX_DEPTH, MAX_NUMBER_LENGTH, MAX_NAME_LENGTH));
  }

  private static String place(JsonProcessingException e) {
    JsonLocation location = e.getLocation();
    return location == null
        ? " some place"
        : " line " + location.getLineNr() + ", column " + location.getColumnNr();
  }

  private static boolean mayHoldEscapedSurrogates(String text) {
    return text.contains("\\ud") || text.contains("\\uD");
  }

  private static boolean holdsHalfSurrogates(JsonNode node) {
    if (node.isTextual()) {
      return !Utf8.isWhole(node.textValue());
    }
    for (Iterator<Map.Entry<String, JsonNode>> fields = node.fields(); fields.hasNext(); ) {
      var field = fields.next();
      if (!Utf8.isWhole(field.getKey()) || holdsHalfSurrogates(field.getValue())) {
        return true;
      }
    }
    if (node.isArray()) {
      for (var element : node) {
        if (holdsHalfSurrogates(element)) {
          return true;
        }
      }
    }
    return false;
  }
}
