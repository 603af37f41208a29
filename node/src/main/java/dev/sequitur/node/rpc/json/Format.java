package dev.sequitur.node.rpc.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.node.rpc.RpcFailure;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A shape that is read, too: what is wrong with a caller's value is refused with a sentence that
 * names its path and this type.
 *
 * @param type with its article, as refusals and the reference say it
 * @param reader of a value that stands at the path; throws {@link RpcFailure}
 */
public record Format<T>(
    String type,
    Supplier<ObjectNode> schema,
    BiFunction<String, JsonNode, T> reader,
    Function<T, JsonNode> writer)
    implements Shape<T> {
  /**
   * A string in a format of at most 512 characters.
   *
   * @param example for the reader of the schema
   * @param parser throws IllegalArgumentException with a sentence for the caller
   */
  public static <T> Format<T> of(String type, String example, Function<String, T> parser) {
    var written = Shape.words(type, example);
    return new Format<>(
        type,
        () -> written.schema(Map.of()),
        (path, node) -> {
          if (!node.isTextual()) {
            throw Fields.wrongType(path, type, node);
          }
          return Fields.parse(path, node.textValue(), parser);
        },
        written::write);
  }

  /** One of JSON's own types. */
  static <T> Format<T> plain(
      String type,
      String name,
      Predicate<JsonNode> is,
      Function<JsonNode, T> as,
      Function<T, JsonNode> writer) {
    return new Format<>(
        type,
        () -> JsonText.object().put("type", name),
        (path, node) -> {
          if (!is.test(node)) {
            throw Fields.wrongType(path, type, node);
          }
          return as.apply(node);
        },
        writer);
  }

  /**
   * @throws RpcFailure if it is of another type or format
   */
  public T read(String path, JsonNode node) {
    return reader.apply(path, node);
  }

  @Override
  public JsonNode write(T value) {
    return writer.apply(value);
  }

  @Override
  public ObjectNode schema(Map<String, ObjectNode> named) {
    return schema.get();
  }
}
