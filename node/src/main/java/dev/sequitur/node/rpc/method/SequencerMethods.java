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
    return List.of(getCoordinator(), getStatus(), traceTransaction(), resumeTransaction());
  }

  private RpcMethod getCoordinator() {
    return new RpcMethod(
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
                    context.node().coordinator(contract).thenApply(SequencerJson::coordinator)));
  }

  private RpcMethod getStatus() {
    return new RpcMethod(
        "sequencer_getStatus",
        List.of(CONTRACT),
        "what is in flight for the contract on this node; or null",
        "The states of its transactions as sender and as coordinator, the locks, what depends on"
            + " what, who waits for whom, and the heartbeats seen.",
        true,
        call ->
            ofGroup(
                call.address(0),
                contract -> context.node().status(contract).thenApply(SequencerJson::status)));
  }

  private RpcMethod traceTransaction() {
    return new RpcMethod(
        "sequencer_traceTransaction",
        List.of(
            ID,
            Parameter.optional("format", ParameterType.TEXT, "`data` (default) or `mermaid`"),
            Parameter.optional(
                "heartbeats",
                ParameterType.BOOLEAN,
                "false leaves heartbeats out, of which there are many (default: true)")),
        "`{messages, silent, leftOut}`, or the text of a diagram",
        "The messages about a transaction, put together from what this node and the other members"
            + " of the committee have seen, no effect before its cause: clocks of different nodes"
            + " are not compared, so `time` may go back. `seenBy` names who says so; who lies may"
            + " say anything of its own part. `silent` names the members that did not answer"
            + " within three seconds, `leftOut` counts messages that a node had no room for. Who"
            + " gets new states is shown only to the sender and to those that sent or got them."
            + " Older traces are forgotten; then there are no messages.",
        true,
        this::trace);
  }

  private RpcMethod resumeTransaction() {
    return new RpcMethod(
        "sequencer_resumeTransaction",
        List.of(ID),
        "whether it was parked",
        "Lets a parked transaction go on.",
        true,
        call -> context.node().resume(call.transactionId(0)).thenApply(BooleanNode::valueOf));
  }

  private CompletionStage<JsonNode> ofGroup(
      ContractAddress contract,
      Function<ContractAddress, CompletionStage<? extends JsonNode>> answer) {
    return context.node().group(contract).isEmpty()
        ? CompletableFuture.completedFuture(NullNode.instance)
        : answer.apply(contract).thenApply(Function.identity());
  }

  private CompletionStage<JsonNode> trace(Call call) {
    var format = call.optionalText(1).orElse("data");
    if (!format.equals("data") && !format.equals("mermaid")) {
      throw new RpcFailure(
          ErrorCode.WRONG_TYPE, call.path(1) + " must be \"data\" or \"mermaid\".");
    }
    return context
        .node()
        .trace(call.transactionId(0))
        .thenApply(
            all -> {
              var trace = call.has(2) && !call.flag(2) ? all.withoutHeartbeats() : all;
              return format.equals("data")
                  ? SequencerJson.trace(trace)
                  : TextNode.valueOf(MermaidSequence.render(trace));
            });
  }
}
