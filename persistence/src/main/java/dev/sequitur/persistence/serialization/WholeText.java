package dev.sequitur.persistence.serialization;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.deser.std.StringDeserializer;
import dev.sequitur.protocol.id.Utf8;
import java.io.IOException;

/**
 * Reads texts that can be written again. Jackson takes encoded surrogates for characters, and then
 * refuses to write them: another node could send what no journal takes.
 */
final class WholeText extends StdScalarDeserializer<String> {
  private static final long serialVersionUID = 1L;

  WholeText() {
    super(String.class);
  }

  @Override
  public String deserialize(JsonParser parser, DeserializationContext context) throws IOException {
    return checked(StringDeserializer.instance.deserialize(parser, context), parser);
  }

  /** Where a text is read without this. */
  static String checked(String text, JsonParser parser) throws JsonParseException {
    if (text != null && !Utf8.isWhole(text)) {
      throw new JsonParseException(parser, "half a surrogate pair");
    }
    return text;
  }
}
