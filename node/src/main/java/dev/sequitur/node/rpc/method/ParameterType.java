package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.rpc.json.Fields;
import dev.sequitur.node.rpc.json.Formats;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.TransactionId;
import java.util.function.Function;

/** The types a parameter can have: what is expected, in words, and how it is checked. */
public enum ParameterType {
  TEXT("a string", name -> name),
  NAME("a string of 1 to 256 characters", Formats::name),
  TRANSACTION_ID("a UUID in a string", TransactionId::parse),
  ADDRESS("a string of 0x and 40 hexadecimal digits", ContractAddress::new),
  HASH("a string of 0x and 64 hexadecimal digits", Formats::hash),
  NUMBER("a whole number, or a string of 0x and hexadecimal digits", Formats::number),
  BOOLEAN("true or false", null),
  OBJECT("an object", null),
  ARRAY("an array", null);

  private final String expected;
  private final Function<String, ?> parser;

  ParameterType(String expected, Function<String, ?> parser) {
    this.expected = expected;
    this.parser = parser;
  }

  public String expected() {
    return expected;
  }

  /**
   * @param path the parameter by place and name, for the message
   * @throws dev.sequitur.node.rpc.RpcFailure if the value has another type or format
   */
  void check(String path, JsonNode value) {
    boolean fits =
        switch (this) {
          case BOOLEAN -> value.isBoolean();
          case OBJECT -> value.isObject();
          case ARRAY -> value.isArray();
          case NUMBER -> value.isTextual() || isWholeNumber(value);
          case TEXT, NAME, TRANSACTION_ID, ADDRESS, HASH -> value.isTextual();
        };
    if (!fits) {
      throw Fields.wrongType(path, expected, value);
    }
    if (value.isTextual() && this != TEXT) {
      Fields.parse(path, value.textValue(), parser);
    }
  }

  private static boolean isWholeNumber(JsonNode value) {
    return value.isIntegralNumber() && value.canConvertToLong() && value.longValue() >= 0;
  }
}
