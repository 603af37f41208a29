package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Formats;
import dev.sequitur.json.Shape;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.sender.SenderTable;
import dev.sequitur.trace.MermaidSequence;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Ours: what no other system shows of the protocol at work. */
record SequencerMethods(NodeContext context) {
  private static final Field<ContractAddress> CONTRACT =
      Field.of("contract", Formats.ADDRESS, "the group's contract")
          .mentions(Field.Mention.CONTRACT);
  private static final String DATA = "data";
  private static final Field<String> FORMAT =
      Field.or(
          "format",
          Format.among(List.of(DATA, "mermaid")),
          DATA,
          "`mermaid` for the text of a diagram (default: data)");
  private static final Field<Boolean> HEARTBEATS =
      Field.optional(
          "heartbeats",
          Formats.BOOLEAN,
          "false leaves heartbeats out, of which there are many (default: true)");

  private static final Field<Boolean> REBUILD =
      Field.optional(
          "rebuild",
          Formats.BOOLEAN,
          "whether what differs is to be made what the ledger shows (default: false)");

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.reading(
            "sequencer_getCoordinator",
            List.of(CONTRACT),
            SequencerShapes.COORDINATOR.orNull(),
            "who coordinates, with the whole ranking; or null",
            "Which node coordinates a contract now by this node's knowledge, and for each member of"
                + " the committee why it does or does not.",
            call -> ofGroup(call.get(CONTRACT), context.node()::coordinator)),
        RpcMethod.reading(
            "sequencer_getRing",
            List.of(CONTRACT),
            SequencerShapes.RING.orNull(),
            "the ring, with the present range of blocks and the nine that follow; or null",
            "By which ring a contract's coordinator is chosen: the positions of each member and the"
                + " points of ranges of blocks, on a circle of 2^64, in decimal digits. `ranking` is"
                + " who coordinates in a range if all are available: the member with a position"
                + " nearest to the point, in either direction. It changes when a range ends.",
            call -> ofGroup(call.get(CONTRACT), context.node()::ring)),
        RpcMethod.reading(
            "sequencer_getStatus",
            List.of(CONTRACT),
            SequencerShapes.STATUS.orNull(),
            "what is in flight for the contract on this node; or null",
            "The states of its transactions as sender and as coordinator, the locks, what depends"
                + " on what, who waits for whom, and the heartbeats seen. Of each kind some, with"
                + " how many there are: ptx_queryPendingTransactions lists those of this node's callers.",
            call -> ofGroup(call.get(CONTRACT), context.node()::status)),
        RpcMethod.reading(
            "sequencer_where",
            List.of(CONTRACT),
            JvmMethods.WHEREABOUTS,
            "`{awake, silent}`",
            "In which JVM of the node what works for a contract is in memory, by its kind, and since"
                + " when. What is idle is not in memory, and comes back where its shard is.",
            call -> context.node().jvms().where(call.get(CONTRACT))),
        RpcMethod.reading(
            "sequencer_getGas",
            List.of(CONTRACT),
            SequencerShapes.GAS.orNull(),
            "the money for gas of the contract's key, and what it has paid; or null",
            "What this node pays for gas with when it submits for the contract. What was refused by"
                + " the ledger has cost `paidForReverted`. `status` is ENOUGH, RUNS_OUT,"
                + " FEES_TOO_HIGH or WAITS_FOR_GAS_MONEY, of this key alone; `sentence` says what to do. Amounts are in"
                + " the ledger's smallest unit. Where gas costs nothing there is enough.",
            call -> ofGroup(call.get(CONTRACT), context.node()::gas)),
        RpcMethod.reading(
            "sequencer_traceTransaction",
            List.of(TransactionMethods.ID, FORMAT, HEARTBEATS),
            Shape.oneOf(List.of(SequencerShapes.TRACE, Formats.TEXT), Function.identity()),
            "`{messages, silent, leftOut}`, or the text of a diagram",
            "The messages about a transaction, put together from what this node and the other"
                + " members of the committee have seen, no effect before its cause: clocks of"
                + " different nodes are not compared, so `time` may go back. `seenBy` names who"
                + " says so; who lies may say anything of its own part. `silent` names the members"
                + " that did not answer within three seconds, `leftOut` counts messages that a node"
                + " had no room for, or that this node's release does not know. Who gets new states is shown only to the sender and to those"
                + " that sent or got them. Older traces are forgotten; then there are no messages.",
            this::trace),
        RpcMethod.reading(
            "sequencer_getStates",
            List.of(),
            SequencerShapes.MOVE.list(),
            "an array of `{from, event, to, note}`",
            "How a private transaction may go from state to state, as its sender sees it: each event"
                + " that moves it, in each state. It is the same for every transaction.",
            call -> CompletableFuture.completedFuture(SenderTable.moves())),
        RpcMethod.of(
            MethodGroup.OPERATE,
            "sequencer_resumeTransaction",
            List.of(TransactionMethods.ID),
            Formats.BOOLEAN,
            "whether it was parked",
            "Lets a parked transaction go on.",
            call -> context.node().resume(call.get(TransactionMethods.ID))),
        RpcMethod.of(
            MethodGroup.OPERATE,
            "sequencer_compareLedger",
            List.of(CONTRACT, REBUILD),
            SequencerShapes.COMPARISON.orNull(),
            "how far it is; or null if this node is not in the group",
            "Begins to compare all that this node holds of a group with all blocks of the ledger,"
                + " unless that is under way: unspent states, and outcomes of its own transactions."
                + " What differs stops the group on this node. `rebuild` makes it what the ledger"
                + " shows, with contents that this node has kept; others are asked for from the"
                + " other members. Then the group goes on. sequencer_getLedgerComparison tells how"
                + " far it is.",
            call ->
                ofGroup(
                    call.get(CONTRACT),
                    contract ->
                        context
                            .node()
                            .compareWithLedger(contract, call.find(REBUILD).orElse(false)))),
        RpcMethod.reading(
            "sequencer_getLedgerComparison",
            List.of(CONTRACT),
            SequencerShapes.COMPARISON.orNull(),
            "how far it is, or what it has found; or null",
            "What became of the last sequencer_compareLedger of a group since the node was started.",
            call ->
                Answers.ifThere(
                        context.node().group(call.get(CONTRACT)),
                        group -> context.node().comparison(call.get(CONTRACT)))
                    .thenApply(found -> found.flatMap(Function.identity()))));
  }

  private <T> CompletionStage<Optional<T>> ofGroup(
      ContractAddress contract, Function<ContractAddress, CompletionStage<T>> answer) {
    return Answers.ifThere(context.node().group(contract), group -> answer.apply(contract));
  }

  private CompletionStage<JsonNode> trace(Call call) {
    return context
        .node()
        .trace(call.get(TransactionMethods.ID))
        .thenApply(
            all -> {
              var trace = call.find(HEARTBEATS).orElse(true) ? all : all.withoutHeartbeats();
              return call.get(FORMAT).equals(DATA)
                  ? SequencerShapes.TRACE.write(trace)
                  : Formats.TEXT.write(MermaidSequence.render(trace));
            });
  }
}
