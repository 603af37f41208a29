package dev.sequitur.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigInteger;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * How the values of one type stand in JSON: what writes them, and the JSON Schema that says what is
 * written. {@link Format} reads too, {@link ObjectShape} has fields.
 */
public interface Shape<T> {
  /** Any JSON: another's to explain, such as a domain's data. */
  Shape<JsonNode> ANY = of("any JSON", JsonText::object, json -> json);

  Shape<Number> NUMBER =
      of(
          "a number",
          () -> JsonText.object().put("type", "integer"),
          number ->
              switch (number) {
                case BigInteger all -> JsonNodeFactory.instance.numberNode(all);
                default -> JsonNodeFactory.instance.numberNode(number.longValue());
              });

  /** What it is, with its article: "a string". */
  String type();

  JsonNode write(T value);

  /**
   * Its JSON Schema.
   *
   * @param named gets the schemas of objects that have a name, by it: the answer refers to them
   */
  ObjectNode schema(Map<String, ObjectNode> named);

  /** A shape that refers to no other. */
  static <T> Shape<T> of(String type, Supplier<ObjectNode> schema, Function<T, JsonNode> writer) {
    return composed(type, named -> schema.get(), writer);
  }

  /** A shape of its own kind. */
  static <T> Shape<T> composed(
      String type,
      Function<Map<String, ObjectNode>, ObjectNode> schema,
      Function<T, JsonNode> writer) {
    return new Shape<>() {
      @Override
      public String type() {
        return type;
      }

      @Override
      public JsonNode write(T value) {
        return writer.apply(value);
      }

      @Override
      public ObjectNode schema(Map<String, ObjectNode> named) {
        return schema.apply(named);
      }
    };
  }

  /**
   * One of several, as a sealed type has them.
   *
   * @param writer chooses: a switch over the type, each case of which writes by its shape
   */
  static <T> Shape<T> oneOf(List<Shape<?>> alternatives, Function<T, JsonNode> writer) {
    return composed(
        "an object",
        named -> {
          var schema = JsonText.object();
          var choices = schema.putArray("oneOf");
          alternatives.forEach(each -> choices.add(each.schema(named)));
          return schema;
        },
        writer);
  }

  /** Strings: what {@link Object#toString} of the values says. */
  static Shape<Object> words(String type, String example) {
    return of(
        type,
        () -> {
          var schema = JsonText.object().put("type", "string").put("title", type);
          schema.putArray("examples").add(example);
          return schema;
        },
        value -> JsonNodeFactory.instance.textNode(value.toString()));
  }

  /**
   * A word out of a list: the schema has them all.
   *
   * @param words at least one
   */
  static Shape<String> among(Collection<String> words) {
    return of(
        words.size() == 1 ? "\"" + words.iterator().next() + "\"" : "a word",
        () -> {
          var schema = JsonText.object().put("type", "string");
          words.forEach(schema.putArray("enum")::add);
          return schema;
        },
        JsonNodeFactory.instance::textNode);
  }

  /**
   * A constant of an enumeration: the schema has the words of all.
   *
   * @param word how one is written
   */
  static <E extends Enum<E>> Shape<E> among(Class<E> constants, Function<? super E, String> word) {
    return among(Stream.of(constants.getEnumConstants()).<String>map(word).toList()).of(word);
  }

  /** Another type that is written as a part or a view of it is. */
  default <S> Shape<S> of(Function<? super S, ? extends T> view) {
    return composed(type(), this::schema, value -> write(view.apply(value)));
  }

  default Shape<List<? extends T>> list() {
    return composed(
        "an array",
        named -> JsonText.object().put("type", "array").set("items", schema(named)),
        values -> {
          var array = JsonNodeFactory.instance.arrayNode(values.size());
          values.forEach(value -> array.add(write(value)));
          return array;
        });
  }

  /** An object whose names are not fixed, each with a value of this shape. */
  default Shape<Map<String, ? extends T>> byName() {
    return composed(
        "an object",
        named -> JsonText.object().put("type", "object").set("additionalProperties", schema(named)),
        values -> {
          var json = JsonText.object();
          values.forEach((name, value) -> json.set(name, write(value)));
          return json;
        });
  }

  /** The same, or null if there is none. */
  default Shape<Optional<? extends T>> orNull() {
    return composed(
        type() + ", or null",
        named -> {
          var schema = JsonText.object();
          schema.putArray("oneOf").add(schema(named)).addObject().put("type", "null");
          return schema;
        },
        value -> value.<JsonNode>map(this::write).orElse(NullNode.instance));
  }
}
