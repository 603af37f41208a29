package dev.sequitur.persistence.serialization;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.TransactionId;
import java.io.IOException;

/** An {@link IntentKey} as the key of a map, which is one text; elsewhere it has its two fields. */
final class IntentKeyAsText {
  private static final char BETWEEN = '/';

  private IntentKeyAsText() {}

  static Module module() {
    var module = new SimpleModule("sequitur-intent-keys");
    module.addKeySerializer(IntentKey.class, new Writer());
    module.addKeyDeserializer(IntentKey.class, new Reader());
    return module;
  }

  private static final class Writer extends JsonSerializer<IntentKey> {
    @Override
    public void serialize(IntentKey key, JsonGenerator generator, SerializerProvider provider)
        throws IOException {
      generator.writeFieldName(
          key.transaction().toString() + BETWEEN + key.commitment().value().toString());
    }
  }

  private static final class Reader extends KeyDeserializer {
    @Override
    public Object deserializeKey(String text, DeserializationContext context) throws IOException {
      int between = text.indexOf(BETWEEN);
      try {
        return new IntentKey(
            TransactionId.parse(text.substring(0, between)),
            new SenderCommitment(Hash.hex(text.substring(between + 1))));
      } catch (IllegalArgumentException | StringIndexOutOfBoundsException e) {
        return context.handleWeirdKey(IntentKey.class, text, "no key of an intent");
      }
    }
  }
}
