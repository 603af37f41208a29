package dev.sequitur.protocol.sender;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.BlockRange;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.DelegationRejected;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.StartupNotification;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.selection.Ranking;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a sender believes of others, and how it helps itself. */
class SenderTrustTest {
  private static final PrivateTransaction TRANSACTION = Contract.transaction(A, 1);

  private final BlockHeight height = Contract.heightPreferring(B, BlockHeight.ZERO);
  private final Sender sender =
      new Sender(new SenderSetup(A, Contract.GROUP, Contract.SELECTION, SequencerSettings.DEFAULT));
  private SenderState state = SenderState.initial();
  private Instant now = Instant.EPOCH;
  private Decision<SenderState, SenderEvent, SenderEffect> last;
  private final List<SenderEffect> counts = new ArrayList<>();

  @BeforeEach
  void delegateToB() {
    tell(new SenderInput.Started(height, 0));
    tell(new SenderInput.PendingLoaded(List.of(), Map.of(), Map.of(), Optional.empty()));
    tell(new SenderInput.IntentsAccepted(List.of(TRANSACTION), false));
    assertThat(delegatedTo()).containsExactly(B);
  }

  @Test
  void aTransactionThatNobodyHoldsAnyMoreIsSoughtOnTheLedger() {
    tell(B, heartbeatNaming(TRANSACTION));
    assertThat(transactionState()).isEqualTo(TransactionState.DISPATCHED);

    now = now.plus(SequencerSettings.DEFAULT.heartbeats().submitterFailureThreshold());
    tell(new SenderInput.Tick());

    assertThat(last.effects())
        .contains(new SenderEffect.SeekConfirmation(List.of(TRANSACTION.key())));
  }

  @Test
  void whatIsFoundOnTheLedgerEndsAsConfirmed() {
    tell(new SenderInput.ConfirmationFound(now, Map.of(TRANSACTION.key(), onLedger())));

    assertThat(state.isIdle()).isTrue();
    assertThat(completed()).singleElement().matches(Receipt::success);
  }

  @Test
  void whatAnotherMemberFulfilsUnderTheSameIdConfirmsNothing() {
    var ofAnother = Contract.transaction(C, 1).key();
    assertThat(ofAnother.transaction()).isEqualTo(TRANSACTION.id());

    tell(new SenderInput.BlockIndexed(height, now, Map.of(ofAnother, onLedger())));

    assertThat(completed()).isEmpty();
    assertThat(state.transactions()).containsKey(TRANSACTION.id());
  }

  @Test
  void whatAnotherMemberFulfilsUnderTheSameIdDoesNotHideTheOwnConfirmation() {
    var ofAnother = Contract.transaction(C, 1).key();

    tell(
        new SenderInput.BlockIndexed(
            height, now, Map.of(ofAnother, onLedger(), TRANSACTION.key(), onLedger())));

    assertThat(completed()).singleElement().matches(Receipt::success);
  }

  @Test
  void whatAnotherMemberFulfilsUnderTheIdOfADependencyReleasesNothing() {
    var dependant = Contract.transaction(A, 7, TRANSACTION.id());
    tell(B, reverted(false));
    var ofAnother = Contract.transaction(C, 1).key();
    tell(new SenderInput.BlockIndexed(height, now, Map.of(ofAnother, onLedger())));

    tell(new SenderInput.IntentsAccepted(List.of(dependant), false));

    assertThat(delegatedTo()).isEmpty();
  }

  @Test
  void aLateConfirmationOfTheOwnIntentStillWins() {
    tell(B, reverted(false));

    tell(new SenderInput.BlockIndexed(height, now, Map.of(TRANSACTION.key(), onLedger())));

    assertThat(completed()).singleElement().matches(Receipt::success);
  }

  @Test
  void aLateFulfilmentByAnotherMemberUnderTheSameIdDoesNotWin() {
    tell(B, reverted(false));

    var ofAnother = Contract.transaction(C, 1).key();
    tell(new SenderInput.BlockIndexed(height, now, Map.of(ofAnother, onLedger())));

    assertThat(completed()).isEmpty();
  }

  private Receipt.OnLedger onLedger() {
    return new Receipt.OnLedger(
        new TransactionHash(Contract.hash("transaction")),
        height,
        0,
        List.of(),
        List.of(),
        List.of());
  }

  @Test
  void aMemberThatOnlyClaimsToHoldATransactionCannotEndIt() {
    restart();
    tell(C, heartbeatNaming(TRANSACTION));
    assertThat(transactionState()).isEqualTo(TransactionState.DISPATCHED);

    tell(C, reverted(false));

    assertThat(completed()).isEmpty();
    assertThat(transactionState()).isEqualTo(TransactionState.PENDING);
  }

  @Test
  void aMemberThatOnlyClaimsToHoldATransactionUsesUpNoAttempt() {
    restart();
    tell(C, heartbeatNaming(TRANSACTION));
    tell(C, reverted(true));

    assertThat(last.events()).isEmpty();
    assertThat(state.transactions().get(TRANSACTION.id()).attempts()).isZero();
  }

  private void restart() {
    state = SenderState.initial();
    tell(new SenderInput.Started(height, 0));
    tell(new SenderInput.PendingLoaded(List.of(TRANSACTION), Map.of(), Map.of(), Optional.empty()));
  }

  @Test
  void aMemberThatATransactionWasNotDelegatedToDoesNotHoldIt() {
    tell(C, heartbeatNaming(TRANSACTION));

    assertThat(transactionState()).isEqualTo(TransactionState.DELEGATING);
    assertThat(last.effects())
        .contains(new SenderEffect.Count(SenderEffect.Counted.STRANGE_SUBMITTER));
  }

  @Test
  void aMemberThatATransactionWasNotDelegatedToKeepsNobodyElsesSilenceHidden() {
    var threshold = SequencerSettings.DEFAULT.heartbeats().submitterFailureThreshold();
    tell(B, heartbeatNaming(TRANSACTION));

    now = now.plus(threshold.dividedBy(2));
    tell(C, heartbeatNaming(TRANSACTION));
    now = now.plus(threshold.dividedBy(2));
    tell(new SenderInput.Tick());

    assertThat(transactionState()).isNotEqualTo(TransactionState.DISPATCHED);
  }

  @Test
  void afterARestartWhoeverHoldsItIsBelievedForABoundedTime() {
    var threshold = SequencerSettings.DEFAULT.heartbeats().submitterFailureThreshold();
    restart();
    var since = now;
    for (int i = 0; i < 40; i++) {
      tell(C, heartbeatNaming(TRANSACTION));
      tell(new SenderInput.Tick());
      boolean bounded = now.isBefore(since.plus(threshold.multipliedBy(8)));
      if (bounded) {
        assertThat(transactionState()).isEqualTo(TransactionState.DISPATCHED);
      }
      now = now.plus(threshold.dividedBy(2));
    }

    assertThat(transactionState()).isNotEqualTo(TransactionState.DISPATCHED);
  }

  @Test
  void theCoordinatorMayEndIt() {
    tell(B, reverted(false));

    assertThat(completed()).singleElement().matches(receipt -> !receipt.success());
  }

  @Test
  void aCoordinatorThatClaimsAHeightFarAheadHoldsBackNothingBeyondItsRange() {
    tell(B, rejected(farAhead()));
    now = now.plusSeconds(1);
    tell(new SenderInput.Tick());
    assertThat(delegatedTo()).isEmpty();

    var next = Contract.heightPreferring(C, height);
    tell(new SenderInput.BlockIndexed(next, now, Map.of()));

    assertThat(delegatedTo()).containsExactly(C);
  }

  /** B was asked for want of C; then it is the preferred one, and then it is not. */
  @Test
  void norDoesOneThatWasAskedForWantOfABetterOneAndIsPreferredLater() {
    preferC();
    letItTimeOut();
    assertThat(delegatedTo()).containsExactly(B);
    tell(B, rejected(farAhead()));
    var ofB = Contract.heightPreferring(B, state.height());
    tell(new SenderInput.BlockIndexed(ofB, now, Map.of()));

    tell(new SenderInput.BlockIndexed(Contract.heightPreferring(A, ofB), now, Map.of()));

    assertThat(delegatedTo()).containsExactly(A);
  }

  @Test
  void aHeightThatOneCoordinatorClaimsDoesNotHoldBackFromABetterOneThatIsHeardOf() {
    preferC();
    letItTimeOut();
    tell(B, rejected(farAhead()));
    assertThat(delegatedTo()).isEmpty();

    tell(C, new StartupNotification(new RequestId("startup"), now, ADDRESS));

    assertThat(delegatedTo()).containsExactly(C);
  }

  private DelegationRejected.Reason farAhead() {
    return new DelegationRejected.MismatchedBlockHeight(
        state.height(), new BlockHeight(Long.MAX_VALUE));
  }

  @Test
  void anOverloadedCoordinatorMayAskForAShortWaitOnly() {
    tell(B, rejected(new DelegationRejected.Overloaded(Duration.ofSeconds(Long.MAX_VALUE))));

    now = now.plus(SequencerSettings.DEFAULT.retries().redelegation().cap());
    tell(new SenderInput.Tick());

    assertThat(delegatedTo()).containsExactly(B);
  }

  @Test
  void aCoordinatorThatRejectsForTheSakeOfAWorseMemberIsPassedOver() {
    tell(B, rejected(notPreferred(C)));

    assertThat(delegatedTo()).containsExactly(nextAfterB());
    assertThat(counted(SenderEffect.Counted.UNFOUNDED_REJECTION)).isOne();
  }

  @Test
  void aCoordinatorThatRejectsForTheSakeOfAStrangerIsPassedOver() {
    tell(B, rejected(notPreferred(new NodeName("stranger"))));

    assertThat(delegatedTo()).containsExactly(nextAfterB());
  }

  @Test
  void aCoordinatorThatRejectsForItsOwnSakeIsPassedOver() {
    tell(B, rejected(notPreferred(B)));

    assertThat(delegatedTo()).containsExactly(nextAfterB());
  }

  /** It lives all the time; what it says of itself is no reason to ask it (AVL-7). */
  @Test
  void aCoordinatorThatWasPassedOverIsNotAskedAgainOnASignOfLife() {
    tell(B, rejected(notPreferred(B)));

    tell(B, new StartupNotification(new RequestId("startup"), now, ADDRESS));

    assertThat(delegatedTo()).doesNotContain(B);
  }

  @Test
  void aBetterMemberThatDidNotAnswerIsTriedAgainOnAnothersWordOnce() {
    preferC();
    assertThat(delegatedTo()).containsExactly(C);
    letItTimeOut();
    assertThat(delegatedTo()).as("C is presumed unavailable").containsExactly(B);

    tell(B, rejected(notPreferred(C)));
    waitLonger();
    assertThat(delegatedTo()).as("B says that C lives").containsExactly(C);
    letItTimeOut();
    assertThat(delegatedTo()).containsExactly(B);
    tell(B, rejected(notPreferred(C)));

    assertThat(delegatedTo()).as("what B says has proved wrong").containsExactly(A);
    assertThat(counted(SenderEffect.Counted.UNFOUNDED_REJECTION)).isOne();
  }

  @Test
  void aBetterMemberThatHasAnsweredMeanwhileIsVouchedForAnew() {
    preferC();
    letItTimeOut();
    tell(B, rejected(notPreferred(C)));
    waitLonger();
    tell(C, rejectedBy(C, new DelegationRejected.Overloaded(Duration.ofMillis(1))));
    waitLonger();
    assertThat(delegatedTo()).containsExactly(C);
    letItTimeOut();

    tell(B, rejected(notPreferred(C)));
    waitLonger();

    assertThat(delegatedTo()).containsExactly(C);
    assertThat(counted(SenderEffect.Counted.UNFOUNDED_REJECTION)).isZero();
  }

  /** From now on C comes before B, and B before A. */
  private void preferC() {
    var better = height;
    do {
      better = Contract.heightPreferring(C, better);
    } while (!ranking(better).prefers(B, A));
    tell(new SenderInput.BlockIndexed(better, now, Map.of()));
  }

  private static Ranking ranking(BlockHeight at) {
    return Contract.SELECTION.ranking(Contract.SELECTION.range(at));
  }

  private NodeName nextAfterB() {
    return ranking(height).preferred(node -> !node.equals(B)).orElseThrow();
  }

  private static DelegationRejected.Reason notPreferred(NodeName better) {
    return new DelegationRejected.NotPreferredCoordinator(better, Instant.EPOCH, Optional.empty());
  }

  private void waitLonger() {
    now = now.plus(SequencerSettings.DEFAULT.retries().redelegation().cap());
    tell(new SenderInput.Tick());
  }

  private void letItTimeOut() {
    now = now.plus(SequencerSettings.DEFAULT.delivery().delegationTimeout());
    tell(new SenderInput.Tick());
  }

  private long counted(SenderEffect.Counted what) {
    return counts.stream().filter(new SenderEffect.Count(what)::equals).count();
  }

  private DelegationRejected rejected(DelegationRejected.Reason reason) {
    return rejectedBy(B, reason);
  }

  private DelegationRejected rejectedBy(NodeName node, DelegationRejected.Reason reason) {
    var delegation =
        state.transactions().get(TRANSACTION.id()).progress().delegation().orElseThrow();
    return new DelegationRejected(delegation, node, ADDRESS, List.of(TRANSACTION.id()), reason);
  }

  private static TransactionReverted reverted(boolean retryable) {
    return new TransactionReverted(
        new RequestId("reverted"),
        TRANSACTION.id(),
        ADDRESS,
        Optional.empty(),
        "No reason.",
        retryable);
  }

  private SubmitterHeartbeatNotification heartbeatNaming(PrivateTransaction transaction) {
    var range = new BlockRange(height.value() / 10);
    return new SubmitterHeartbeatNotification(
        new HeartbeatSequence(1, 1),
        now,
        ADDRESS,
        List.of(new SubmitterHeartbeatNotification.Pending(transaction.id(), range)),
        List.of());
  }

  private void tell(NodeName from, Message.ForSender message) {
    tell(new SenderInput.FromNode(Contract.from(from, message)));
  }

  private void tell(SenderInput input) {
    last = sender.decide(state, input, now);
    state = last.state();
    counts.addAll(last.effects());
  }

  private TransactionState transactionState() {
    return state.transactions().get(TRANSACTION.id()).state();
  }

  private List<NodeName> delegatedTo() {
    return last.messages().stream()
        .filter(outgoing -> outgoing.message() instanceof DelegationCommand)
        .map(outgoing -> outgoing.to())
        .toList();
  }

  private List<Receipt> completed() {
    return last.effects().stream()
        .flatMap(
            effect ->
                switch (effect) {
                  case SenderEffect.Complete complete -> complete.receipts().stream();
                  case SenderEffect.Confirm confirm -> confirm.ofKnown().stream();
                  default -> Stream.<Receipt>empty();
                })
        .toList();
  }
}
