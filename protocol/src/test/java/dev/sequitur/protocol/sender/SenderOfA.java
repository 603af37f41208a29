package dev.sequitur.protocol.sender;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.message.DelegationAccepted;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.DelegationRejected;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.port.Links;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The sender of node A at a height at which B is preferred, driven by hand. */
final class SenderOfA {
  static final SequencerSettings SETTINGS = SequencerSettings.DEFAULT;

  final BlockHeight height = Contract.heightPreferring(B, BlockHeight.ZERO);
  private final Sender sender;
  private final List<SenderEvent> journal = new ArrayList<>();
  private final Map<TransactionId, Instant> acceptedAt = new HashMap<>();
  private SenderState state = SenderState.initial();
  private Instant now = Instant.EPOCH;
  private Decision<SenderState, SenderEvent, SenderEffect> last;

  private SenderOfA(Links links) {
    this(Contract.GROUP, links);
  }

  private SenderOfA(PrivacyGroup group, Links links) {
    this.sender = new Sender(new SenderSetup(A, group, Contract.selection(group), SETTINGS, links));
  }

  static SenderOfA started() {
    return startedWith(Links.UNKNOWN);
  }

  static SenderOfA startedIn(PrivacyGroup group) {
    var sender = new SenderOfA(group, Links.UNKNOWN);
    sender.begin(List.of(), Map.of());
    return sender;
  }

  static SenderOfA startedWith(Links links) {
    var sender = new SenderOfA(links);
    sender.begin(List.of(), Map.of());
    return sender;
  }

  /** What is pending is not read yet. */
  static SenderOfA beginning() {
    var sender = new SenderOfA(Links.UNKNOWN);
    sender.tell(new SenderInput.Started(sender.height, 0));
    return sender;
  }

  /** After these, with what is pending not read yet. */
  static SenderOfA beginningAfter(SenderEvent... events) {
    var sender = new SenderOfA(Links.UNKNOWN);
    for (var event : events) {
      sender.state = Sender.evolve(sender.state, event);
    }
    sender.tell(new SenderInput.Started(sender.height, 0));
    return sender;
  }

  private void begin(
      List<PrivateTransaction> pending, Map<TransactionId, NodeStore.Prepared> prepared) {
    tell(new SenderInput.Started(height, 0));
    tell(
        new SenderInput.PendingLoaded(pending, Map.copyOf(acceptedAt), prepared, Optional.empty()));
  }

  /** Forgets what is not durable; the node store holds these. */
  void restart(List<PrivateTransaction> pending, Map<TransactionId, NodeStore.Prepared> prepared) {
    state = SenderState.initial();
    journal.forEach(event -> state = Sender.evolve(state, event));
    begin(pending, prepared);
  }

  void accept(PrivateTransaction... transactions) {
    for (var each : transactions) {
      acceptedAt.putIfAbsent(each.id(), now);
    }
    tell(new SenderInput.IntentsAccepted(List.of(transactions), false));
  }

  void tell(NodeName from, Message.ForSender message) {
    tell(new SenderInput.FromNode(Contract.from(from, message)));
  }

  void tell(SenderInput input) {
    last = sender.decide(state, input, now);
    state = last.state();
    journal.addAll(last.events());
  }

  /** Nobody tells it so. */
  void passes(Duration time) {
    now = now.plus(time);
  }

  void tickAfter(Duration time) {
    passes(time);
    tell(new SenderInput.Tick());
  }

  void confirm(PrivateTransaction... transactions) {
    var onLedger =
        new Receipt.OnLedger(
            new TransactionHash(Contract.hash("transaction")),
            height,
            0,
            List.of(),
            List.of(),
            List.of());
    var confirmed = new LinkedHashMap<IntentKey, Receipt.OnLedger>();
    Stream.of(transactions).forEach(each -> confirmed.put(each.key(), onLedger));
    tell(new SenderInput.BlockIndexed(height, now, confirmed));
  }

  SenderState state() {
    return state;
  }

  Instant now() {
    return now;
  }

  Decision<SenderState, SenderEvent, SenderEffect> last() {
    return last;
  }

  SenderTransaction transaction(PrivateTransaction transaction) {
    return state.transactions().get(transaction.id());
  }

  /** The one delegation command of the last step. */
  DelegationCommand command() {
    var commands =
        last.messages().stream()
            .map(Outgoing::message)
            .filter(DelegationCommand.class::isInstance)
            .map(DelegationCommand.class::cast)
            .filter(command -> command.left().isEmpty())
            .toList();
    if (commands.size() != 1) {
      throw new IllegalStateException("Not one command: " + commands);
    }
    return commands.get(0);
  }

  /** Its coordinator accepts what it was sent, with its heartbeat of that number. */
  void accepted(DelegationCommand command, long heartbeat) {
    tell(
        command.delegateNode(),
        new DelegationAccepted(
            command.delegationId(),
            command.delegateNode(),
            ADDRESS,
            command.transactions(),
            new HeartbeatSequence(1, heartbeat)));
  }

  void rejected(DelegationCommand command, DelegationRejected.Reason reason) {
    tell(
        command.delegateNode(),
        new DelegationRejected(
            command.delegationId(),
            command.delegateNode(),
            ADDRESS,
            command.transactions(),
            reason));
  }

  /** Accepts them, and so does B. */
  DelegationCommand delegated(PrivateTransaction... transactions) {
    accept(transactions);
    var command = command();
    accepted(command, 1);
    return command;
  }

  void index(BlockHeight next) {
    tell(new SenderInput.BlockIndexed(next, now, Map.of()));
  }

  List<Message> sent() {
    return last.messages().stream().map(Outgoing::message).toList();
  }

  boolean counted(SenderEffect.Counted what) {
    return last.effects().contains(new SenderEffect.Count(what));
  }

  TransactionState stateOf(PrivateTransaction transaction) {
    return transaction(transaction).state();
  }

  List<NodeName> delegatedTo() {
    return last.messages().stream()
        .filter(
            outgoing ->
                outgoing.message() instanceof DelegationCommand command && command.left().isEmpty())
        .map(outgoing -> outgoing.to())
        .toList();
  }

  List<Receipt> completed() {
    return Stream.concat(
            effects(SenderEffect.Complete.class).stream()
                .flatMap(complete -> complete.receipts().stream()),
            effects(SenderEffect.Confirm.class).stream()
                .flatMap(confirm -> confirm.ofKnown().stream()))
        .toList();
  }

  <T extends SenderEffect> List<T> effects(Class<T> type) {
    return last.effects().stream().filter(type::isInstance).map(type::cast).toList();
  }

  static PrivateTransaction external(long number) {
    return changed(Contract.transaction(A, number), SubmitMode.EXTERNAL, List.of());
  }

  static PrivateTransaction externalAfter(long number, PrivateTransaction dependency) {
    return changed(Contract.transaction(A, number), SubmitMode.EXTERNAL, List.of(dependency.id()));
  }

  static PrivateTransaction after(long number, PrivateTransaction... dependencies) {
    return changed(
        Contract.transaction(A, number),
        SubmitMode.AUTO,
        List.of(dependencies).stream().map(PrivateTransaction::id).toList());
  }

  static PrivateTransaction triedAtMost(int maxAttempts, long number) {
    return Contract.transaction(A, number).withMaxAttempts(Optional.of(maxAttempts));
  }

  private static PrivateTransaction changed(
      PrivateTransaction any, SubmitMode mode, List<TransactionId> dependsOn) {
    return any.with().submitMode(mode).dependsOn(dependsOn).build();
  }
}
