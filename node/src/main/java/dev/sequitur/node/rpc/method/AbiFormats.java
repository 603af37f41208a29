package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.ethereum.ContractAbi;
import dev.sequitur.ethereum.ValueFormat;
import dev.sequitur.ethereum.ValueFormat.Digits;
import dev.sequitur.ethereum.ValueFormat.Structure;
import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Formats;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import java.util.Locale;

/** What callers send of ABIs, and of how values that they describe are to be written. */
final class AbiFormats {
  static final Field<JsonNode> ABI =
      Field.of(
          "abi",
          Format.of("an array", Shape.ANY, AbiFormats::readArray),
          "the functions, events and errors, as a compiler writes them");

  private static final Format<String> OPTIONS =
      Format.of(
          "options such as mode=object&number=string",
          Shape.words("options such as mode=object&number=string", "mode=object"),
          AbiFormats::readOptions);

  static final Field<String> RESULT_FORMAT = options("resultFormat");
  static final Field<String> DATA_FORMAT = options("dataFormat");

  private AbiFormats() {}

  private static Field<String> options(String name) {
    return Field.or(
        name,
        OPTIONS,
        "",
        "joined by `&`: `mode` is `object`, `array` or `self-describing`, `number` is `string`, `hex`"
            + " or `json-number`, `bytes` is `hex`, `hex-plain` or `base64`, `address` is `hex`,"
            + " `hex-plain` or `checksum`; the first of each without it");
  }

  /**
   * @throws RpcFailure with a sentence
   */
  static ContractAbi read(Call call, Field<JsonNode> field) {
    try {
      return ContractAbi.read(call.get(field).toString());
    } catch (IllegalArgumentException e) {
      throw new RpcFailure(
          ErrorCode.WRONG_TYPE, call.path(field) + " cannot be read. " + e.getMessage());
    }
  }

  private static JsonNode readArray(String path, JsonNode sent) {
    if (!sent.isArray()) {
      throw new RpcFailure(
          ErrorCode.WRONG_TYPE, path + " must be an array, as a compiler writes it.");
    }
    return sent;
  }

  private static String readOptions(String path, JsonNode sent) {
    var text = Formats.TEXT.read(path, sent);
    of(path, text);
    return text;
  }

  /** What {@link #DATA_FORMAT} or {@link #RESULT_FORMAT} asks for. */
  static ValueFormat of(String options) {
    return of("", options);
  }

  private static ValueFormat of(String path, String options) {
    var format = ValueFormat.STANDARD;
    for (var option : options.split("&", -1)) {
      if (!option.isEmpty()) {
        format = with(format, path, option);
      }
    }
    return format;
  }

  /** {@code -0x} is another name of hex; answers have no white space, whatever is said of it. */
  private static ValueFormat with(ValueFormat format, String path, String option) {
    return switch (option.toLowerCase(Locale.ROOT).replaceFirst("=hex-0x$", "=hex")) {
      case "mode=object" -> format.withStructure(Structure.OBJECT);
      case "mode=array" -> format.withStructure(Structure.ARRAY);
      case "mode=self-describing" -> format.withStructure(Structure.SELF_DESCRIBING);
      case "number=string" -> format.withNumber(Digits.DECIMAL);
      case "number=hex" -> format.withNumber(Digits.HEX);
      case "number=json-number" -> format.withNumber(Digits.JSON_NUMBER);
      case "bytes=hex" -> format.withBytes(Digits.HEX);
      case "bytes=hex-plain" -> format.withBytes(Digits.HEX_PLAIN);
      case "bytes=base64" -> format.withBytes(Digits.BASE64);
      case "address=hex" -> format.withAddress(Digits.HEX);
      case "address=hex-plain" -> format.withAddress(Digits.HEX_PLAIN);
      case "address=checksum" -> format.withAddress(Digits.CHECKSUM);
      case "pretty", "pretty=true", "pretty=false" -> format;
      default ->
          throw new RpcFailure(
              ErrorCode.UNSUPPORTED,
              "%s has '%s', which is no way to write values: mode is object, array or self-describing, number is string, hex or json-number, bytes is hex, hex-plain or base64, address is hex, hex-plain or checksum."
                  .formatted(path, option.length() > 64 ? option.substring(0, 64) : option));
    };
  }
}
