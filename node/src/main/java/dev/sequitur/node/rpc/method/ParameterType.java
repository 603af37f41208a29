package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.Fields;
import dev.sequitur.node.rpc.json.Formats;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.TransactionId;

/** The types a parameter can have: what is expected, in words, and how it is checked. */
public enum ParameterType {
  TEXT("a string"),
  NAME("a string of 1 to 256 characters"),
  TRANSACTION_ID("a UUID in a string"),
  ADDRESS("a string of 0x and 40 hexadecimal digits"),
  HASH("a string of 0x and 64 hexadecimal digits"),
  NUMBER("a whole number, or a string of 0x and hexadecimal digits"),
  BOOLEAN("true or false"),
  OBJECT("an object"),
  ARRAY("an array");

  private final String expected;

  ParameterType(String expected) {
    this.expected = expected;
  }

  public String expected() {
    return expected;
  }

  /**
   * @param path the parameter by place and name, for the message
   * @throws RpcFailure if the value has another type or format
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
    if (!fits && this == NUMBER && value.isNumber()) {
      throw new RpcFailure(
          ErrorCode.WRONG_TYPE, path + " must be a whole number from 0 to 9223372036854775807.");
    } else if (!fits) {
      throw Fields.wrongType(path, expected, value);
    }
    if (value.isTextual() && this != TEXT) {
      Fields.parse(path, value.textValue(), this::parse);
    }
  }

  private Object parse(String text) {
    return switch (this) {
      case NAME -> Formats.name(text);
      case TRANSACTION_ID -> TransactionId.parse(text);
      case ADDRESS -> new ContractAddress(text);
      case HASH -> Formats.hash(text);
      case NUMBER -> Formats.number(text);
      case TEXT, BOOLEAN, OBJECT, ARRAY -> text;
    };
  }

  private static boolean isWholeNumber(JsonNode value) {
    return value.isIntegralNumber() && value.canConvertToLong() && value.longValue() >= 0;
  }
}
