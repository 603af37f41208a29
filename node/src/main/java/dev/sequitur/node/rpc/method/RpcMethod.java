package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * One method as a caller sees it, with what answers it.
 *
 * @param returns the result in a few words
 * @param doc what it does, in sentences
 * @param answered false for the acknowledgements, which get no response at all
 */
public record RpcMethod(
    String name,
    List<Parameter> parameters,
    String returns,
    String doc,
    boolean answered,
    Handler handler) {
  public RpcMethod {
    parameters = List.copyOf(parameters);
  }

  /** Answers a call whose parameters have been checked for number and type. */
  @FunctionalInterface
  public interface Handler {
    /**
     * Called on a dispatcher thread: must not block.
     *
     * @return the result, a null node for an unknown object; fails with {@link
     *     dev.sequitur.node.rpc.RpcFailure} or a refusal of the node
     */
    CompletionStage<JsonNode> answer(Call call);
  }

  /** The same, refusing objects with fields that its handler does not ask for. */
  public RpcMethod withKnownFieldsOnly() {
    return new RpcMethod(
        name,
        parameters,
        returns,
        doc,
        answered,
        call -> {
          var answer = handler.answer(call);
          call.refuseUnknownFields();
          return answer;
        });
  }

  /** How many parameters a caller must send. */
  public int required() {
    return (int) parameters.stream().filter(Parameter::required).count();
  }

  /**
   * @param doc what it is, in a few words
   */
  public record Parameter(String name, ParameterType type, boolean required, String doc) {
    public static Parameter of(String name, ParameterType type, String doc) {
      return new Parameter(name, type, true, doc);
    }

    public static Parameter optional(String name, ParameterType type, String doc) {
      return new Parameter(name, type, false, doc);
    }
  }
}
