package dev.sequitur.json;

import static java.util.stream.Collectors.toCollection;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A shape that is read, too: what is wrong with a caller's value is refused with a sentence that
 * names its path and this type.
 */
public interface Format<T> extends Shape<T> {
  /** The longest text of a short format: an id, a name, an address. */
  int MAX_FORMATTED = 512;

  /**
   * @param path where the value stands, such as {@code params[0].to}
   * @throws Refused if it is of another type or format
   */
  T read(String path, JsonNode node);

  /** Tells what stands within a value of what is granted by name. */
  default void tell(JsonNode sent, BiConsumer<Field.Mention, String> told) {}

  /** The same, telling what is within as another one does, which reads the parts of it. */
  default Format<T> telling(Format<?> parts) {
    return telling(parts::tell);
  }

  /** The same, telling what its values name; what cannot be read names nothing and is refused. */
  default Format<T> naming(BiConsumer<T, BiConsumer<Field.Mention, String>> names) {
    return telling(
        (node, told) -> {
          T value;
          try {
            value = read("", node);
          } catch (Refused e) {
            return;
          }
          names.accept(value, told);
        });
  }

  private Format<T> telling(BiConsumer<JsonNode, BiConsumer<Field.Mention, String>> parts) {
    return new ComposedFormat<>(type(), this, this::read, parts);
  }

  /** As {@link #tell}, of each element of an array. */
  private void tellEach(JsonNode sent, BiConsumer<Field.Mention, String> told) {
    if (sent.isArray()) {
      sent.forEach(element -> tell(element, told));
    }
  }

  /**
   * @param type with its article, as refusals and the reference say it
   * @param written how such values are written, and their schema
   * @param reader throws {@link Refused}
   */
  static <T> Format<T> of(
      String type, Shape<? super T> written, BiFunction<String, JsonNode, T> reader) {
    return new ComposedFormat<>(type, written, reader, (sent, told) -> {});
  }

  /**
   * A string in a format of at most 512 characters, written as the text of the value.
   *
   * @param example for the reader of the schema
   * @param parser throws IllegalArgumentException with a sentence for the caller
   */
  static <T> Format<T> of(String type, String example, Function<String, T> parser) {
    return ofText(type, Shape.words(type, example), parser);
  }

  /** The same, written in its own way. */
  static <T> Format<T> ofText(String type, Shape<? super T> written, Function<String, T> parser) {
    return of(
        type,
        written,
        (path, node) -> {
          if (!node.isTextual()) {
            throw wrongType(path, type, node);
          }
          return parse(path, node.textValue(), parser);
        });
  }

  /**
   * A word out of a list: the schema has them all, and so has the refusal of another one.
   *
   * @param words at least one
   */
  static Format<String> among(Collection<String> words) {
    var type = quoted(words);
    return of(
        type,
        Shape.among(words),
        (path, node) -> {
          if (!node.isTextual()) {
            throw wrongType(path, type, node);
          } else if (!words.contains(node.textValue())) {
            throw Unreadable.wrongType(path + " must be " + type + ".");
          }
          return node.textValue();
        });
  }

  /** As a sentence lists what stands in JSON. */
  private static String quoted(Collection<String> words) {
    var most = words.stream().map(word -> "\"" + word + "\"").collect(toCollection(ArrayList::new));
    var last = most.remove(most.size() - 1);
    return most.isEmpty() ? last : String.join(", ", most) + " or " + last;
  }

  /** One of JSON's own types. */
  static <T> Format<T> plain(
      String type,
      String name,
      Predicate<JsonNode> is,
      Function<JsonNode, T> as,
      Function<T, JsonNode> writer) {
    return of(
        type,
        Shape.of(type, () -> JsonText.object().put("type", name), writer),
        (path, node) -> {
          if (!is.test(node)) {
            throw wrongType(path, type, node);
          }
          return as.apply(node);
        });
  }

  /** One that has itself within. */
  static <T> Format<T> later(String type, Supplier<? extends Format<T>> format) {
    return new ComposedFormat<>(
        type,
        Shape.composed(
            type, named -> format.get().schema(named), value -> format.get().write(value)),
        (path, node) -> format.get().read(path, node),
        (sent, told) -> format.get().tell(sent, told));
  }

  /** Another type that is read from this one, and written as it. */
  default <S> Format<S> as(Function<T, S> read, Function<S, T> written) {
    return Format.<S>of(type(), of(written), (path, node) -> read.apply(read(path, node)))
        .telling(this);
  }

  /** An array of at most so many. */
  default Format<List<T>> list(int most) {
    return list(0, most);
  }

  /** An array of so many. */
  default Format<List<T>> list(int least, int most) {
    Shape<List<? extends T>> written = list();
    Format<List<T>> array =
        of(
            written.type(),
            written,
            (path, node) -> {
              if (!node.isArray()) {
                throw wrongType(path, written.type(), node);
              }
              var place = Sent.place(path);
              if (node.size() < least || node.size() > most) {
                var wanted = least == 0 ? "at most " + most : least + " to " + most;
                throw Unreadable.wrongType(
                    "%s has %d elements; send %s.".formatted(place, node.size(), wanted));
              }
              var values = new ArrayList<T>(node.size());
              for (var element : node) {
                values.add(read(place + "[" + values.size() + "]", element));
              }
              return List.copyOf(values);
            });
    return array.telling(this::tellEach);
  }

  /** The same, for a method that looks at something else before it reads this. */
  default Format<JsonNode> unread() {
    return Format.<JsonNode>of(
            type(), Shape.composed(type(), this::schema, node -> node), (path, node) -> node)
        .telling(this);
  }

  /** Reads a text of a short format. */
  static <T> T parse(String path, String text, Function<String, T> parser) {
    if (text.length() > MAX_FORMATTED) {
      throw Unreadable.wrongType(
          "%s has %d characters; send at most %d.".formatted(path, text.length(), MAX_FORMATTED));
    }
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw Unreadable.wrongType(path + " cannot be read. " + e.getMessage());
    }
  }

  static Unreadable wrongType(String path, String expected, JsonNode actual) {
    return Unreadable.wrongType("%s must be %s, not %s.".formatted(path, expected, nameOf(actual)));
  }

  /** What a JSON value is, with its article, for messages. */
  static String nameOf(JsonNode node) {
    return switch (node.getNodeType()) {
      case OBJECT -> "an object";
      case ARRAY -> "an array";
      case STRING -> "a string";
      case NUMBER -> "a number";
      case BOOLEAN -> "a boolean";
      case NULL -> "null";
      case BINARY, MISSING, POJO -> "nothing";
    };
  }
}
