package dev.sequitur.node.rpc.method;

import static java.util.concurrent.CompletableFuture.completedFuture;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.rehearsal.Fault;
import dev.sequitur.node.rehearsal.Rehearsal;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.Fields;
import dev.sequitur.node.rpc.json.Formats;
import dev.sequitur.node.rpc.json.ObjectShape;
import dev.sequitur.node.rpc.json.Shape;
import dev.sequitur.node.rpc.method.RpcMethod.Parameter;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Faults for a rehearsal, on a node whose configuration allows them. */
final class ChaosMethods {
  private static final int MOST_PEERS = 1_000;
  private static final int MOST_NAMED = 100;
  private static final Parameter<String> TOKEN =
      Parameter.of("token", Formats.TEXT, "`chaos.token` of the node's configuration");

  private static final Parameter<JsonNode> FAULT =
      Parameter.of("fault", Formats.OBJECT, "the fault");

  private static final ObjectShape<Rehearsal.Entry> ENTRY =
      ObjectShape.<Rehearsal.Entry>named("FaultInForce")
          .with("number", Shape.NUMBER, Rehearsal.Entry::number)
          .with("kind", Formats.TEXT, entry -> entry.fault().kind())
          .with("ends", Formats.TIME, Rehearsal.Entry::ends)
          .with("concerned", Shape.NUMBER, Rehearsal.Entry::concerned, "messages");

  private static final ObjectShape<Rehearsal> FAULTS =
      ObjectShape.<Rehearsal>named("Faults")
          .with("faults", ENTRY.list(), Rehearsal::list)
          .with(
              "concerned",
              Shape.NUMBER.byName(),
              Rehearsal::concerned,
              "messages by kind, since the node's start");

  private final NodeContext context;

  ChaosMethods(NodeContext context) {
    this.context = context;
  }

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.of(
            "chaos_setFault",
            List.of(TOKEN, FAULT),
            Shape.NUMBER,
            "the fault's number",
            "Puts a fault in force until it ends by itself. Only if `chaos.enabled` is set. Fields:"
                + " `seconds` (1 to 600), and `kind`: `drop` and `duplicate` (`probability`),"
                + " `delay` (`probability`, `delayMillis`: each message is held back for up to so"
                + " long), each of them with `messages` (as `AssembleRequest`) and `contracts` if"
                + " only those are meant; `partition` (nothing passes, either way); these four with"
                + " `peers` (names; none: all); `ledgerLag` (`blocks` that this node does not see);"
                + " `ledgerRevert` (the next `count` transactions that it submits to `contract`)."
                + " All but a partition act on what this node sends.",
            this::set),
        RpcMethod.of(
            "chaos_listFaults",
            List.of(TOKEN),
            FAULTS,
            "`{faults, concerned}`",
            "The faults in force, and by kind how many messages faults have concerned since the"
                + " node's start.",
            call -> completedFuture(allowed(call))),
        RpcMethod.of(
            "chaos_clearFaults",
            List.of(TOKEN),
            Shape.NUMBER,
            "how many there were",
            "Ends all faults of this node. Messages that were delayed still arrive.",
            call -> completedFuture(allowed(call).clear())));
  }

  private Rehearsal allowed(Call call) {
    var rehearsal =
        context
            .rehearsal()
            .orElseThrow(
                () ->
                    new RpcFailure(
                        ErrorCode.CHAOS_OFF,
                        "This node lets nobody set faults. For a rehearsal set chaos.enabled and"
                            + " chaos.token in its configuration, and restart it."));
    if (!rehearsal.isAllowed(call.get(TOKEN))) {
      throw new RpcFailure(
          ErrorCode.CHAOS_TOKEN,
          "This is not the token of the node: send chaos.token of its configuration.");
    }
    return rehearsal;
  }

  private CompletionStage<Integer> set(Call call) {
    var rehearsal = allowed(call);
    var fields = call.object(FAULT);
    try {
      var lasts = Duration.ofSeconds((long) number(fields, "seconds"));
      return completedFuture(rehearsal.begin(fault(fields), context.node().peers(), lasts));
    } catch (IllegalArgumentException e) {
      throw new RpcFailure(ErrorCode.CHAOS_FAULT, e.getMessage());
    }
  }

  private static Fault fault(Fields fields) {
    Set<NodeName> peers = Set.copyOf(fields.parsedList("peers", MOST_PEERS, NodeName::new));
    var traffic = traffic(peers, fields);
    var kind = fields.requiredText("kind");
    return switch (kind) {
      case "drop" -> new Fault.Drop(traffic, number(fields, "probability"));
      case "delay" ->
          new Fault.Delay(
              traffic,
              number(fields, "probability"),
              Duration.ofMillis((long) number(fields, "delayMillis")));
      case "duplicate" -> new Fault.Duplicate(traffic, number(fields, "probability"));
      case "partition" -> new Fault.Partition(peers);
      case "ledgerLag" -> new Fault.LedgerLag((int) number(fields, "blocks"));
      case "ledgerRevert" ->
          new Fault.LedgerRevert(
              fields.requiredParsed("contract", "an address", ContractAddress::new),
              (int) number(fields, "count"));
      default ->
          throw new IllegalArgumentException(
              "There is no fault of this kind: send drop, delay, duplicate, partition, ledgerLag or"
                  + " ledgerRevert.");
    };
  }

  private static Fault.Traffic traffic(Set<NodeName> peers, Fields fields) {
    return new Fault.Traffic(
        peers,
        Set.copyOf(fields.parsedList("messages", MOST_NAMED, Function.<String>identity())),
        Set.copyOf(fields.parsedList("contracts", MOST_NAMED, ContractAddress::new)));
  }

  private static double number(Fields fields, String name) {
    var value = fields.any(name);
    if (value.isEmpty() || !value.get().isNumber()) {
      throw new IllegalArgumentException(fields.pathOf(name) + " is missing: send a number.");
    }
    return value.get().doubleValue();
  }
}
