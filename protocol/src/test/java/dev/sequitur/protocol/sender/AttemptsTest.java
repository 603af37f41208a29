package dev.sequitur.protocol.sender;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.Dispatched;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.message.TransactionRevertedAcknowledgement;
import dev.sequitur.protocol.settings.SequencerSettings.RetrySettings;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Failed tries are counted, waited after and limited, across restarts (SND-4, EDR-5). */
class AttemptsTest {
  private static final RetrySettings RETRIES = SenderOfA.SETTINGS.retries();
  private static final PrivateTransaction TRANSACTION = Contract.transaction(A, 1);
  private static final PrivateTransaction DEPENDANT = SenderOfA.after(2, TRANSACTION);

  private final SenderOfA sender = SenderOfA.started();

  @Test
  void afterADispatchThatTheLedgerRefusedItWaitsAndIsTriedAgain() {
    dispatched();

    reverted(true);

    var wait = RETRIES.attempt().wait(1, TRANSACTION.id().hashCode());
    failed(1, sender.now().plus(wait));
    sender.tickAfter(wait.minusMillis(1));
    assertThat(sender.delegatedTo()).isEmpty();
    sender.tickAfter(Duration.ofMillis(1));
    assertThat(sender.delegatedTo()).containsExactly(B);
  }

  /** Its coordinator has tried it that often already. */
  @Test
  void whatEndorsersRefuseCountsAsOftenAsTheCoordinatorTriesIt() {
    sender.delegated(TRANSACTION);

    reverted(true);

    int tries = RETRIES.maxRefusals();
    var wait = RETRIES.refusal().wait(tries, TRANSACTION.id().hashCode());
    failed(tries, sender.now().plus(wait));
  }

  @Test
  void theCountAndTheWaitSurviveARestart() {
    sender.delegated(TRANSACTION);
    reverted(true);
    var notBefore = sender.transaction(TRANSACTION).notBefore();
    for (int i = 0; i < 3; i++) {
      dispatchedLater();
      reverted(true);
      notBefore = sender.transaction(TRANSACTION).notBefore();
    }

    sender.restart(List.of(TRANSACTION), Map.of());

    assertThat(sender.transaction(TRANSACTION).attempts()).isEqualTo(RETRIES.maxRefusals() + 3);
    var grace = SenderOfA.SETTINGS.heartbeats().submitterInterval().multipliedBy(2);
    var loaded = sender.now().plus(grace);
    assertThat(sender.transaction(TRANSACTION).notBefore())
        .isEqualTo(notBefore.isAfter(loaded) ? notBefore : loaded);
  }

  /** It would wait, though nothing is wrong any more, until the clock has come to that time. */
  @Test
  void whatIsRememberedByAClockThatWasAheadWaitsForNoLongerThanForAnyTry() {
    sender.passes(Duration.ofDays(3));
    sender.delegated(TRANSACTION);
    reverted(true);
    sender.passes(Duration.ofDays(-3));

    sender.restart(List.of(TRANSACTION), Map.of());

    assertThat(sender.transaction(TRANSACTION).notBefore())
        .isEqualTo(sender.now().plus(RETRIES.refusal().cap()));
    sender.tickAfter(RETRIES.refusal().cap());
    assertThat(sender.delegatedTo()).containsExactly(B);
  }

  @Test
  void afterSoManyTriesItEndsAsRevertedAndWhatDependsOnItToo() {
    sender.accept(TRANSACTION, DEPENDANT);
    dispatchedLater();
    int most = RETRIES.maxAttempts();
    for (int attempts = 1; attempts < most; attempts++) {
      reverted(true);
      assertThat(sender.completed()).isEmpty();
      assertThat(sender.transaction(TRANSACTION).attempts()).isEqualTo(attempts);
      dispatchedLater();
    }

    reverted(true);

    assertThat(sender.completed()).hasSize(2);
    assertThat(sender.completed())
        .filteredOn(receipt -> receipt.transaction().equals(TRANSACTION.id()))
        .singleElement()
        .satisfies(
            receipt -> {
              assertThat(receipt.failureMessage())
                  .contains("Given up after " + most + " attempts; the last one: no");
              assertThat(receipt.course().orElseThrow().attempts()).isEqualTo(most);
            });
    assertThat(sender.last().events())
        .as("nothing is remembered of what has ended")
        .containsExactly(new SenderEvent.Ended(TRANSACTION.id()));
    assertThat(sender.state().remembered()).isEmpty();
    assertThat(sender.state().isIdle()).isTrue();
  }

  @Test
  void whatNeverFailedNeedsNotBeForgotten() {
    sender.delegated(TRANSACTION);

    sender.confirm(TRANSACTION);

    assertThat(sender.last().events()).isEmpty();
  }

  @Test
  void thatSomethingWasRevertedIsAcknowledgedToWhoeverSaysIt() {
    sender.delegated(TRANSACTION);
    for (var from : List.of(B, C)) {
      sender.tell(from, told(Contract.transaction(A, 9), false));

      assertThat(sender.sent())
          .containsExactly(
              new TransactionRevertedAcknowledgement(new RequestId("reverted"), ADDRESS));
    }
    sender.tell(C, told(TRANSACTION, false));
    assertThat(sender.sent()).hasSize(1);
    assertThat(sender.stateOf(TRANSACTION)).isEqualTo(TransactionState.DELEGATED);
  }

  /** Of a dispatch by another node it says nothing about this one. */
  @Test
  void onceItsSubmitterIsKnownOnlyThatOneSaysThatItFailed() {
    dispatched();
    sender.index(Contract.heightPreferring(C, sender.height));
    assertThat(sender.stateOf(TRANSACTION)).isEqualTo(TransactionState.DISPATCHED);

    sender.tell(C, told(TRANSACTION, true));
    assertThat(sender.stateOf(TRANSACTION)).isEqualTo(TransactionState.DISPATCHED);
    sender.tell(B, told(TRANSACTION, true));
    assertThat(sender.transaction(TRANSACTION).attempts()).isEqualTo(1);
  }

  @Test
  void anIntentThatIsAcceptedTwiceIsTakenOnce() {
    sender.delegated(TRANSACTION);

    sender.accept(TRANSACTION);

    assertThat(sender.delegatedTo()).isEmpty();
    assertThat(sender.stateOf(TRANSACTION)).isEqualTo(TransactionState.DELEGATED);
    sender.confirm(TRANSACTION);
    sender.accept(TRANSACTION);
    assertThat(sender.state().isIdle()).as("it has ended").isTrue();
  }

  /** Its acceptance was durable before the restart was over. */
  @Test
  void anIntentThatIsAcceptedWhileItIsLoadedNeedNotWait() {
    sender.restart(List.of(TRANSACTION), Map.of());
    assertThat(sender.delegatedTo()).as("submitters are heard first").isEmpty();

    sender.accept(TRANSACTION);

    assertThat(sender.delegatedTo()).containsExactly(B);
  }

  @Test
  void whatHasFailedWaitsThoughItIsAcceptedAgain() {
    sender.delegated(TRANSACTION);
    reverted(true);

    sender.accept(TRANSACTION);

    assertThat(sender.delegatedTo()).isEmpty();
  }

  private void dispatched() {
    var command = sender.delegated(TRANSACTION);
    held(command);
  }

  /** As soon as it is delegated again. */
  private void dispatchedLater() {
    for (int i = 0; i < 100 && sender.stateOf(TRANSACTION) == TransactionState.PENDING; i++) {
      sender.tickAfter(Duration.ofSeconds(1));
    }
    var command = sender.command();
    sender.accepted(command, 1);
    held(command);
  }

  private void held(DelegationCommand command) {
    sender.tell(
        B,
        new Dispatched(
            ADDRESS, List.of(new Dispatched.Item(TRANSACTION.id(), command.delegationId())), B));
    assertThat(sender.stateOf(TRANSACTION)).isEqualTo(TransactionState.DISPATCHED);
  }

  private void reverted(boolean retryable) {
    sender.tell(B, told(TRANSACTION, retryable));
  }

  private static TransactionReverted told(PrivateTransaction transaction, boolean retryable) {
    return new TransactionReverted(
        new RequestId("reverted"), transaction.id(), ADDRESS, Optional.empty(), "no", retryable);
  }

  /** What is remembered of the last try; its reason is for people. */
  private void failed(int attempts, Instant notBefore) {
    assertThat(sender.last().events())
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("what")
        .containsExactly(
            new SenderEvent.AttemptFailed(TRANSACTION.id(), attempts, notBefore, Optional.empty()));
  }
}
