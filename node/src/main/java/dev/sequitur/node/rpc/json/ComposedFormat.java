package dev.sequitur.node.rpc.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;

/** A format that is put together of what it does. */
record ComposedFormat<T>(
    String type,
    BiFunction<String, JsonNode, T> reader,
    BiConsumer<JsonNode, BiConsumer<Field.Mention, String>> teller,
    Function<T, JsonNode> writer,
    Function<Map<String, ObjectNode>, ObjectNode> schema)
    implements Format<T> {
  @Override
  public T read(String path, JsonNode node) {
    return reader.apply(path, node);
  }

  @Override
  public void tell(JsonNode sent, BiConsumer<Field.Mention, String> told) {
    teller.accept(sent, told);
  }

  @Override
  public JsonNode write(T value) {
    return writer.apply(value);
  }

  @Override
  public ObjectNode schema(Map<String, ObjectNode> named) {
    return schema.apply(named);
  }
}
