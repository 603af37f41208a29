package dev.sequitur.protocol.coordinator;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;

import dev.sequitur.protocol.attestation.Attestation.Purpose;
import dev.sequitur.protocol.attestation.MerklePath;
import dev.sequitur.protocol.attestation.MerkleTree;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.AssembleError;
import dev.sequitur.protocol.message.AssembleResponse;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.DispatchConfirmationResponse;
import dev.sequitur.protocol.message.EndorsementError;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.message.EndorsementResponse;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.RequestDispatchConfirmation;
import dev.sequitur.protocol.port.Signatures;
import dev.sequitur.protocol.selection.CoordinatorSelection;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.transaction.AttestationRequest;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The coordinator of node A, driven by hand; a signature is right if it is what is signed. */
final class CoordinatorOfA {
  static final SequencerSettings SETTINGS = SequencerSettings.DEFAULT;

  final BlockHeight height;
  final List<Outgoing> allSent = new ArrayList<>();
  private final CoordinatorSelection selection;
  private final Coordinator coordinator;
  private CoordinatorState state;
  private Instant now = Instant.EPOCH;
  private Decision<CoordinatorState, Void, CoordinatorEffect> last;
  private long delegations;

  CoordinatorOfA(BlockHeight height, long incarnation) {
    this(Contract.GROUP, height, incarnation);
  }

  CoordinatorOfA(PrivacyGroup group, BlockHeight height, long incarnation) {
    this.selection = Contract.selection(group);
    this.coordinator =
        new Coordinator(new CoordinatorSetup(A, group, selection, SETTINGS, new SignedIsShown()));
    this.height = height;
    this.state = CoordinatorState.initial(incarnation, height);
  }

  /** Its node has read changes. */
  void follow(PrivacyGroup changed) {
    selection.follow(changed);
  }

  /** At the begin of a range of its own. */
  static CoordinatorOfA inItsFirstBlock() {
    return new CoordinatorOfA(Contract.heightPreferring(A, BlockHeight.ZERO), 1);
  }

  /** In the last block of a range of its own; the next one is another's. */
  static CoordinatorOfA inItsLastBlock() {
    return inTheLastBlockOfARange(false);
  }

  /** It is preferred in the next range, too. */
  static CoordinatorOfA inTheLastBlockBeforeAnotherOfItsRanges() {
    return inTheLastBlockOfARange(true);
  }

  private static CoordinatorOfA inTheLastBlockOfARange(boolean nextToo) {
    long next = 10;
    while (!Contract.preferred(new BlockHeight(next - 1)).equals(A)
        || Contract.preferred(new BlockHeight(next)).equals(A) != nextToo) {
      next += 10;
    }
    return new CoordinatorOfA(new BlockHeight(next - 1), 1);
  }

  static final class SignedIsShown implements Signatures {
    @Override
    public boolean verify(Verifier verifier, Hash digest, Bytes signature) {
      return signature.equals(signed(digest));
    }

    @Override
    public LedgerAddress address(Verifier verifier) {
      throw new UnsupportedOperationException();
    }
  }

  static Bytes signed(Hash digest) {
    return Bytes.of(digest.toByteArray());
  }

  DelegationId delegate(PrivateTransaction... transactions) {
    return delegateAt(height, transactions);
  }

  DelegationId delegateAt(BlockHeight at, PrivateTransaction... transactions) {
    return delegateFrom(B, at, transactions);
  }

  DelegationId delegateFrom(NodeName sender, PrivateTransaction... transactions) {
    return delegateFrom(sender, height, transactions);
  }

  private DelegationId delegateFrom(
      NodeName sender, BlockHeight at, PrivateTransaction... transactions) {
    var id = new DelegationId(sender, 1, ++delegations);
    tell(sender, new DelegationCommand(id, A, ADDRESS, List.of(transactions), at));
    return id;
  }

  void load(Dispatch... dispatches) {
    tell(new CoordinatorInput.UnconfirmedDispatches(List.of(dispatches)));
  }

  void index(long blocks) {
    var next = new BlockHeight(state.height().value() + blocks);
    tell(new CoordinatorInput.BlockIndexed(next, List.of(), false, List.of(), List.of()));
  }

  /** The next block, in which these are fulfilled. */
  void confirm(PrivateTransaction... transactions) {
    var next = new BlockHeight(state.height().value() + 1);
    var confirmed = Stream.of(transactions).map(PrivateTransaction::key).toList();
    tell(new CoordinatorInput.BlockIndexed(next, confirmed, true, List.of(), List.of()));
  }

  void assembled(PrivateTransaction transaction, PostAssembly assembly) {
    tell(
        transaction.from().node(),
        new AssembleResponse(transaction.id(), requestThatIsOut(), ADDRESS, assembly));
  }

  void notAssembled(PrivateTransaction transaction) {
    tell(
        transaction.from().node(),
        new AssembleError(
            transaction.id(), requestThatIsOut(), ADDRESS, AssembleError.Reason.FAILED, ""));
  }

  RequestId requestThatIsOut() {
    return state.assembling().orElseThrow().request();
  }

  /** B and C have to endorse what makes {@code outputs} of {@code inputs}. */
  static PostAssembly assembly(List<PrivateState> inputs, PrivateState... outputs) {
    var plan = new AttestationRequest("endorse", List.of(Contract.party(B), Contract.party(C)), 2);
    return new PostAssembly(
        inputs, List.of(), List.of(outputs), List.of(), Bytes.EMPTY, List.of(plan), Proof.NONE);
  }

  /** What an endorser answers that endorses everything but {@code refused}. */
  static EndorsementResponse endorsement(
      EndorsementRequest request, PrivateTransaction... refused) {
    var not = Stream.of(refused).map(PrivateTransaction::key).toList();
    var endorsed =
        request.items().stream().filter(item -> !not.contains(item.transaction().key())).toList();
    return new EndorsementResponse(
        request.idempotencyKey(),
        ADDRESS,
        request.party(),
        request.attestationRequest().name(),
        endorsed.stream().map(item -> item.transaction().key()).toList(),
        endorsed.isEmpty() ? Optional.empty() : Optional.of(signature(request.party(), endorsed)),
        not.stream().map(key -> new EndorsementResponse.Refused(key, "no")).toList());
  }

  /** Over the root of these, in this order. */
  static Signature signature(Identity party, List<EndorsementRequest.Item> items) {
    var tree = MerkleTree.of(items.stream().map(EndorsementRequest.Item::transition).toList());
    return signature(party, Contract.GROUP.attestation(Purpose.ENDORSEMENT).digest(tree));
  }

  /** What whoever endorses that assembly signs. */
  static Hash endorsed(PostAssembly assembly, PrivateTransaction transaction) {
    var transition = assembly.transition(transaction.key());
    return Contract.GROUP.attestation(Purpose.ENDORSEMENT).digest(transition, MerklePath.ALONE);
  }

  static Signature signature(Identity party, Hash digest) {
    var member = Contract.GROUP.committee().member(party).orElseThrow();
    return new Signature(party, member.verifier(), signed(digest));
  }

  /** Answers every request for endorsements that the last step sent. */
  void endorse() {
    for (var request : sent(EndorsementRequest.class)) {
      endorse(request);
    }
  }

  void endorse(EndorsementRequest request) {
    tell(request.party().node(), endorsement(request));
  }

  /** Up to where its sender is asked for leave. */
  RequestDispatchConfirmation leaveIsAskedFor(
      PrivateTransaction transaction, PostAssembly assembly) {
    delegate(transaction);
    load();
    assembled(transaction, assembly);
    endorse();
    return sent(RequestDispatchConfirmation.class).get(0);
  }

  /** All that it asks for. */
  void refuse(EndorsementRequest request) {
    var all = request.items().stream().map(EndorsementRequest.Item::transaction);
    refuse(request, all.toArray(PrivateTransaction[]::new));
  }

  void refuse(EndorsementRequest request, PrivateTransaction... refused) {
    tell(request.party().node(), endorsement(request, refused));
  }

  void refuse(EndorsementRequest request, EndorsementError.Reason reason) {
    tell(
        request.party().node(),
        new EndorsementError(
            request.idempotencyKey(),
            ADDRESS,
            reason,
            request.party(),
            request.attestationRequest().name()));
  }

  /** All that it asks for. */
  void grant(NodeName from, RequestDispatchConfirmation asked) {
    tell(from, leave(asked.requestId(), asked.items()));
  }

  static DispatchConfirmationResponse leave(
      RequestId request, List<RequestDispatchConfirmation.Item> items) {
    return new DispatchConfirmationResponse(
        request,
        ADDRESS,
        items.stream()
            .map(
                item ->
                    new DispatchConfirmationResponse.Granted(
                        item.transaction(), item.delegationId()))
            .toList(),
        List.of());
  }

  static DispatchConfirmationResponse denial(
      RequestId request, List<RequestDispatchConfirmation.Item> items) {
    return new DispatchConfirmationResponse(
        request,
        ADDRESS,
        List.of(),
        items.stream()
            .map(
                item ->
                    new DispatchConfirmationResponse.Denied(
                        item.transaction(),
                        item.delegationId(),
                        DispatchConfirmationResponse.Reason.NOT_ACTIVE_DELEGATE))
            .toList());
  }

  /** For which leave is asked in the last step, in order. */
  List<TransactionId> askedForLeave() {
    return sent(RequestDispatchConfirmation.class).stream()
        .flatMap(request -> request.transactions().stream())
        .toList();
  }

  void tell(NodeName from, Message.ForCoordinator message) {
    tell(from, List.of(message));
  }

  /** In one go. */
  void tell(NodeName from, List<? extends Message.ForCoordinator> messages) {
    tell(
        new CoordinatorInput.FromNode(
            messages.stream()
                .<Received<? extends Message.ForCoordinator>>map(
                    message -> Contract.from(from, message))
                .toList()));
  }

  void tell(CoordinatorInput input) {
    last = coordinator.decide(state, input, now);
    state = last.state();
    allSent.addAll(last.messages());
  }

  /** What it sends in this time. */
  List<Message> tickFor(Duration time) {
    int before = allSent.size();
    var end = now.plus(time);
    while (now.isBefore(end)) {
      now = now.plusMillis(100);
      tell(new CoordinatorInput.Tick());
    }
    return allSent.subList(before, allSent.size()).stream().map(Outgoing::message).toList();
  }

  /** As a JVM does that is stopped, or collects garbage: one late tick, and nothing before it. */
  void standsStillFor(Duration time) {
    now = now.plus(time);
    tell(new CoordinatorInput.Tick());
  }

  /** To whom it has sent such messages in the last step. */
  List<NodeName> sentTo(Class<?> kind) {
    return last.messages().stream()
        .filter(sent -> kind.isInstance(sent.message()))
        .map(Outgoing::to)
        .toList();
  }

  boolean has(CoordinatorEffect effect) {
    return last.effects().contains(effect);
  }

  Instant now() {
    return now;
  }

  CoordinatorState state() {
    return state;
  }

  CoordinatedTransaction transaction(PrivateTransaction transaction) {
    return state.transactions().get(transaction.key());
  }

  <M> List<M> sent(Class<M> kind) {
    return last.messages().stream()
        .map(Outgoing::message)
        .filter(kind::isInstance)
        .map(kind::cast)
        .toList();
  }

  /** What the last step has handed to the submitter. */
  List<Dispatch> handed() {
    return last.effects().stream()
        .filter(CoordinatorEffect.HandToSubmitter.class::isInstance)
        .flatMap(effect -> ((CoordinatorEffect.HandToSubmitter) effect).dispatches().stream())
        .toList();
  }
}
