package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.JsonText;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.port.Answers;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Asks the domain of a group, whichever method names the group. */
final class DomainCalls {
  private DomainCalls() {}

  /**
   * A read-only call to a group's domain.
   *
   * @return fails with {@link RpcFailure} where the caller is mistaken
   */
  static CompletionStage<JsonNode> ask(
      NodeContext context,
      ContractAddress contract,
      Identity from,
      String function,
      JsonNode inputs) {
    return context
        .node()
        .call(contract, from, function, Bytes.of(JsonText.write(inputs)))
        .<JsonNode>handle(
            (result, failure) -> {
              if (failure != null) {
                throw refused(failure);
              }
              return JsonText.parse(result.toByteArray());
            });
  }

  /** What a domain throws at a caller's mistake is a sentence for the caller. */
  private static CompletionException refused(Throwable failure) {
    var cause = Answers.cause(failure);
    return new CompletionException(
        cause instanceof IllegalArgumentException
            ? new RpcFailure(ErrorCode.CALL_REFUSED, cause.getMessage())
            : cause);
  }
}
