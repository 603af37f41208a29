package dev.sequitur.node.rpc.method;

import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Shape;
import dev.sequitur.protocol.coordinator.CoordinatedState;
import dev.sequitur.protocol.coordinator.CoordinatorTables.ContractMode;
import dev.sequitur.protocol.distribution.ComparisonProgress;
import dev.sequitur.protocol.distribution.Lacking;
import dev.sequitur.protocol.funding.GasReport.Status;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.message.TracedMessage;
import dev.sequitur.protocol.selection.Ranking;
import dev.sequitur.protocol.selection.Ring;
import dev.sequitur.protocol.sender.SenderTable.Move;
import dev.sequitur.protocol.sender.TransactionEvent;
import dev.sequitur.protocol.transaction.Receipt.Happened;
import dev.sequitur.sequencer.view.CoordinatorView;
import dev.sequitur.sequencer.view.CoordinatorView.Ranked;
import dev.sequitur.sequencer.view.GasView;
import dev.sequitur.sequencer.view.RingView;
import dev.sequitur.sequencer.view.SequencerStatus;
import dev.sequitur.sequencer.view.SequencerStatus.Coordinated;
import dev.sequitur.sequencer.view.SequencerStatus.CoordinatorStatus;
import dev.sequitur.sequencer.view.SequencerStatus.Counted;
import dev.sequitur.sequencer.view.SequencerStatus.HeartbeatSeen;
import dev.sequitur.sequencer.view.SequencerStatus.Lock;
import dev.sequitur.sequencer.view.SequencerStatus.Oldest;
import dev.sequitur.sequencer.view.SequencerStatus.SenderStatus;
import dev.sequitur.sequencer.view.TransactionStatus;
import dev.sequitur.trace.MessageRole;
import dev.sequitur.trace.TraceWords;
import dev.sequitur.trace.TransactionTrace;
import dev.sequitur.trace.TransactionTrace.Line;
import java.util.List;
import java.util.stream.Stream;

/** What a node shows of its protocol's inside. */
final class SequencerShapes {
  private SequencerShapes() {}

  /** A place on the ring of 2^64. */
  private static final Shape<Long> POSITION = Formats.TEXT.of(Long::toUnsignedString);

  private static final ObjectShape<Ranked> RANKED =
      ObjectShape.<Ranked>named("Ranked")
          .with(
              "rank",
              Shape.NUMBER,
              Ranked::rank,
              "from 0; the lowest that is available coordinates")
          .with("identity", Formats.IDENTITY, Ranked::identity)
          .with("distance", Formats.TEXT, Ranked::distance, "by which members are ranked")
          .with("available", Formats.BOOLEAN, Ranked::available)
          .with("reason", Formats.TEXT, Ranked::reason, "why it coordinates, or does not")
          .maybe(
              "awayUntil",
              Formats.TIME,
              Ranked::awayUntil,
              "when one that is not available is tried again");

  static final ObjectShape<CoordinatorView> COORDINATOR =
      ObjectShape.<CoordinatorView>named("CoordinatorView")
          .with("contract", Formats.ADDRESS, CoordinatorView::contract)
          .with("blockHeight", Shape.NUMBER, view -> view.blockHeight().value())
          .with("range", Shape.NUMBER, view -> view.range().index(), "of blocks, by its number")
          .with("rangeSize", Shape.NUMBER, CoordinatorView::rangeSize, "blocks in a range")
          .with("coordinator", Formats.NODE, CoordinatorView::coordinator)
          .with("ranking", RANKED.list(), CoordinatorView::ranking);

  private static final ObjectShape<Ring.Place> PLACE =
      ObjectShape.<Ring.Place>named("RingMember")
          .with("identity", Formats.IDENTITY, Ring.Place::identity)
          .with("positions", POSITION.list(), Ring.Place::positions, "ascending");

  private static final ObjectShape<Ring.Point> POINT =
      ObjectShape.<Ring.Point>named("RingRange")
          .with("range", Shape.NUMBER, point -> point.ranking().range().index(), "by its number")
          .with("point", POSITION, Ring.Point::at)
          .with(
              "ranking",
              Formats.IDENTITY.list(),
              point -> point.ranking().members().stream().map(Ranking.Ranked::identity).toList(),
              "nearest first");

  static final ObjectShape<RingView> RING =
      ObjectShape.<RingView>named("RingView")
          .with("contract", Formats.ADDRESS, RingView::contract)
          .with("blockHeight", Shape.NUMBER, view -> view.blockHeight().value())
          .with("rangeSize", Shape.NUMBER, RingView::rangeSize, "blocks in a range")
          .with("members", PLACE.list(), view -> view.ring().members())
          .with("ranges", POINT.list(), view -> view.ring().ranges());

  /** Of a view that keeps a constant's name. */
  private static <E extends Enum<E>> Shape<String> names(Class<E> constants) {
    return Shape.among(Stream.of(constants.getEnumConstants()).map(Enum::name).toList());
  }

  private static final ObjectShape<TransactionStatus> SENT =
      ObjectShape.<TransactionStatus>named("SenderTransaction")
          .with("transaction", Formats.TRANSACTION_ID, TransactionStatus::transaction)
          .with("state", TransactionShapes.STANDING, TransactionStatus::state)
          .maybe("delegate", Formats.NODE, TransactionStatus::delegate)
          .maybe("submitter", Formats.NODE, TransactionStatus::submitter)
          .with("waitsFor", Formats.TEXT, TransactionStatus::waitsFor, "a sentence")
          .with("attempts", Shape.NUMBER, TransactionStatus::attempts)
          .with(
              "history",
              TransactionShapes.EVENT.of(SequencerShapes::happened).list(),
              TransactionStatus::history);

  private static final ObjectShape<Oldest> OLDEST =
      ObjectShape.<Oldest>named("OldestTransaction")
          .with("transaction", Formats.TRANSACTION_ID, Oldest::transaction)
          .with("accepted", Formats.TIME, Oldest::accepted)
          .with(
              "ageSeconds",
              Shape.NUMBER,
              oldest -> oldest.age().toSeconds(),
              "how long ago that was, by this node's clock")
          .with("state", TransactionShapes.STANDING, Oldest::state)
          .with("waitsFor", Formats.TEXT, Oldest::waitsFor, "a sentence")
          .with(
              "nodes",
              Formats.NODE.list(),
              Oldest::nodes,
              "whose move is next, if it is another's");

  private static final ObjectShape<Coordinated> COORDINATED =
      ObjectShape.<Coordinated>named("CoordinatedTransaction")
          .with("transaction", Formats.TRANSACTION_ID, Coordinated::transaction)
          .with("sender", Formats.NODE, Coordinated::sender)
          .with("state", names(CoordinatedState.class), Coordinated::state)
          .with("dependsOn", Formats.TRANSACTION_ID.list(), Coordinated::dependsOn)
          .with(
              "waitsFor", Formats.IDENTITY.list(), Coordinated::waitsFor, "who has yet to endorse");

  private static final ObjectShape<Lock> LOCK =
      ObjectShape.<Lock>named("Lock")
          .with("state", Formats.HASH, lock -> lock.state().value())
          .with("spentBy", Formats.TRANSACTION_ID, Lock::spentBy);

  private static final ObjectShape<HeartbeatSeen> HEARTBEAT =
      ObjectShape.<HeartbeatSeen>named("HeartbeatSeen")
          .with("from", Formats.NODE, HeartbeatSeen::from)
          .with("kind", Shape.among(List.of("coordinator", "sign of life")), HeartbeatSeen::kind)
          .with("lastSeen", Formats.TIME, HeartbeatSeen::lastSeen)
          .with("transactions", Shape.NUMBER, HeartbeatSeen::transactions);

  private static ObjectShape<Counted> counted(String name, Shape<String> state) {
    return ObjectShape.<Counted>named(name)
        .with("state", state, Counted::state)
        .with("transactions", Shape.NUMBER, Counted::transactions, "how many");
  }

  private static final ObjectShape<SenderStatus> SENDER =
      ObjectShape.<SenderStatus>named("SenderStatus")
          .with(
              "holdOff",
              Formats.TEXT,
              SenderStatus::holdOff,
              "why it holds back what it could delegate; empty if it holds nothing back")
          .maybe(
              "holdOffUntil",
              Formats.TIME,
              SenderStatus::holdOffUntil,
              "when that ends at the latest")
          .with(
              "oldest",
              OLDEST.list(),
              SenderStatus::oldest,
              "the ten of them at most that were accepted first, without what is parked or its"
                  + " caller's to submit")
          .with(
              "counted",
              counted("SentCounted", TransactionShapes.STANDING).list(),
              SenderStatus::counted,
              "its transactions, by their states")
          .with("transactions", SENT.list(), SenderStatus::transactions, "50 of them at most");

  private static final ObjectShape<CoordinatorStatus> COORDINATING =
      ObjectShape.<CoordinatorStatus>named("CoordinatorStatus")
          .with("state", names(ContractMode.class), CoordinatorStatus::state)
          .with(
              "counted",
              counted("CoordinatedCounted", names(CoordinatedState.class)).list(),
              CoordinatorStatus::counted,
              "its transactions, by their states")
          .with(
              "transactions",
              COORDINATED.list(),
              CoordinatorStatus::transactions,
              "50 of them at most")
          .with("locked", Shape.NUMBER, CoordinatorStatus::locked, "how many states are locked")
          .with("locks", LOCK.list(), CoordinatorStatus::locks, "50 of them at most");

  private static final ObjectShape<Lacking> LACKING =
      ObjectShape.<Lacking>named("LackingContents")
          .with("states", Shape.NUMBER, Lacking::states, "how many")
          .with(
              "sinceBlock",
              Shape.NUMBER,
              lacking -> lacking.since().value(),
              "the first block that made one of them")
          .with("why", Formats.TEXT, Lacking::sentence, "and whom this node asks for them");

  static final ObjectShape<ComparisonProgress> COMPARISON =
      ObjectShape.<ComparisonProgress>named("LedgerComparison")
          .with("contract", Formats.ADDRESS, ComparisonProgress::contract)
          .with(
              "status",
              Shape.among(ComparisonProgress.Status.class, Enum::name),
              ComparisonProgress::status)
          .with("rebuild", Formats.BOOLEAN, ComparisonProgress::rebuild)
          .with("fromBlock", Shape.NUMBER, comparison -> comparison.from().value())
          .with("toBlock", Shape.NUMBER, comparison -> comparison.upTo().value())
          .maybe(
              "sinceBlock",
              Shape.NUMBER,
              comparison -> comparison.since().map(BlockHeight::value),
              "the first block that shows what this node does not hold, or holds otherwise; left"
                  + " out if there is none")
          .with(
              "lacking",
              Shape.NUMBER,
              ComparisonProgress::lacking,
              "states that are unspent on the ledger and not held")
          .with(
              "spent",
              Shape.NUMBER,
              ComparisonProgress::spent,
              "states that are held though they are spent on the ledger")
          .with(
              "unknown",
              Shape.NUMBER,
              ComparisonProgress::unknown,
              "states that are held though no block has made them")
          .with(
              "outcomes",
              Shape.NUMBER,
              ComparisonProgress::outcomes,
              "fulfilled transactions of this node that have no such receipt")
          .maybe(
              "contents",
              LACKING,
              ComparisonProgress::contents,
              "contents of states that this node has not got; left out if there are none, and"
                  + " before the end")
          .with("sentence", Formats.TEXT, ComparisonProgress::sentence, "and what to do");

  static final ObjectShape<SequencerStatus> STATUS =
      ObjectShape.<SequencerStatus>named("SequencerStatus")
          .with("node", Formats.NODE, SequencerStatus::node)
          .with("contract", Formats.ADDRESS, SequencerStatus::contract)
          .with("blockHeight", Shape.NUMBER, status -> status.blockHeight().value())
          .maybe(
              "lacking",
              LACKING,
              SequencerStatus::lacking,
              "contents of states that the ledger shows and this node has not got; left out if"
                  + " there are none")
          .with("sender", SENDER, SequencerStatus::sender)
          .with("coordinator", COORDINATING, SequencerStatus::coordinator)
          .with("heartbeats", HEARTBEAT.list(), SequencerStatus::heartbeats);

  static final ObjectShape<GasView> GAS =
      ObjectShape.<GasView>named("GasView")
          .with("contract", Formats.ADDRESS, GasView::contract)
          .with("key", Formats.TEXT, view -> view.key().value(), "the address that pays")
          .maybe(
              "balance",
              Shape.NUMBER,
              view -> view.ofKey().balance(),
              "in the last block looked at; missing if the key was not used lately")
          .with(
              "needs",
              Shape.NUMBER,
              view -> view.ofKey().needs(),
              "for what it has submitted last, at most")
          .with("waits", Formats.BOOLEAN, view -> view.ofKey().waits(), "for money")
          .with("paid", Shape.NUMBER, view -> view.paid().total(), "since its first transaction")
          .with("paidForReverted", Shape.NUMBER, view -> view.paid().reverted())
          .with(
              "status",
              names(Status.class),
              view -> view.ofKey().report().status().name(),
              "of this key")
          .with(
              "sentence",
              Formats.TEXT,
              view -> view.ofKey().report().sentence(),
              "what to do, or empty")
          .maybe(
              "fundingAccount",
              Formats.TEXT,
              view -> view.ofKey().report().payer().map(LedgerAddress::value))
          .with(
              "fundingBalance",
              Shape.NUMBER,
              view -> view.ofKey().report().payerBalance(),
              "of that account; 0 without one");

  static final ObjectShape<Move> MOVE =
      ObjectShape.<Move>named("TransactionMove")
          .with("from", TransactionShapes.STANDING, move -> move.from().title())
          .with("event", Shape.among(TransactionEvent.class, Enum::name), Move::event)
          .with("to", TransactionShapes.STANDING, move -> move.to().title())
          .with("note", Formats.TEXT, Move::note, "what is done then, in a few words");

  private static final Shape<String> ROLE =
      Shape.among(Stream.of(MessageRole.values()).map(MessageRole::label).toList());

  private static final ObjectShape<TracedMessage> MESSAGE =
      ObjectShape.<TracedMessage>named("TracedMessage")
          .with("number", Shape.NUMBER, TracedMessage::number)
          .with("time", Formats.TIME, TracedMessage::time, "by the clock of who saw it")
          .with("messageId", Formats.UUID, message -> message.messageId().value())
          .maybe(
              "correlationId",
              Formats.UUID,
              message -> message.correlationId(),
              "of what it answers")
          .with("from", Formats.NODE, TracedMessage::from)
          .with("fromRole", ROLE, TracedMessage::fromRole)
          .with("to", Formats.NODE, TracedMessage::to)
          .with("toRole", ROLE, TracedMessage::toRole)
          .maybe("contract", Formats.ADDRESS, TracedMessage::contract)
          .with("type", Shape.among(TraceWords.types()), TracedMessage::type)
          .with("transactions", Formats.TRANSACTION_ID.list(), TracedMessage::transactions)
          .with("detail", Formats.TEXT, TracedMessage::detail);

  private static final ObjectShape<Line> LINE =
      ObjectShape.<Line>named("TraceLine")
          .all(MESSAGE, Line::message)
          .with("seenBy", Formats.NODE.list(), Line::seenBy, "who says so");

  static final ObjectShape<TransactionTrace> TRACE =
      ObjectShape.<TransactionTrace>named("TransactionTrace")
          .with("messages", LINE.list(), TransactionTrace::lines)
          .with(
              "silent",
              Formats.NODE.list(),
              TransactionTrace::silent,
              "members that did not answer")
          .with(
              "leftOut",
              Shape.NUMBER,
              TransactionTrace::leftOut,
              "messages that a node had no room for");

  private static Happened happened(TransactionStatus.Event event) {
    return new Happened(event.time(), event.what());
  }
}
