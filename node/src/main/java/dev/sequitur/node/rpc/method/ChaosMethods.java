package dev.sequitur.node.rpc.method;

import static java.util.concurrent.CompletableFuture.completedFuture;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import dev.sequitur.json.Choice;
import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rehearsal.Rehearsal;
import dev.sequitur.node.rehearsal.RehearsedFault;
import dev.sequitur.node.rehearsal.RehearsedFault.Kind;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.trace.TraceWords;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Faults for a rehearsal, on a node whose configuration allows them. */
record ChaosMethods(NodeContext context) {
  private static final int MOST_PEERS = 1_000;
  private static final int MOST_NAMED = 100;
  private static final Format<Double> REAL =
      Format.plain(
          "a number", "number", JsonNode::isNumber, JsonNode::doubleValue, DoubleNode::new);
  private static final Field<Double> SECONDS = Field.of("seconds", REAL, "1 to 600");
  private static final Field<List<NodeName>> PEERS =
      Field.or(
          "peers",
          Format.of("the name of a node", "node2", NodeName::new).list(MOST_PEERS),
          List.of(),
          "only these");
  private static final Field<List<String>> MESSAGES =
      Field.or(
          "messages",
          Format.among(TraceWords.types()).list(MOST_NAMED),
          List.of(),
          "only these, as `AssembleRequest`");
  private static final Field<List<ContractAddress>> CONTRACTS =
      Field.or("contracts", Formats.ADDRESS.list(MOST_NAMED), List.of(), "only theirs");
  private static final Field<Double> PROBABILITY = Field.of("probability", REAL, "0 to 1");
  private static final Field<Double> DELAY =
      Field.of("delayMillis", REAL, "each message is held back for up to so long");
  private static final Field<Double> BLOCKS =
      Field.of("blocks", REAL, "that this node does not see");
  private static final Field<ContractAddress> CONTRACT =
      Field.of("contract", Formats.ADDRESS, "that of the transactions");
  private static final Field<Double> COUNT =
      Field.of("count", REAL, "the next ones that this node submits");

  /** What can be set. */
  private enum Settable implements Choice.Kind {
    DROP(Kind.DROP, traffic("DropFault", PROBABILITY)),
    DELAYED(Kind.DELAY, traffic("DelayFault", PROBABILITY, DELAY)),
    DUPLICATE(Kind.DUPLICATE, traffic("DuplicateFault", PROBABILITY)),
    PARTITION(Kind.PARTITION, ObjectFormat.of("PartitionFault", SECONDS, PEERS)),
    LEDGER_LAG(Kind.LEDGER_LAG, ObjectFormat.of("LedgerLagFault", SECONDS, BLOCKS)),
    LEDGER_REVERT(
        Kind.LEDGER_REVERT, ObjectFormat.of("LedgerRevertFault", SECONDS, CONTRACT, COUNT));

    private final Kind kind;
    private final ObjectFormat fields;

    Settable(Kind kind, ObjectFormat fields) {
      this.kind = kind;
      this.fields = fields.open();
    }

    private static ObjectFormat traffic(String name, Field<?>... more) {
      return ObjectFormat.of(name, SECONDS, PEERS, MESSAGES, CONTRACTS).with(more);
    }

    @Override
    public String word() {
      return kind.word();
    }

    @Override
    public ObjectFormat fields() {
      return fields;
    }
  }

  private static final Format<Choice<Settable>> KINDS =
      Choice.by("kind", EnumSet.allOf(Settable.class));
  private static final Field<JsonNode> FAULT = Field.of("fault", KINDS.unread(), "the fault");

  private static final ObjectShape<Rehearsal.Entry> ENTRY =
      ObjectShape.<Rehearsal.Entry>named("FaultInForce")
          .with("number", Shape.NUMBER, Rehearsal.Entry::number)
          .with("kind", Shape.among(Kind.class, Kind::word), entry -> entry.fault().kind())
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

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.of(
            MethodGroup.CHAOS,
            "chaos_setFault",
            List.of(FAULT),
            Shape.NUMBER,
            "the fault's number",
            "Puts a fault in force until it ends by itself. Only if `chaos.enabled` is set. All but a"
                + " partition, through which nothing passes either way, act on what this node"
                + " sends.",
            this::set),
        RpcMethod.of(
            MethodGroup.CHAOS,
            "chaos_listFaults",
            List.of(),
            FAULTS,
            "`{faults, concerned}`",
            "The faults in force, and by kind how many messages faults have concerned since the"
                + " node's start.",
            call -> completedFuture(rehearsal())),
        RpcMethod.of(
            MethodGroup.CHAOS,
            "chaos_clearFaults",
            List.of(),
            Shape.NUMBER,
            "how many there were",
            "Ends all faults of this node. Messages that were delayed still arrive.",
            call -> completedFuture(rehearsal().clear())));
  }

  private Rehearsal rehearsal() {
    return context
        .rehearsal()
        .orElseThrow(
            () ->
                new RpcFailure(
                    ErrorCode.CHAOS_OFF,
                    "This node lets nobody set faults. For a rehearsal set chaos.enabled in its"
                        + " configuration, and restart it."));
  }

  private CompletionStage<Integer> set(Call call) {
    var rehearsal = rehearsal();
    var fault = KINDS.read(call.path(FAULT), call.get(FAULT));
    try {
      var lasts = Duration.ofSeconds(fault.sent().get(SECONDS).longValue());
      return completedFuture(rehearsal.begin(fault(fault), context.node().peers(), lasts));
    } catch (IllegalArgumentException e) {
      throw new RpcFailure(ErrorCode.CHAOS_FAULT, e.getMessage());
    }
  }

  private static RehearsedFault fault(Choice<Settable> choice) {
    var sent = choice.sent();
    return switch (choice.kind()) {
      case DROP -> new RehearsedFault.Drop(traffic(sent), sent.get(PROBABILITY));
      case DELAYED ->
          new RehearsedFault.Delay(
              traffic(sent), sent.get(PROBABILITY), Duration.ofMillis(sent.get(DELAY).longValue()));
      case DUPLICATE -> new RehearsedFault.Duplicate(traffic(sent), sent.get(PROBABILITY));
      case PARTITION -> new RehearsedFault.Partition(Set.copyOf(sent.get(PEERS)));
      case LEDGER_LAG -> new RehearsedFault.LedgerLag(sent.get(BLOCKS).intValue());
      case LEDGER_REVERT ->
          new RehearsedFault.LedgerRevert(sent.get(CONTRACT), sent.get(COUNT).intValue());
    };
  }

  private static RehearsedFault.Traffic traffic(Sent sent) {
    return new RehearsedFault.Traffic(
        Set.copyOf(sent.get(PEERS)),
        Set.copyOf(sent.get(MESSAGES)),
        Set.copyOf(sent.get(CONTRACTS)));
  }
}
