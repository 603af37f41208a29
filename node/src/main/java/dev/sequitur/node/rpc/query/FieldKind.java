package dev.sequitur.node.rpc.query;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.rpc.json.Fields;
import dev.sequitur.node.rpc.json.Formats;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Locale;

/** How the values of a field are written in a query and compared. */
public enum FieldKind {
  /** Compared character by character. */
  TEXT("a string"),
  /** Ids, hashes and addresses: letters in either case. */
  ID("a string"),
  NUMBER("a whole number, or a string of 0x and hexadecimal digits"),
  /** RFC 3339. */
  TIME("a string such as 2026-11-21T10:00:00Z"),
  BOOLEAN("true or false");

  private final String expected;

  FieldKind(String expected) {
    this.expected = expected;
  }

  /**
   * @return comparable with the values of a field of this kind
   * @throws dev.sequitur.node.rpc.RpcFailure if the value is of another type or format
   */
  Comparable<?> read(String path, JsonNode value) {
    return switch (this) {
      case TEXT -> Fields.text(path, value);
      case ID -> Fields.text(path, value).toLowerCase(Locale.ROOT);
      case NUMBER -> readNumber(path, value);
      case TIME -> Fields.parse(path, Fields.text(path, value), FieldKind::instant);
      case BOOLEAN -> readBoolean(path, value);
    };
  }

  private Long readNumber(String path, JsonNode value) {
    if (value.isTextual()) {
      return Fields.parse(path, value.textValue(), Formats::number);
    }
    if (value.isIntegralNumber() && value.canConvertToLong()) {
      return value.longValue();
    }
    throw Fields.wrongType(path, expected, value);
  }

  private Boolean readBoolean(String path, JsonNode value) {
    if (!value.isBoolean()) {
      throw Fields.wrongType(path, expected, value);
    }
    return value.booleanValue();
  }

  private static Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "A time is written by RFC 3339 in UTC, such as 2026-11-21T10:00:00Z.", e);
    }
  }
}
