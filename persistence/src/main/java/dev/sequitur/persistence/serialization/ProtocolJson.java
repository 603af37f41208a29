package dev.sequitur.persistence.serialization;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;

/**
 * The same values as {@link ProtocolCbor} writes, as JSON that a person can read: bytes as
 * hexadecimal digits, times as in RFC 3339. Whatever is private in a value is in the text too.
 * Thread-safe; expensive to make, to be shared.
 */
public final class ProtocolJson {
  private final ObjectMapper mapper;

  /** Knows what every module on the class path contributes. */
  public ProtocolJson() {
    this(SchemaRegistry.load());
  }

  public ProtocolJson(SchemaRegistry registry) {
    this.mapper = Mappers.json(registry);
  }

  /** In one line. */
  public String encode(Object value) {
    try {
      return mapper.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw unencodable(value, e);
    }
  }

  /** In several lines, indented. */
  public String encodeIndented(Object value) {
    try {
      return mapper.writer(SerializationFeature.INDENT_OUTPUT).writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw unencodable(value, e);
    }
  }

  /** As a tree, to be made a part of a larger answer. */
  public JsonNode tree(Object value) {
    return mapper.valueToTree(value);
  }

  /**
   * @throws DecodingException if the text is no value of that type; safe to log
   */
  public <T> T decode(String text, Class<T> type) {
    try {
      return mapper.readValue(text, type);
    } catch (JsonProcessingException e) {
      throw Faults.decoding(type, e);
    }
  }

  private static IllegalArgumentException unencodable(Object value, JsonProcessingException e) {
    return new IllegalArgumentException(
        "A value of " + value.getClass().getName() + " cannot be encoded.", e);
  }
}
