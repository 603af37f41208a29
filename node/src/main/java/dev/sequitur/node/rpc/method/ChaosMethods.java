package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.node.rehearsal.Fault;
import dev.sequitur.node.rehearsal.Rehearsal;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.Fields;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.node.rpc.method.RpcMethod.Parameter;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Faults for a rehearsal, on a node whose configuration allows them. */
final class ChaosMethods {
  private static final int MOST_PEERS = 1_000;
  private static final int MOST_NAMED = 100;
  private static final Parameter TOKEN =
      Parameter.of("token", ParameterType.TEXT, "`chaos.token` of the node's configuration");

  private final NodeContext context;

  ChaosMethods(NodeContext context) {
    this.context = context;
  }

  List<RpcMethod> methods() {
    return List.of(
        new RpcMethod(
            "chaos_setFault",
            List.of(TOKEN, Parameter.of("fault", ParameterType.OBJECT, "the fault")),
            "the fault's number",
            "Puts a fault in force until it ends by itself. Only if `chaos.enabled` is set. Fields:"
                + " `seconds` (1 to 600), and `kind`: `drop` and `duplicate` (`probability`),"
                + " `delay` (`probability`, `delayMillis`: each message is held back for up to so"
                + " long), each of them with `messages` (as `AssembleRequest`) and `contracts` if"
                + " only those are meant; `partition` (nothing passes, either way); these four with"
                + " `peers` (names; none: all); `ledgerLag` (`blocks` that this node does not see);"
                + " `ledgerRevert` (the next `count` transactions that it submits to `contract`)."
                + " All but a partition act on what this node sends.",
            true,
            this::set),
        new RpcMethod(
            "chaos_listFaults",
            List.of(TOKEN),
            "`{faults, concerned}`",
            "The faults in force, and by kind how many messages faults have concerned since the"
                + " node's start.",
            true,
            call -> done(list(allowed(call)))),
        new RpcMethod(
            "chaos_clearFaults",
            List.of(TOKEN),
            "how many there were",
            "Ends all faults of this node. Messages that were delayed still arrive.",
            true,
            call -> done(IntNode.valueOf(allowed(call).clear()))));
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
    if (!rehearsal.isAllowed(call.text(0))) {
      throw new RpcFailure(
          ErrorCode.CHAOS_TOKEN,
          "This is not the token of the node: send chaos.token of its configuration.");
    }
    return rehearsal;
  }

  private CompletionStage<JsonNode> set(Call call) {
    var rehearsal = allowed(call);
    var fields = call.object(1);
    try {
      var lasts = Duration.ofSeconds((long) number(fields, "seconds"));
      var number = rehearsal.begin(fault(fields), context.node().peers(), lasts);
      return done(IntNode.valueOf(number));
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

  private static JsonNode list(Rehearsal rehearsal) {
    var json = JsonText.object();
    var faults = json.putArray("faults");
    for (var entry : rehearsal.list()) {
      faults
          .addObject()
          .put("number", entry.number())
          .put("kind", entry.fault().kind())
          .put("ends", entry.ends().toString())
          .put("concerned", entry.concerned());
    }
    ObjectNode concerned = json.putObject("concerned");
    rehearsal.concerned().forEach(concerned::put);
    return json;
  }

  private static CompletionStage<JsonNode> done(JsonNode result) {
    return CompletableFuture.completedFuture(result);
  }
}
