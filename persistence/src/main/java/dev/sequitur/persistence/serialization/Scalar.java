package dev.sequitur.persistence.serialization;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.math.BigInteger;
import java.util.function.Function;

/**
 * A value that is one scalar of the format instead of an object with fields.
 *
 * @param form how it is written and read
 * @param text how it is written as the key of a map
 * @param parse the inverse of {@code text}
 */
record Scalar<T>(Class<T> type, Form<T> form, Function<T, String> text, Function<String, T> parse) {

  /** The token it is, and what goes into it. */
  interface Form<T> {
    JsonToken token();

    void write(T value, JsonGenerator generator) throws IOException;

    T read(JsonParser parser) throws IOException;
  }

  /** One byte string. */
  record Binary<T>(Function<T, byte[]> bytes, Function<byte[], T> value) implements Form<T> {
    @Override
    public JsonToken token() {
      return JsonToken.VALUE_EMBEDDED_OBJECT;
    }

    @Override
    public void write(T written, JsonGenerator generator) throws IOException {
      generator.writeBinary(bytes.apply(written));
    }

    @Override
    public T read(JsonParser parser) throws IOException {
      return value.apply(parser.getBinaryValue());
    }
  }

  /** One text. */
  record Text<T>(Function<T, String> text, Function<String, T> value) implements Form<T> {
    @Override
    public JsonToken token() {
      return JsonToken.VALUE_STRING;
    }

    @Override
    public void write(T written, JsonGenerator generator) throws IOException {
      generator.writeString(text.apply(written));
    }

    @Override
    public T read(JsonParser parser) throws IOException {
      return value.apply(WholeText.checked(parser.getText(), parser));
    }
  }

  /** One whole number. */
  record Number<T>(Function<T, java.lang.Number> number, Reading<T> reading) implements Form<T> {
    /** Takes the number from where the parser stands. */
    interface Reading<T> {
      T from(JsonParser parser) throws IOException;
    }

    @Override
    public JsonToken token() {
      return JsonToken.VALUE_NUMBER_INT;
    }

    @Override
    public void write(T written, JsonGenerator generator) throws IOException {
      var value = number.apply(written);
      if (value instanceof BigInteger big) {
        generator.writeNumber(big);
      } else {
        generator.writeNumber(value.longValue());
      }
    }

    @Override
    public T read(JsonParser parser) throws IOException {
      return reading.from(parser);
    }
  }

  void addTo(SimpleModule module) {
    module.addSerializer(type, new Writer());
    module.addDeserializer(type, new Reader());
    module.addKeySerializer(type, new KeyWriter());
    module.addKeyDeserializer(type, new KeyReader());
  }

  private final class Writer extends JsonSerializer<T> {
    @Override
    public void serialize(T value, JsonGenerator generator, SerializerProvider provider)
        throws IOException {
      form.write(value, generator);
    }

    @Override
    public void serializeWithType(
        T value, JsonGenerator generator, SerializerProvider provider, TypeSerializer ignored)
        throws IOException {
      form.write(value, generator);
    }
  }

  private final class Reader extends StdScalarDeserializer<T> {
    private static final long serialVersionUID = 1L;

    Reader() {
      super(type);
    }

    @Override
    public T deserialize(JsonParser parser, DeserializationContext context) throws IOException {
      if (parser.currentToken() != form.token()) {
        context.reportWrongTokenException(this, form.token(), "");
      }
      return form.read(parser);
    }
  }

  private final class KeyWriter extends JsonSerializer<T> {
    @Override
    public void serialize(T value, JsonGenerator generator, SerializerProvider provider)
        throws IOException {
      generator.writeFieldName(text.apply(value));
    }
  }

  private final class KeyReader extends KeyDeserializer {
    @Override
    public Object deserializeKey(String key, DeserializationContext context) {
      return parse.apply(key);
    }
  }
}
