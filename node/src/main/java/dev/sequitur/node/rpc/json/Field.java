package dev.sequitur.node.rpc.json;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import java.util.Optional;

/**
 * One value that a caller sends: a parameter of a method, or a field of an object. Declared once,
 * as a constant, by which what was sent is asked: {@code sent.get(PRICE)}. Null counts as left out.
 */
public final class Field<T> {
  private final String name;
  private final Format<T> format;
  private final boolean required;
  private final Optional<T> standard;
  private final String doc;

  private Field(String name, Format<T> format, boolean required, Optional<T> standard, String doc) {
    this.name = name;
    this.format = format;
    this.required = required;
    this.standard = standard;
    this.doc = doc;
  }

  /** One that every caller sends. */
  public static <T> Field<T> of(String name, Format<T> format, String doc) {
    return new Field<>(name, format, true, Optional.empty(), doc);
  }

  /** One that may be left out. */
  public static <T> Field<T> optional(String name, Format<T> format, String doc) {
    return new Field<>(name, format, false, Optional.empty(), doc);
  }

  /**
   * One that may be left out and has a value then.
   *
   * @param standard the value
   */
  public static <T> Field<T> or(String name, Format<T> format, T standard, String doc) {
    return new Field<>(name, format, false, Optional.of(standard), doc);
  }

  public String name() {
    return name;
  }

  public Format<T> format() {
    return format;
  }

  public boolean required() {
    return required;
  }

  /** What it is if it is left out, where that is a value. */
  public Optional<T> standard() {
    return standard;
  }

  /** What it is, in a few words; may be empty. */
  public String doc() {
    return doc;
  }

  /**
   * @param node null or null of JSON if it was left out
   * @throws RpcFailure if it must not be left out, or is of another type or format
   */
  Optional<T> read(String path, JsonNode node) {
    if (node != null && !node.isNull()) {
      return Optional.of(format.read(path, node));
    } else if (required) {
      throw new RpcFailure(
          ErrorCode.WRONG_TYPE, "%s is missing: send %s.".formatted(path, format.type()));
    }
    return Optional.empty();
  }
}
