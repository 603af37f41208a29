package dev.sequitur.json;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.function.BiConsumer;

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
  private final Optional<Mention> mention;

  private Field(String name, Format<T> format, boolean required, Optional<T> standard, String doc) {
    this(name, format, required, standard, doc, Optional.empty());
  }

  private Field(
      String name,
      Format<T> format,
      boolean required,
      Optional<T> standard,
      String doc,
      Optional<Mention> mention) {
    this.name = name;
    this.format = format;
    this.required = required;
    this.standard = standard;
    this.doc = doc;
    this.mention = mention;
  }

  /** What a caller names that must be granted to it, or that is written down of a call. */
  public enum Mention {
    /** As whom the call acts: a name, with its node or without. */
    IDENTITY,
    QUEUE,
    /** As which account of a queue the call acts, or at which it looks. */
    ACCOUNT,
    /** A privacy group, by the address of its contract. */
    CONTRACT,
    /** A privacy group, by its id. */
    GROUP,
    /** A member of a group to be made: written down. The method compares all of them. */
    MEMBER,
    /** A transaction, which is one of its privacy group. */
    TRANSACTION,
    /** A schedule: written down. Who may see or end it, the schedule says. */
    SCHEDULE,
    /** A family of schedules: written down. */
    FAMILY,
    /** A receipt listener: written down. */
    LISTENER,
    /** A description of a contract that its caller has left: written down. */
    DESCRIPTION,
    /** A list of days off, by its name: written down. */
    DAYS
  }

  /** The same; what is sent in it is what a call names. */
  public Field<T> mentions(Mention what) {
    return new Field<>(name, format, required, standard, doc, Optional.of(what));
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
   * Tells what was sent in this field, and in those within, of what is granted by name. Reads
   * nothing else, and refuses nothing: what it cannot read, {@link #read} refuses.
   *
   * @param node null or null of JSON if it was left out
   */
  void tell(JsonNode node, BiConsumer<Mention, String> told) {
    var sent = node == null || node.isNull() ? standard.map(format::write).orElse(null) : node;
    if (sent == null) {
      return;
    }
    if (sent.isTextual()) {
      mention.ifPresent(what -> told.accept(what, sent.textValue()));
    }
    format.tell(sent, told);
  }

  /**
   * @param node null or null of JSON if it was left out
   * @throws Refused if it must not be left out, or is of another type or format
   */
  Optional<T> read(String path, JsonNode node) {
    if (node != null && !node.isNull()) {
      return Optional.of(format.read(path, node));
    } else if (required) {
      throw Unreadable.wrongType("%s is missing: send %s.".formatted(path, format.type()));
    }
    return Optional.empty();
  }
}
