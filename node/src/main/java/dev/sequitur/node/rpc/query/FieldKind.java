package dev.sequitur.node.rpc.query;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.rpc.json.Format;
import dev.sequitur.node.rpc.json.Formats;
import dev.sequitur.node.rpc.json.Shape;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Locale;

/** How the values of a field are written in a query and compared. */
public enum FieldKind {
  /** Compared character by character. */
  TEXT(Formats.TEXT),
  /** Ids, hashes and addresses: letters in either case. */
  ID(
      Format.of(
          "a string",
          Formats.TEXT,
          (path, value) -> Formats.TEXT.read(path, value).toLowerCase(Locale.ROOT))),
  NUMBER(
      Format.of(
          "a whole number, or a string of 0x and hexadecimal digits",
          Shape.NUMBER,
          FieldKind::number)),
  /** RFC 3339. */
  TIME(
      Format.of(
          "a string such as 2026-11-21T10:00:00Z", "2026-11-21T10:00:00Z", FieldKind::instant)),
  BOOLEAN(Formats.BOOLEAN);

  private final Format<? extends Comparable<?>> format;

  FieldKind(Format<? extends Comparable<?>> format) {
    this.format = format;
  }

  /** Its values are comparable with those of a field of this kind. */
  Format<? extends Comparable<?>> format() {
    return format;
  }

  /** Also below zero, where nothing is. */
  private static Long number(String path, JsonNode value) {
    return value.isIntegralNumber() && value.canConvertToLong()
        ? (Long) value.longValue()
        : Formats.NUMBER.read(path, value);
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
