package dev.sequitur.json;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * An object and its fields, in the order in which they are written. Immutable: each addition is
 * another shape.
 *
 * @param name under which the reference and the OpenRPC document tell it, once
 */
public record ObjectShape<T>(String name, List<Field<T, ?>> fields) implements Shape<T> {
  /**
   * A field of an object.
   *
   * @param value what is written; the field is left out where it is empty
   * @param always whether no object lacks it
   * @param doc what the reader needs to know beside name and shape; may be empty
   */
  public record Field<T, V>(
      String name, Shape<V> shape, Function<T, Optional<V>> value, boolean always, String doc) {
    private void write(ObjectNode json, T object) {
      value.apply(object).ifPresent(present -> json.set(name, shape.write(present)));
    }

    private <S> Field<S, V> of(Function<S, T> part) {
      return new Field<>(name, shape, object -> value.apply(part.apply(object)), always, doc);
    }

    private <S> Field<S, V> ofSome(Function<S, Optional<T>> part) {
      return new Field<>(name, shape, object -> part.apply(object).flatMap(value), false, doc);
    }
  }

  public ObjectShape {
    fields = List.copyOf(fields);
  }

  /** An object that has no fields yet. */
  public static <T> ObjectShape<T> named(String name) {
    return new ObjectShape<>(name, List.of());
  }

  public <V> ObjectShape<T> with(String field, Shape<V> shape, Function<T, ? extends V> value) {
    return with(field, shape, value, "");
  }

  public <V> ObjectShape<T> with(
      String field, Shape<V> shape, Function<T, ? extends V> value, String doc) {
    return add(
        Stream.of(
            new Field<T, V>(field, shape, object -> Optional.of(value.apply(object)), true, doc)));
  }

  public <V> ObjectShape<T> maybe(
      String field, Shape<V> shape, Function<T, ? extends Optional<? extends V>> value) {
    return maybe(field, shape, value, "");
  }

  /** A field that is left out where there is no value. */
  public <V> ObjectShape<T> maybe(
      String field,
      Shape<V> shape,
      Function<T, ? extends Optional<? extends V>> value,
      String doc) {
    return add(
        Stream.of(
            new Field<T, V>(
                field, shape, object -> value.apply(object).map(some -> some), false, doc)));
  }

  /** A string that is the same in each: what tells alternatives apart. */
  public ObjectShape<T> constant(String field, String text) {
    return with(field, Shape.among(List.of(text)), object -> text);
  }

  /** All fields of another shape, as if they were this one's. */
  public <S> ObjectShape<T> all(ObjectShape<S> other, Function<T, S> part) {
    return add(other.fields().stream().map(field -> field.of(part)));
  }

  /** The same, where the part may be missing, and the fields with it. */
  public <S> ObjectShape<T> allIf(ObjectShape<S> other, Function<T, Optional<S>> part) {
    return add(other.fields().stream().map(field -> field.ofSome(part)));
  }

  private ObjectShape<T> add(Stream<Field<T, ?>> more) {
    return new ObjectShape<>(name, Stream.concat(fields.stream(), more).toList());
  }

  @Override
  public String type() {
    return "an object";
  }

  @Override
  public ObjectNode write(T value) {
    var json = JsonText.object();
    fields.forEach(field -> field.write(json, value));
    return json;
  }

  @Override
  public ObjectNode schema(Map<String, ObjectNode> named) {
    if (!named.containsKey(name)) {
      var schema = JsonText.object().put("type", "object");
      // Before its fields, so that one that refers back to it ends there.
      named.put(name, schema);
      var properties = schema.putObject("properties");
      var required = schema.putArray("required");
      for (var field : fields) {
        var property = field.shape().schema(named);
        if (!field.doc().isEmpty()) {
          property.put("description", field.doc());
        }
        properties.set(field.name(), property);
        if (field.always()) {
          required.add(field.name());
        }
      }
    }
    return JsonText.object().put("$ref", "#/components/schemas/" + name);
  }
}
