package dev.sequitur.domain;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.protocol.id.Bytes;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;

/**
 * JSON with one encoding for each value, since ids are hashes over it: UTF-8, no white space, the
 * fields of an object in order of their names (by UTF-16 code unit), numbers in plain decimal
 * without exponent and without trailing zeros after the point; in strings only quotation mark,
 * backslash and control characters below 32 are escaped, by one letter if there is one, else by
 * {@code u00} and two upper-case digits. Reading is strict: one value, no field twice, bounded
 * depth and numbers.
 */
public final class CanonicalJson {
  private static final int MAX_DEPTH = 32;
  private static final int MAX_NUMBER_CHARACTERS = 100;
  private static final int MAX_NUMBER_CHARACTERS_READ = 1000;

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(MAX_DEPTH)
                          .maxNumberLength(MAX_NUMBER_CHARACTERS_READ)
                          .build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private CanonicalJson() {}

  public static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /**
   * @param what the subject of the sentence if it is none, such as "The inputs"
   * @throws RuleViolation if it is no JSON value or larger than {@code maxBytes}
   */
  public static JsonNode read(Bytes content, int maxBytes, String what) {
    RuleViolation.unless(
        content.size() <= maxBytes,
        () -> what + " must be at most " + maxBytes + " bytes of JSON.");
    JsonNode value;
    try {
      var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content.toByteArray()));
      value = MAPPER.readTree(text.toString());
    } catch (CharacterCodingException e) {
      throw new RuleViolation(what + " must be JSON in UTF-8.");
    } catch (JsonProcessingException | NumberFormatException e) {
      throw new RuleViolation(what + " must be one JSON value with each field at most once.");
    }
    RuleViolation.unless(!value.isMissingNode(), () -> what + " must be JSON; there is nothing.");
    check(value, what);
    return value;
  }

  public static Bytes write(JsonNode value) {
    // By characters: to bytes, Jackson's versions differ in how they write what lies beyond U+FFFF.
    var out = new StringWriter();
    try (var generator = MAPPER.createGenerator(out)) {
      write(generator, value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Bytes.utf8(out.toString());
  }

  /** The value as it reads after it was written. */
  static JsonNode normalized(JsonNode value) {
    return read(write(value), Integer.MAX_VALUE, "The value");
  }

  private static void check(JsonNode value, String what) {
    if (value.isNumber()) {
      // The scale first: a few characters may stand for a number that fills the memory.
      RuleViolation.unless(
          Math.abs((long) value.decimalValue().scale()) <= MAX_NUMBER_CHARACTERS
              && plain(value).length() <= MAX_NUMBER_CHARACTERS,
          () -> what + " may hold numbers of at most " + MAX_NUMBER_CHARACTERS + " characters.");
    } else if (value.isTextual()) {
      checkText(value.textValue(), what);
    }
    value.fieldNames().forEachRemaining(name -> checkText(name, what));
    value.elements().forEachRemaining(element -> check(element, what));
  }

  private static void checkText(String text, String what) {
    RuleViolation.unless(
        isWhole(text),
        () -> what + " may hold whole Unicode characters only, no half of a surrogate pair.");
  }

  private static boolean isWhole(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        boolean pair = i + 1 < text.length() && Character.isSurrogatePair(c, text.charAt(i + 1));
        if (!pair) {
          return false;
        }
        i++;
      }
    }
    return true;
  }

  private static void write(JsonGenerator generator, JsonNode value) throws IOException {
    if (value.isObject()) {
      var fields = new TreeMap<String, JsonNode>();
      value.properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
      generator.writeStartObject();
      for (var field : fields.entrySet()) {
        generator.writeFieldName(field.getKey());
        write(generator, field.getValue());
      }
      generator.writeEndObject();
    } else if (value.isArray()) {
      generator.writeStartArray();
      for (var element : value) {
        write(generator, element);
      }
      generator.writeEndArray();
    } else if (value.isNumber()) {
      generator.writeNumber(plain(value));
    } else if (value.isTextual()) {
      generator.writeString(value.textValue());
    } else if (value.isBoolean()) {
      generator.writeBoolean(value.booleanValue());
    } else if (value.isNull()) {
      generator.writeNull();
    } else {
      throw new IllegalArgumentException("No JSON value: " + value.getNodeType());
    }
  }

  private static String plain(JsonNode number) {
    return number.isIntegralNumber()
        ? number.bigIntegerValue().toString()
        : number.decimalValue().stripTrailingZeros().toPlainString();
  }
}
