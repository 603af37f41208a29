package dev.sequitur.persistence.serialization;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The protocol's values as CBOR, between nodes and on disk. Records are maps by field name, ids are
 * scalars, alternatives carry the name that the specification gives them; fields that are absent or
 * empty are left out, unknown ones ignored (EXC-3). Thread-safe; expensive to make, to be shared.
 */
public final class ProtocolCbor {
  private final ObjectMapper mapper;
  private final ObjectWriter writer;
  // Bounded by the number of classes.
  private final Map<Class<?>, ObjectReader> readers = new ConcurrentHashMap<>();

  /** Knows what every module on the class path contributes. */
  public ProtocolCbor() {
    this(SchemaRegistry.load());
  }

  public ProtocolCbor(SchemaRegistry registry) {
    this(registry, List.of());
  }

  ProtocolCbor(SchemaRegistry registry, List<Module> more) {
    this.mapper = Mappers.cbor(registry, more);
    this.writer = mapper.writer();
  }

  /**
   * @throws IllegalArgumentException if the type is none that can be encoded: a mistake in the
   *     program, never of the value
   */
  public byte[] encode(Object value) {
    try {
      return writer.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "A value of " + value.getClass().getName() + " cannot be encoded.", e);
    }
  }

  /**
   * @param type of the value, or the sealed interface it is one of
   * @throws DecodingException if the bytes are none of that type; safe to log
   */
  public <T> T decode(byte[] bytes, Class<T> type) {
    try {
      return readers.computeIfAbsent(type, mapper::readerFor).readValue(bytes);
    } catch (IOException e) {
      throw Faults.decoding(type, e);
    }
  }

  /** Decodes what an older version of {@code schema} wrote. */
  <T> T decode(byte[] bytes, Schema<T> schema, int version) {
    if (version == schema.version()) {
      return decode(bytes, schema.type());
    }
    try {
      if (!(mapper.readTree(bytes) instanceof ObjectNode old)) {
        throw new DecodingException(schema.name() + " must be a map.");
      }
      return decode(mapper.writeValueAsBytes(schema.upcast(old, version)), schema.type());
    } catch (IOException e) {
      throw Faults.decoding(schema.type(), e);
    }
  }
}
