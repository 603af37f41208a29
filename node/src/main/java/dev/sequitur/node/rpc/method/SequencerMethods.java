package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.method.RpcMethod.Parameter;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.sequencer.trace.MermaidSequence;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Ours: what no other system shows of the protocol at work. */
final class SequencerMethods {
  private static final Parameter CONTRACT =
      Parameter.of("contract", ParameterType.ADDRESS, "the group's contract");
  private static final Parameter ID =
      Parameter.of("id", ParameterType.TRANSACTION_ID, "the transaction's id");

  private final NodeContext context;

  SequencerMethods(NodeContext context) {
    this.context = context;
  }

  List<RpcMethod> methods() {
    return List.of(
        new RpcMethod(
            "sequencer_getCoordinator",
            List.of(CONTRACT),
            "who coordinates, with the whole ranking; or null",
            "Which node coordinates a contract now by this node's knowledge, and for each member of"
                + " the committee why it does or does not.",
            true,
            call ->
                ofGroup(
                    call.address(0),
                    contract ->
                        context
                            .node()
                            .coordinator(contract)
                            .thenApply(SequencerJson::coordinator))),
        new RpcMethod(
            "sequencer_getStatus",
            List.of(CONTRACT),
            "what is in flight for the contract on this node; or null",
            "The states of its transactions as sender and as coordinator, the locks, what depends on"
                + " what, who waits for whom, and the heartbeats seen.",
            true,
            call ->
                ofGroup(
                    call.address(0),
                    contract -> context.node().status(contract).thenApply(SequencerJson::status))),
        new RpcMethod(
            "sequencer_traceTransaction",
            List.of(
                ID,
                Parameter.optional("format", ParameterType.TEXT, "`data` (default) or `mermaid`")),
            "an array of messages, oldest first, or the text of a diagram",
            "Each message of the transaction that this process has seen pass. Older traces are"
                + " forgotten; then there is nothing.",
            true,
            call -> CompletableFuture.completedFuture(trace(call))),
        new RpcMethod(
            "sequencer_resumeTransaction",
            List.of(ID),
            "whether it was parked",
            "Lets a parked transaction go on.",
            true,
            call -> context.node().resume(call.transactionId(0)).thenApply(BooleanNode::valueOf)));
  }

  private CompletionStage<JsonNode> ofGroup(
      ContractAddress contract,
      Function<ContractAddress, CompletionStage<? extends JsonNode>> answer) {
    return context.node().group(contract).isEmpty()
        ? CompletableFuture.completedFuture(NullNode.instance)
        : answer.apply(contract).thenApply(Function.identity());
  }

  private JsonNode trace(Call call) {
    var format = call.optionalText(1).orElse("data");
    var messages = context.node().trace(call.transactionId(0));
    return switch (format) {
      case "data" -> TransactionQueryMethods.list(messages, SequencerJson::message);
      case "mermaid" -> TextNode.valueOf(MermaidSequence.render(messages));
      default ->
          throw new RpcFailure(
              ErrorCode.WRONG_TYPE, call.path(1) + " must be \"data\" or \"mermaid\".");
    };
  }
}
