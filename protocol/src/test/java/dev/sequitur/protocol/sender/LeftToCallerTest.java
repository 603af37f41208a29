package dev.sequitur.protocol.sender;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.BlockRange;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.AssembleError;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.DelegationRejected;
import dev.sequitur.protocol.message.PreparedTransactionAcknowledgement;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.message.StartupNotification;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.StateLocks;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** External submit mode at the sender (EXT-1). */
class LeftToCallerTest {
  private static final PrivateTransaction TRANSACTION = SenderOfA.external(1);
  private static final Duration LOCK = SenderOfA.SETTINGS.limits().externalLock();

  private static final PrivateTransaction OTHER = Contract.transaction(C, 9);
  private static final StateId SPENT = spent().id();
  private static final StateId READ = Contract.state("read", A).id();
  private static final StateId MADE = Contract.state("made", A).id();

  private final SenderOfA sender = SenderOfA.started();
  private NodeName preferred = B;
  private int others;

  @Test
  void whatWasPreparedBeforeARestartIsNotPreparedAnew() {
    prepare();

    sender.restart(List.of(TRANSACTION), storedAt(sender.now()));

    assertThat(state()).isEqualTo(TransactionState.PREPARED);
    sender.tickAfter(Duration.ofSeconds(10));
    assertThat(sender.delegatedTo()).isEmpty();
  }

  @Test
  void whatWasPreparedJustAfterItsDelegationWasRescindedIsNotPreparedAnew() {
    sender.accept(TRANSACTION);
    var distribution = distribution(B);
    sender.tell(new SenderInput.FromNode(distribution));
    assertThat(sender.effects(SenderEffect.StorePrepared.class)).hasSize(1);
    sender.tell(
        new SenderInput.BlockIndexed(
            Contract.heightPreferring(C, sender.height), sender.now(), Map.of()));
    assertThat(sender.delegatedTo()).containsExactly(C);

    sender.tell(new SenderInput.PreparedStored(distribution));

    assertThat(state()).isEqualTo(TransactionState.PREPARED);
    sender.tell(new SenderInput.FromNode(distribution(C)));
    assertThat(sender.effects(SenderEffect.StorePrepared.class)).isEmpty();
    assertThat(sender.last().messages())
        .singleElement()
        .matches(message -> message.message() instanceof PreparedTransactionAcknowledgement);
  }

  @Test
  void whatIsPreparedIsNotAssembledAgain() {
    prepare();
    var delegation = sender.transaction(TRANSACTION).progress().delegation().orElseThrow();

    sender.tell(
        B,
        new AssembleRequest(
            new RequestId("again"),
            ADDRESS,
            sender.height,
            StateLocks.NONE,
            List.of(
                new AssembleRequest.Item(TRANSACTION.id(), delegation, Bytes.EMPTY, Bytes.EMPTY))));

    assertThat(sender.effects(SenderEffect.Assemble.class)).isEmpty();
    assertThat(sender.last().messages())
        .singleElement()
        .matches(message -> message.message() instanceof AssembleError);
    assertThat(state()).isEqualTo(TransactionState.PREPARED);
  }

  @Test
  void whatItsCallerNeverSubmitsEndsWhenItsLocksDo() {
    prepare();

    sender.tickAfter(LOCK.minusSeconds(1));
    assertThat(sender.completed()).isEmpty();
    sender.tickAfter(Duration.ofSeconds(1));

    assertThat(sender.completed())
        .singleElement()
        .matches(receipt -> !receipt.success())
        .extracting(receipt -> receipt.failureMessage().orElseThrow().contains("600 s"))
        .isEqualTo(true);
    assertThat(sender.state().isIdle()).as("it may leave memory").isTrue();
  }

  @Test
  void theTimeGoesOnOverARestart() {
    prepare();
    var preparedAt = sender.now();

    sender.tickAfter(LOCK.minusSeconds(1));
    sender.restart(List.of(TRANSACTION), storedAt(preparedAt));
    sender.tickAfter(Duration.ofSeconds(1));

    assertThat(sender.state().isIdle()).isTrue();
  }

  /** It was prepared by a clock that was ahead. */
  @Test
  void noLockLastsLongerSinceAClockWasSetBack() {
    prepare();
    var preparedAt = sender.now().plus(Duration.ofDays(3));

    sender.restart(List.of(TRANSACTION), storedAt(preparedAt));
    sender.tickAfter(LOCK);

    assertThat(sender.state().isIdle()).isTrue();
  }

  @Test
  void whatIsSubmittedTooLateIsConfirmedAllTheSame() {
    prepare();
    sender.tickAfter(LOCK);

    sender.confirm(TRANSACTION);

    assertThat(sender.completed()).singleElement().matches(Receipt::success);
  }

  @Test
  void nobodyCanKeepItByClaimingToHoldIt() {
    prepare();
    var pending = new SubmitterHeartbeatNotification.Pending(TRANSACTION.id(), new BlockRange(1));

    sender.tell(
        C,
        new SubmitterHeartbeatNotification(
            new HeartbeatSequence(1, 1), sender.now(), ADDRESS, List.of(pending), List.of()));

    assertThat(state()).isEqualTo(TransactionState.PREPARED);
  }

  @Test
  void whatIsStoredIsAcknowledgedToWhomeverPreparedIt() {
    prepare();

    assertAcknowledgedTo(B);
  }

  @Test
  void whatASubmitterIsToSubmitIsNotLeftToItsCaller() {
    var plain = Contract.transaction(A, 1);
    sender.accept(plain);
    sender.tell(new SenderInput.FromNode(distribution(B)));

    assertThat(sender.effects(SenderEffect.StorePrepared.class)).isEmpty();
    assertAcknowledgedTo(B);
  }

  @Test
  void onlyWhomItIsDelegatedToPreparesIt() {
    sender.accept(TRANSACTION);
    sender.tell(new SenderInput.FromNode(distribution(C)));

    assertThat(sender.effects(SenderEffect.StorePrepared.class)).isEmpty();
    assertAcknowledgedTo(C);
  }

  @Test
  void whatWasPreparedForAnotherIntentOfItsIdIsNotTaken() {
    sender.accept(TRANSACTION);
    var others = Contract.transaction(C, 2).key().commitment();
    sender.tell(new SenderInput.FromNode(distribution(B, new IntentKey(TRANSACTION.id(), others))));

    assertThat(sender.effects(SenderEffect.StorePrepared.class)).isEmpty();
    assertAcknowledgedTo(B);
  }

  /** Nothing is locked for it yet. */
  @Test
  void whatIsNotPreparedYetMayWaitLongerThanLocksLast() {
    var first = Contract.transaction(A, 2);
    var waiting = SenderOfA.externalAfter(1, first);
    sender.accept(first);
    sender.accept(waiting);

    sender.tickAfter(LOCK);

    assertThat(sender.completed()).isEmpty();
    assertThat(sender.stateOf(waiting)).isEqualTo(TransactionState.PENDING);
  }

  @Test
  void noCoordinatorHasOthersAssembledUponWhatItSpends() {
    prepare();

    assertThat(locksOf(nextOf(C)).spent()).containsExactly(SPENT);
  }

  @Test
  void nobodyIsOfferedWhatItSpends() {
    prepare();
    var offered = StateLocks.NONE.with(assembly(List.of(), List.of(spent(), other())));

    assertThat(locksOf(nextOf(C), offered).created()).containsOnlyKeys(other().id());
  }

  @Test
  void norAfterARestart() {
    prepare();

    sender.restart(List.of(TRANSACTION), storedAt(sender.now()));
    // Submitters are heard of first.
    sender.passes(Duration.ofMinutes(1));

    assertThat(locksOf(nextOf(B)).spent()).containsExactly(SPENT);
  }

  @Test
  void eachOtherCoordinatorIsToldOfItOnce() {
    prepare();
    assertThat(told()).as("who has prepared it").isEmpty();
    sender.passes(Duration.ofSeconds(7));

    sender.index(Contract.heightPreferring(C, sender.height));

    var command = told().getFirst();
    assertThat(command.delegateNode()).isEqualTo(C);
    assertThat(command.privateTransactions()).containsExactly(TRANSACTION);
    assertThat(command.left())
        .containsExactly(
            new DelegationCommand.Left(prepared(TRANSACTION.key()), Duration.ofSeconds(7)));
    assertThat(state()).isEqualTo(TransactionState.PREPARED);
    sender.accepted(command, 1);
    sender.tickAfter(Duration.ofSeconds(6));
    assertThat(told()).isEmpty();
    assertThat(sender.state().delegations().open()).isEmpty();
  }

  @Test
  void itIsToldUntilThatIsAnswered() {
    prepare();
    sender.index(Contract.heightPreferring(C, sender.height));
    var command = told().getFirst();

    sender.tickAfter(Duration.ofSeconds(1));

    assertThat(told()).containsExactly(command);
  }

  @Test
  void whoeverDoesNotLockItIsToldAgainSoonAndNotPassedOver() {
    prepare();
    sender.index(Contract.heightPreferring(C, sender.height));

    sender.rejected(told().getFirst(), new DelegationRejected.Overloaded(Duration.ofDays(1)));
    assertThat(told()).isEmpty();
    sender.tickAfter(Duration.ofSeconds(1));

    assertThat(told()).singleElement().matches(again -> again.delegateNode().equals(C));
  }

  @Test
  void whoeverHasForgottenItIsToldAgain() {
    prepare();

    sender.tell(B, new StartupNotification(new RequestId("startup"), sender.now(), ADDRESS));
    sender.tickAfter(Duration.ofSeconds(1));

    assertThat(told()).singleElement().matches(again -> again.delegateNode().equals(B));
  }

  @Test
  void nobodyIsToldOfWhatHasEnded() {
    prepare();
    sender.confirm(TRANSACTION);

    sender.index(Contract.heightPreferring(C, sender.height));

    assertThat(told()).isEmpty();
  }

  private List<DelegationCommand> told() {
    return sender.sent().stream()
        .filter(DelegationCommand.class::isInstance)
        .map(DelegationCommand.class::cast)
        .filter(command -> !command.left().isEmpty())
        .toList();
  }

  @Test
  void whatItWasToSpendIsFreeOnceItHasEnded() {
    prepare();
    sender.tickAfter(LOCK);

    assertThat(locksOf(nextOf(C))).isEqualTo(StateLocks.NONE);
  }

  @Test
  void whatItHasSpentIsNotLockedByItAnyMore() {
    prepare();
    sender.confirm(TRANSACTION);

    assertThat(locksOf(nextOf(C))).isEqualTo(StateLocks.NONE);
  }

  @Test
  void itEndsWithTheBlockInWhichAnotherSpendsWhatItSpendsOrReads() {
    for (var taken : List.of(SPENT, READ)) {
      var each = SenderOfA.started();
      prepare(each, TRANSACTION);

      each.tell(block(OTHER.key(), List.of(taken), List.of()));

      assertEndedBy(each);
    }
  }

  @Test
  void itEndsWithTheBlockInWhichAnotherMakesWhatItMakes() {
    prepare();

    sender.tell(block(OTHER.key(), List.of(), List.of(MADE)));

    assertEndedBy(sender);
  }

  @Test
  void itEndsAlsoIfThatBlockCameUnnoticed() {
    prepare();

    sender.tell(
        new SenderInput.ConfirmationFound(
            sender.now(), Map.of(OTHER.key(), onLedger(List.of(SPENT), List.of()))));

    assertEndedBy(sender);
  }

  @Test
  void whatOthersSpendElseAndWhatTheyReadTooLeavesItToItsCaller() {
    prepare();
    var elsewhere = List.of(other().id());
    var reads =
        new Receipt.OnLedger(
            new TransactionHash(Contract.hash("transaction")),
            sender.height,
            0,
            elsewhere,
            List.of(READ),
            elsewhere);

    sender.tell(
        new SenderInput.BlockIndexed(sender.height, sender.now(), Map.of(OTHER.key(), reads)));

    assertThat(state()).isEqualTo(TransactionState.PREPARED);
  }

  @Test
  void itIsConfirmedByTheBlockInWhichItSpendsWhatItSpends() {
    prepare();

    sender.tell(block(TRANSACTION.key(), List.of(SPENT), List.of(MADE)));

    assertThat(sender.completed()).singleElement().matches(Receipt::success);
  }

  private static void assertEndedBy(SenderOfA sender) {
    assertThat(sender.completed())
        .singleElement()
        .matches(receipt -> receipt.transaction().equals(TRANSACTION.id()))
        .matches(receipt -> !receipt.success())
        .extracting(receipt -> receipt.failureMessage().orElseThrow())
        .asString()
        .contains("transaction " + OTHER.id(), "block " + sender.height);
    assertThat(sender.state().isIdle()).isTrue();
  }

  private SenderInput block(IntentKey by, List<StateId> spent, List<StateId> made) {
    return new SenderInput.BlockIndexed(
        sender.height, sender.now(), Map.of(by, onLedger(spent, made)));
  }

  private Receipt.OnLedger onLedger(List<StateId> spent, List<StateId> made) {
    return new Receipt.OnLedger(
        new TransactionHash(Contract.hash("transaction")),
        sender.height,
        0,
        spent,
        List.of(),
        made);
  }

  private StateLocks locksOf(AssembleRequest request) {
    return locksOf(request, StateLocks.NONE);
  }

  /** Upon what the request's transaction is assembled. */
  private StateLocks locksOf(AssembleRequest request, StateLocks requested) {
    sender.tell(
        preferred,
        new AssembleRequest(
            request.assembleRequestId(),
            ADDRESS,
            request.blockHeight(),
            requested,
            request.items()));
    var asked = sender.effects(SenderEffect.Assemble.class);
    assertThat(asked).hasSize(1);
    return asked.getFirst().locks();
  }

  /** A request for another transaction of this sender, by who is preferred from now on. */
  private AssembleRequest nextOf(NodeName coordinator) {
    preferred = coordinator;
    var height = Contract.heightPreferring(coordinator, sender.state().height());
    sender.index(height);
    var next = Contract.transaction(A, 10 + ++others);
    sender.accept(next);
    var delegation = sender.transaction(next).progress().delegation().orElseThrow();
    return new AssembleRequest(
        new RequestId("request " + others),
        ADDRESS,
        height,
        StateLocks.NONE,
        List.of(new AssembleRequest.Item(next.id(), delegation, Bytes.EMPTY, Bytes.EMPTY)));
  }

  private static PostAssembly assembly(List<PrivateState> inputs, List<PrivateState> outputs) {
    return new PostAssembly(
        inputs, List.of(), outputs, List.of(), Bytes.EMPTY, List.of(), Proof.NONE);
  }

  private static PrivateState spent() {
    return Contract.state("spent", A);
  }

  private static PrivateState other() {
    return Contract.state("other", A);
  }

  private Map<TransactionId, NodeStore.Prepared> storedAt(Instant time) {
    return Map.of(
        TRANSACTION.id(), new NodeStore.Prepared(prepared(TRANSACTION.key()), List.of(), time));
  }

  private void assertAcknowledgedTo(NodeName node) {
    assertThat(sender.last().messages())
        .singleElement()
        .matches(each -> each.to().equals(node))
        .matches(each -> each.message() instanceof PreparedTransactionAcknowledgement);
  }

  private void prepare() {
    prepare(TRANSACTION);
  }

  private void prepare(PrivateTransaction transaction) {
    prepare(sender, transaction);
  }

  private static void prepare(SenderOfA sender, PrivateTransaction transaction) {
    sender.accept(transaction);
    var progress = sender.transaction(transaction).progress();
    var distribution =
        distribution(
            progress.delegate().orElseThrow(),
            progress.delegation().orElseThrow(),
            transaction.key());
    sender.tell(new SenderInput.FromNode(distribution));
    sender.tell(new SenderInput.PreparedStored(distribution));
    assertThat(sender.stateOf(transaction)).isEqualTo(TransactionState.PREPARED);
  }

  private TransactionState state() {
    return sender.transaction(TRANSACTION).state();
  }

  private Received<PreparedTransactionDistribution> distribution(NodeName from) {
    return distribution(from, TRANSACTION.key());
  }

  private Received<PreparedTransactionDistribution> distribution(NodeName from, IntentKey intent) {
    var delegation = sender.transaction(TRANSACTION).progress().delegation().orElseThrow();
    return distribution(from, delegation, intent);
  }

  private static Received<PreparedTransactionDistribution> distribution(
      NodeName from, DelegationId delegation, IntentKey intent) {
    return Contract.from(
        from,
        new PreparedTransactionDistribution(
            new RequestId("prepared"), ADDRESS, delegation, prepared(intent), List.of()));
  }

  private static PreparedTransaction prepared(IntentKey intent) {
    return new PreparedTransaction(
        intent, ADDRESS, List.of(SPENT), List.of(READ), List.of(MADE), Proof.NONE);
  }
}
