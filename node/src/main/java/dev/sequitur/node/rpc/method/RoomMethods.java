package dev.sequitur.node.rpc.method;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.json.Field;
import dev.sequitur.json.Formats;
import dev.sequitur.json.JsonText;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.BackgroundTask;
import dev.sequitur.node.rpc.BackgroundTask.Course;
import dev.sequitur.node.rpc.BackgroundTask.State;
import dev.sequitur.protocol.checkpoint.Agreements;
import dev.sequitur.protocol.checkpoint.Agreements.Reader;
import dev.sequitur.protocol.checkpoint.CheckpointStanding;
import dev.sequitur.protocol.errand.RoomErrands;
import dev.sequitur.protocol.errand.RoomErrands.Estimate;
import dev.sequitur.protocol.errand.RoomErrands.Leaf;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.guard.Named;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.port.LedgerCheckpoints;
import dev.sequitur.protocol.port.RoomStore.Bound;
import dev.sequitur.protocol.port.Signatures;
import dev.sequitur.protocol.room.Room;
import dev.sequitur.protocol.room.Room.Kept;
import dev.sequitur.protocol.room.RoomPolicy;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** What a node has forgotten and would forget. */
public final class RoomMethods {
  private static final String FOREVER = "forever";

  private static final Signatures SIGNATURES = new Secp256k1Signatures();

  /** Receipts of one answer. */
  private static final int LINES = 32;

  /** Also beside the result of what lists rows and comes to where they were forgotten. */
  public static final ObjectShape<Bound> BOUND =
      ObjectShape.<Bound>named("Forgotten")
          .with("before", Shape.NUMBER, Bound::before, "all receipts below this number are")
          .with("ended", Formats.TIME, Bound::ended, "when the last of these had ended");

  private static final ObjectShape<Reader> READER =
      ObjectShape.<Reader>named("LedgerReader")
          .with("name", Formats.TEXT, Reader::name, "as the ledger's operator calls it")
          .with("address", Formats.TEXT, it -> it.address().value(), "by which it signs")
          .with(
              "standing",
              Shape.among(Agreements.Standing.class, RoomMethods::word),
              Reader::standing,
              "how it stands to the newest checkpoint")
          .maybe(
              "upTo",
              Shape.NUMBER,
              it -> it.upTo().map(BlockHeight::value),
              "the checkpoint that it has spoken of last");

  private static final ObjectShape<CheckpointStanding> LEDGER =
      ObjectShape.<CheckpointStanding>named("LedgerRoom")
          .with("every", Shape.NUMBER, it -> (long) it.every(), "blocks there is a checkpoint")
          .with("oldest", Shape.NUMBER, it -> it.oldest().value(), "block that is not dropped")
          .maybe(
              "newest",
              Shape.NUMBER,
              it -> it.newest().map(BlockHeight::value),
              "checkpoint that is final")
          .maybe(
              "agreed",
              Shape.NUMBER,
              it -> it.agreed().map(BlockHeight::value),
              "the newest checkpoint that all readers agree to")
          .with(
              "keep",
              Formats.TEXT,
              it -> it.keep().map(String::valueOf).orElse(FOREVER),
              "`forever`, or so many of the newest blocks")
          .with("droppable", Shape.NUMBER, CheckpointStanding::droppable, "blocks, now")
          .with("readers", READER.list(), CheckpointStanding::readers, "who has to agree");

  private static final ObjectShape<Standing> STANDING =
      ObjectShape.<Standing>named("Room")
          .with("keep", Formats.TEXT, it -> text(it.policy().keep()), "`forever`, or a time")
          .maybe("ids", Formats.TEXT, it -> it.policy().of(Kept.IDS).map(Duration::toString))
          .with("unread", Formats.TEXT, it -> text(it.policy().unread()), "`forever`, or a time")
          .maybe("contents", BOUND, Standing::contents, "if any are forgotten")
          .maybe("forgottenIds", BOUND, Standing::ids, "if any are")
          .maybe(
              "ledger",
              LEDGER,
              Standing::ledger,
              "where the embedded ledger has checkpoints, and can be asked")
          .with(
              "reader",
              Formats.TEXT,
              Standing::reader,
              "by which address this node agrees to them");

  private static final ObjectShape<Course<Estimate>> COUNT =
      ObjectShape.<Course<Estimate>>named("RoomEstimate")
          .with(
              "state",
              Shape.among(State.class, State::word),
              Course::state,
              "`none` if this JVM has begun none")
          .with(
              "transactions",
              Shape.NUMBER,
              it -> it.progress().contents().receipts(),
              "receipts whose transactions would be forgotten now, counted so far")
          .with("bytes", Shape.NUMBER, it -> it.progress().contents().bytes(), "of these")
          .with("ids", Shape.NUMBER, it -> it.progress().ids().receipts(), "that would be, too")
          .with("idBytes", Shape.NUMBER, it -> it.progress().ids().bytes(), "of these")
          .maybe(
              "stop",
              Formats.TEXT,
              it -> Optional.of(it.progress().stop().sentence()),
              "why no more would be")
          .maybe("trouble", Formats.TEXT, Course::trouble, "why it has failed");

  private static final Field<Long> FROM =
      Field.optional(
          "from", Formats.NUMBER, "a receipt's number; else the first that is not forgotten");

  private static final ObjectShape<Read> LEAF =
      ObjectShape.<Read>named("EndedTransactions")
          .with("lines", EndedLines.SHAPE.list(), Read::lines, "in the order of their numbers")
          .maybe(
              "next", Shape.NUMBER, read -> read.leaf().next(), "from where on there may be more")
          .maybe(
              "stop",
              Formats.TEXT,
              read ->
                  Optional.of(read.leaf().stop().sentence())
                      .filter(any -> read.leaf().next().isEmpty()),
              "why there is no more");

  private final NodeContext context;
  private final BackgroundTask<Estimate> count;

  RoomMethods(NodeContext context) {
    this.context = context;
    this.count = new BackgroundTask<>(Estimate.NONE, context.clock(), failure -> {});
  }

  private record Standing(
      RoomPolicy policy,
      Optional<Bound> contents,
      Optional<Bound> ids,
      Optional<CheckpointStanding> ledger,
      String reader) {
    private Standing over(Optional<CheckpointStanding> now) {
      return new Standing(policy, contents, ids, now, reader);
    }
  }

  private static String word(Agreements.Standing standing) {
    return standing.name().toLowerCase(Locale.ROOT);
  }

  private record Read(List<EndedLines.Line> lines, Leaf leaf) {}

  private static String text(Optional<Duration> time) {
    return time.map(Duration::toString).orElse(FOREVER);
  }

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.reading(
            "node_room",
            List.of(),
            STANDING,
            "`{keep, ids, unread, contents, forgottenIds, ledger, reader}`",
            "How long the node keeps what has ended, and up to where it has forgotten it; and which blocks"
                + " of an embedded ledger are dropped, and who agrees to that.",
            call -> standing()),
        RpcMethod.of(
            MethodGroup.OPERATE,
            "node_estimateRoom",
            List.of(),
            COUNT,
            "`{state, transactions, bytes, ids, idBytes, stop, trouble}`",
            "Begins to count what the node would forget now by `room` of the configuration of the JVM"
                + " that is asked, and answers at once. Nothing is forgotten by it. While one count runs,"
                + " another one is not begun.",
            call -> completedFuture(count.begin(this::estimate))),
        RpcMethod.reading(
            "node_roomEstimate",
            List.of(),
            COUNT,
            "as node_estimateRoom",
            "How far the last count is that the JVM that is asked has begun.",
            call -> completedFuture(count.last())),
        RpcMethod.of(
                MethodGroup.OPERATE,
                "node_endedTransactions",
                List.of(FROM),
                LEAF,
                "`{lines, next, stop}`",
                "All that the node would forget now by `room` of the configuration of the JVM that is"
                    + " asked, some receipts at a time, with the contents that would go. Nothing is"
                    + " forgotten by it. `sequitur prune --export` writes it into a file.",
                this::ended)
            .withAbout(Set.of(Named.Kind.GROUPS, Named.Kind.IDENTITIES))
            .withLooks(true));
  }

  private CompletionStage<Read> ended(Call call) {
    return errands()
        .next(call.find(FROM), LINES)
        .thenCompose(
            leaf ->
                new EndedLines(context.node().ledger(), context.node()::load)
                    .lines(leaf.ended())
                    .thenApply(lines -> inRoom(new Read(lines, leaf))));
  }

  /** As many of its lines, from the first on, as have half the room of an answer; at least one. */
  private Read inRoom(Read read) {
    long left = context.settings().limits().answerBytes() / 2;
    for (int i = 0; i < read.lines().size(); i++) {
      left -= JsonText.write(EndedLines.SHAPE.write(read.lines().get(i))).length;
      if (left < 0 && i > 0) {
        var ended = read.leaf().ended();
        return new Read(
            read.lines().subList(0, i),
            new Leaf(
                ended.subList(0, i),
                Optional.of(ended.get(i).receipt().sequence()),
                read.leaf().stop()));
      }
    }
    return read;
  }

  private RoomErrands errands() {
    return new RoomErrands(new Room(context.node().room()), context.store(), context.clock());
  }

  private CompletionStage<Standing> standing() {
    var store = context.store();
    return store
        .forgottenUpTo(Kept.CONTENTS)
        .thenCombine(
            store.forgottenUpTo(Kept.IDS),
            (contents, ids) ->
                new Standing(context.node().room(), contents, ids, Optional.empty(), reader()))
        .thenCombine(ledger(), Standing::over);
  }

  private String reader() {
    var key = context.node().keys().account(NodeKeyNames.checkpoints());
    return SIGNATURES.address(key).value();
  }

  /** Whatever is the matter with the ledger is told elsewhere. */
  private CompletionStage<Optional<CheckpointStanding>> ledger() {
    return context
        .node()
        .ledger()
        .checkpoints()
        .map(LedgerCheckpoints::standing)
        .map(
            answer ->
                answer.handle(
                    (standing, failure) ->
                        Optional.ofNullable(standing).filter(it -> it.every() > 0)))
        .orElseGet(() -> completedFuture(Optional.empty()));
  }

  private CompletionStage<Void> estimate(Consumer<Estimate> progress) {
    return errands().estimate(progress).thenAccept(progress);
  }
}
