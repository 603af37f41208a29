package dev.sequitur.protocol.sender;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.BlockRange;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.AssembleError;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.PreparedTransactionAcknowledgement;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.StateLocks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** External submit mode at the sender (EXT-1). */
class LeftToCallerTest {
  private static final PrivateTransaction TRANSACTION = SenderOfA.external(1);
  private static final Duration LOCK = SenderOfA.SETTINGS.limits().externalLock();

  private final SenderOfA sender = SenderOfA.started();

  @Test
  void whatWasPreparedBeforeARestartIsNotPreparedAnew() {
    prepare();

    sender.restart(List.of(TRANSACTION), Map.of(TRANSACTION.id(), sender.now()));

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
    sender.restart(List.of(TRANSACTION), Map.of(TRANSACTION.id(), preparedAt));
    sender.tickAfter(Duration.ofSeconds(1));

    assertThat(sender.state().isIdle()).isTrue();
  }

  /** It was prepared by a clock that was ahead. */
  @Test
  void noLockLastsLongerSinceAClockWasSetBack() {
    prepare();
    var preparedAt = sender.now().plus(Duration.ofDays(3));

    sender.restart(List.of(TRANSACTION), Map.of(TRANSACTION.id(), preparedAt));
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

  private void assertAcknowledgedTo(NodeName node) {
    assertThat(sender.last().messages())
        .singleElement()
        .matches(each -> each.to().equals(node))
        .matches(each -> each.message() instanceof PreparedTransactionAcknowledgement);
  }

  private void prepare() {
    sender.accept(TRANSACTION);
    var distribution = distribution(B);
    sender.tell(new SenderInput.FromNode(distribution));
    sender.tell(new SenderInput.PreparedStored(distribution));
    assertThat(state()).isEqualTo(TransactionState.PREPARED);
  }

  private TransactionState state() {
    return sender.transaction(TRANSACTION).state();
  }

  private Received<PreparedTransactionDistribution> distribution(NodeName from) {
    return distribution(from, TRANSACTION.key());
  }

  private Received<PreparedTransactionDistribution> distribution(NodeName from, IntentKey intent) {
    var delegation = sender.transaction(TRANSACTION).progress().delegation().orElseThrow();
    var prepared =
        new PreparedTransaction(intent, ADDRESS, List.of(), List.of(), List.of(), Proof.NONE);
    return Contract.from(
        from,
        new PreparedTransactionDistribution(
            new RequestId("prepared"), ADDRESS, delegation, prepared, List.of()));
  }
}
