package dev.sequitur.node.rpc.query;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Format;
import dev.sequitur.json.Formats;
import dev.sequitur.json.Shape;
import java.math.BigInteger;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** How the values of a field are written in a query and compared. */
public enum FieldKind {
  /** Compared character by character. */
  TEXT(Formats.TEXT, Formats.TEXT, Formats.NAME, Formats.NODE, Formats.IDENTITY),
  /** Ids, hashes and addresses: letters in either case. */
  ID(
      Format.of(
          "a string",
          Formats.TEXT,
          (path, value) -> Formats.TEXT.read(path, value).toLowerCase(Locale.ROOT)),
      Formats.HASH,
      Formats.ADDRESS,
      Formats.TRANSACTION_ID,
      Formats.UUID,
      Formats.HEX),
  NUMBER(
      Format.of(
          "a whole number, or a string of 0x and hexadecimal digits",
          Shape.NUMBER,
          FieldKind::number),
      Shape.NUMBER),
  /** A whole number of any size. */
  AMOUNT(
      Format.of(
          "a whole number, or a string of decimal digits or of 0x and hexadecimal digits",
          Shape.words("a whole number", "100"),
          FieldKind::amount)),
  /** RFC 3339, or as many seconds, milliseconds or nanoseconds since 1970 as their size tells. */
  TIME(
      Format.of(
          "a string such as 2026-11-21T10:00:00Z, or a whole number since 1970",
          Formats.TIME.of(time -> time),
          FieldKind::time),
      Formats.TIME),
  BOOLEAN(Formats.BOOLEAN, Formats.BOOLEAN);

  private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,78}");
  private static final Pattern HEX = Pattern.compile("0x[0-9a-fA-F]{1,64}");
  private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,18}");
  private static final long MILLISECONDS_FROM = 10_000_000_000L;
  private static final long NANOSECONDS_FROM = 1_000_000_000_000_000L;
  private static final long NANOSECONDS_A_SECOND = 1_000_000_000L;

  private final Format<? extends Comparable<?>> format;
  private final List<Shape<?>> shapes;

  /**
   * @param shapes in which values of this kind are shown
   */
  FieldKind(Format<? extends Comparable<?>> format, Shape<?>... shapes) {
    this.format = format;
    this.shapes = List.of(shapes);
  }

  /** Of what is shown in a shape. */
  static FieldKind of(Shape<?> shape) {
    return Stream.of(values())
        .filter(kind -> kind.shapes.contains(shape))
        .findFirst()
        .or(() -> Optional.of(TEXT).filter(text -> shape.schema(new TreeMap<>()).has("enum")))
        .orElseThrow(() -> new IllegalStateException("Nobody can ask for " + shape.type() + "."));
  }

  /** What is compared of a value that is shown in a shape of this kind. */
  <V> Comparable<?> compared(Shape<V> shape, V value) {
    return switch (this) {
      case TEXT, ID -> shape.write(value).textValue();
      case NUMBER -> ((Number) value).longValue();
      case AMOUNT -> (BigInteger) value;
      case TIME -> (Instant) value;
      case BOOLEAN -> (Boolean) value;
    };
  }

  /** Its values are comparable with those of a field of this kind. */
  Format<? extends Comparable<?>> format() {
    return format;
  }

  boolean isText() {
    return this == TEXT || this == ID;
  }

  /** Also below zero, where nothing is. */
  private static Long number(String path, JsonNode value) {
    return value.isIntegralNumber() && value.canConvertToLong()
        ? (Long) value.longValue()
        : Formats.NUMBER.read(path, value);
  }

  private static BigInteger amount(String path, JsonNode value) {
    return value.isIntegralNumber()
        ? value.bigIntegerValue()
        : Format.parse(path, Formats.TEXT.read(path, value), FieldKind::amountOf);
  }

  /** What a text says of an amount. */
  public static BigInteger amountOf(String text) {
    if (HEX.matcher(text).matches()) {
      return new BigInteger(text.substring(2), 16);
    }
    if (DECIMAL.matcher(text).matches()) {
      return new BigInteger(text);
    }
    throw new IllegalArgumentException(
        "An amount in a string is at most 78 decimal digits, or 0x and at most 64 hexadecimal digits.");
  }

  private static Instant time(String path, JsonNode value) {
    if (value.isIntegralNumber() && value.canConvertToLong()) {
      return sinceEpoch(value.longValue());
    }
    return Format.parse(path, Formats.TEXT.read(path, value), FieldKind::instant);
  }

  private static Instant instant(String text) {
    if (WHOLE.matcher(text).matches()) {
      return sinceEpoch(Long.parseLong(text));
    }
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "A time is written by RFC 3339, such as 2026-11-21T10:00:00Z.", e);
    }
  }

  private static Instant sinceEpoch(long time) {
    if (time < MILLISECONDS_FROM) {
      return Instant.ofEpochSecond(time);
    }
    return time < NANOSECONDS_FROM
        ? Instant.ofEpochMilli(time)
        : Instant.ofEpochSecond(time / NANOSECONDS_A_SECOND, time % NANOSECONDS_A_SECOND);
  }
}
