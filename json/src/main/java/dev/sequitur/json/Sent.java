package dev.sequitur.json;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** An object that a caller sent: each of its fields has been read by its format. Immutable. */
public final class Sent {
  private final ObjectFormat format;
  private final String path;
  private final JsonNode object;
  private final Map<Field<?>, Object> values;

  Sent(ObjectFormat format, String path, JsonNode object, Map<Field<?>, Object> values) {
    this.format = format;
    this.path = path;
    this.object = object;
    this.values = Map.copyOf(values);
  }

  /**
   * The value of a field that must be sent, or has a value without.
   *
   * @throws IllegalStateException if the object was declared without such a field
   */
  public <T> T get(Field<T> field) {
    return find(field).or(field::standard).orElseThrow();
  }

  /** The value of a field, if it was sent. */
  @SuppressWarnings("unchecked") // Each value was read by its own field.
  public <T> Optional<T> find(Field<T> field) {
    if (!format.fields().contains(field)) {
      throw new IllegalStateException(format.name() + " has no field " + field.name() + ".");
    }
    return Optional.ofNullable((T) values.get(field));
  }

  public boolean has(Field<?> field) {
    return find(field).isPresent();
  }

  /** Where the object stands, such as {@code params[0]}. */
  public String path() {
    return path;
  }

  public String path(Field<?> field) {
    return path + "." + field.name();
  }

  /** As it came. */
  public JsonNode object() {
    return object;
  }

  /**
   * @param sentence goes on after the object's path
   */
  public Unreadable wrong(String sentence) {
    return Unreadable.wrongType(path + sentence);
  }

  /**
   * @param sentence goes on after the field's path
   */
  public Unreadable wrong(Field<?> field, String sentence) {
    return Unreadable.wrongType(path(field) + sentence);
  }

  /**
   * What would be ignored would mean something else than its caller believes.
   *
   * @throws Refused if one of the others was sent, which make no sense beside the first
   */
  public void refuseBeside(Field<?> first, Field<?>... others) {
    Stream.of(others)
        .filter(this::has)
        .findFirst()
        .ifPresent(
            other -> {
              throw wrong(other, " means nothing beside " + first.name() + ": leave one out.");
            });
  }

  /** A path without the name that a parameter's has, for what stands within. */
  static String place(String path) {
    return path.endsWith(")") ? path.substring(0, path.lastIndexOf(" (")) : path;
  }
}
