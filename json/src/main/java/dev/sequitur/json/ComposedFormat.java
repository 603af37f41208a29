package dev.sequitur.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/** A format that is put together of what it does. */
record ComposedFormat<T>(
    String type,
    Shape<? super T> written,
    BiFunction<String, JsonNode, T> reader,
    BiConsumer<JsonNode, BiConsumer<Field.Mention, String>> teller)
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
    return written.write(value);
  }

  @Override
  public ObjectNode schema(Map<String, ObjectNode> named) {
    return written.schema(named);
  }
}
