package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.ethereum.ContractAbi;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.Field;
import dev.sequitur.node.rpc.json.Format;
import dev.sequitur.node.rpc.json.Formats;
import dev.sequitur.node.rpc.json.Shape;
import java.util.Set;

/** What callers send of ABIs, and of how values that they describe are to be written. */
final class AbiFormats {
  static final Field<JsonNode> ABI =
      Field.of(
          "abi",
          Format.of("an array", Shape.ANY, AbiFormats::readArray),
          "the functions, events and errors, as a compiler writes them");

  /** The one way in which values are written here, option by option. */
  private static final Set<String> AS_HERE =
      Set.of(
          "mode=object",
          "number=string",
          "bytes=hex",
          "bytes=hex-0x",
          "address=hex",
          "address=hex-0x",
          "pretty=true",
          "pretty=false");

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
        "`mode=object`, `number=string`, `bytes=hex-0x`, `address=hex-0x`, as they are without it:"
            + " all others are refused");
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
    for (var option : text.split("&", -1)) {
      if (!option.isEmpty() && !AS_HERE.contains(option)) {
        throw new RpcFailure(
            ErrorCode.UNSUPPORTED,
            "%s asks for values as they are not written here: objects by name, numbers as decimal digits, bytes and addresses in hex. Leave it out."
                .formatted(path));
      }
    }
    return text;
  }
}
