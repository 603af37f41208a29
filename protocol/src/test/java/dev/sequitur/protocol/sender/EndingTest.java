package dev.sequitur.protocol.sender;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.B;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.sender.SenderEffect.Confirm;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A late confirmation wins (CNF-2). */
class EndingTest {
  private static final PrivateTransaction TRANSACTION = Contract.transaction(A, 1);

  private static final int MOST_TICKS = 1_000;
  private static final int ATTEMPTS = SequencerSettings.DEFAULT.retries().maxAttempts();

  private static final Receipt.OnLedger ON_LEDGER =
      new Receipt.OnLedger(
          new TransactionHash(Contract.hash("transaction")),
          new BlockHeight(1),
          0,
          List.of(),
          List.of(),
          List.of());

  private final SenderOfA sender = SenderOfA.started();

  @Test
  void aLateConfirmationWins() {
    revert();

    sender.confirm(TRANSACTION);

    assertThat(sender.completed()).singleElement().matches(Receipt::success);
    sender.confirm(TRANSACTION);
    assertThat(sender.last().effects()).as("the block again").isEmpty();
  }

  /** Nobody has to wait for the next tick. */
  @Test
  void whatWaitsForOneThatIsFoundOnTheLedgerIsDelegatedAtOnce() {
    sender.accept(TRANSACTION, SenderOfA.after(2, TRANSACTION));
    assertThat(sender.command().transactions()).containsExactly(TRANSACTION.id());
    assertThat(sender.state().isIdle()).isFalse();

    sender.tell(
        new SenderInput.ConfirmationFound(sender.now(), Map.of(TRANSACTION.key(), ON_LEDGER)));

    assertThat(sender.delegatedTo()).containsExactly(B);
  }

  /** As many as a receipt keeps, and always the newest. */
  @Test
  void theCourseThatIsKeptIsBounded() {
    sender.accept(TRANSACTION);
    var moved = sender.transaction(TRANSACTION);
    for (int i = 1; i <= 1_000; i++) {
      moved = moved.in(TransactionState.PENDING, sender.now(), "happened " + i);
    }

    assertThat(moved.course().history())
        .hasSize(128)
        .last()
        .extracting(Receipt.Happened::what)
        .isEqualTo("happened 1000");
  }

  @Test
  void aLateConfirmationWinsAfterARestartToo() {
    revert();
    sender.restart(List.of(), Map.of());

    sender.confirm(TRANSACTION);

    assertThat(sender.effects(Confirm.class))
        .singleElement()
        .extracting(late -> late.confirmations().keySet())
        .isEqualTo(Set.of(TRANSACTION.key()));
  }

  /** CNF-9: whoever listens is told in the ledger's order. */
  @Test
  void ownAndOthersOfABlockAreStoredTogetherInItsOrder() {
    var first = Contract.transaction(B, 1);
    var last = Contract.transaction(B, 2);
    sender.accept(TRANSACTION);

    sender.confirm(first, TRANSACTION, last);

    var stored = sender.effects(Confirm.class);
    assertThat(stored)
        .singleElement()
        .extracting(Confirm::known)
        .isEqualTo(Set.of(TRANSACTION.key()));
    assertThat(stored.getFirst().confirmations().keySet())
        .containsExactly(first.key(), TRANSACTION.key(), last.key());
    assertThat(sender.effects(SenderEffect.Complete.class)).isEmpty();
  }

  @Test
  void anotherMembersIntentOfTheSameIdIsNoLateConfirmation() {
    revert();

    sender.confirm(Contract.transaction(B, 1));

    assertThat(sender.completed()).isEmpty();
  }

  @Test
  void whatIsConfirmedInTimeNeedsNoSecondLook() {
    sender.accept(TRANSACTION);

    sender.confirm(TRANSACTION);
    assertThat(sender.effects(Confirm.class)).isEmpty();
    sender.confirm(TRANSACTION);
    assertThat(sender.last().effects()).isEmpty();
  }

  @Test
  void aReceiptKeepsTheReasonsOfAllFailedAttempts() {
    sender.accept(TRANSACTION);
    var reasons = new LinkedHashSet<String>();
    for (int tick = 0; tick < MOST_TICKS && sender.completed().isEmpty(); tick++) {
      sender.tickAfter(Duration.ofSeconds(11));
      // One that waits for its next try takes no notice, and hears the same reason again.
      var reason = "Reason " + sender.transaction(TRANSACTION).attempts() + ".";
      reasons.add(reason);
      tellReverted(reason, true);
    }

    var course = sender.completed().get(0).course().orElseThrow();
    assertThat(course.attempts()).isGreaterThanOrEqualTo(ATTEMPTS);
    assertThat(course.delegate()).isPresent();
    assertThat(reasons).hasSizeGreaterThan(5);
    assertThat(course.history()).extracting(Receipt.Happened::what).containsAll(reasons);
  }

  @Test
  void oneThatIsToBeTriedOnceEndsWithItsFirstFailure() {
    sender.accept(SenderOfA.triedAtMost(1, 1));

    tellReverted("No balance.", true);

    assertThat(sender.completed())
        .singleElement()
        .satisfies(
            receipt ->
                assertThat(receipt.failureMessage())
                    .hasValueSatisfying(why -> assertThat(why).contains("No balance.")));
  }

  @Test
  void aReceiptKeepsTheReasonsOfBeforeARestartToo() {
    sender.accept(TRANSACTION);
    tellReverted("Reason of before.", true);

    sender.restart(List.of(TRANSACTION), Map.of());
    untilDelegated();
    tellReverted("Reason of after.", false);

    assertThat(sender.completed().get(0).course().orElseThrow().history())
        .extracting(Receipt.Happened::what)
        .containsSubsequence("Reason of before.", "accepted", "Reason of after.");
  }

  /** However often it is tried: the journal is read whole when its node starts. */
  @Test
  void theNewestReasonsAreKeptOverARestart() {
    var state = SenderState.initial();
    for (int attempt = 1; attempt <= 50; attempt++) {
      var what = Optional.of(new Receipt.Happened(Instant.EPOCH, "Reason " + attempt + "."));
      state =
          Sender.evolve(
              state, new SenderEvent.AttemptFailed(TRANSACTION.id(), attempt, Instant.EPOCH, what));
    }

    assertThat(state.remembered().get(TRANSACTION.id()).failures())
        .hasSize(20)
        .last()
        .isEqualTo(new Receipt.Happened(Instant.EPOCH, "Reason 50."));
  }

  @Test
  void itsCallersNumberHoldsAfterARestartToo() {
    var few = SenderOfA.triedAtMost(4, 1);
    sender.accept(few);
    tellReverted("Reason 1.", true);
    assertThat(sender.completed()).isEmpty();

    sender.restart(List.of(few), Map.of());
    untilDelegated();
    tellReverted("Reason 2.", true);

    assertThat(sender.completed()).singleElement().matches(receipt -> !receipt.success());
  }

  @Test
  void aCallerGetsNoMoreTriesThanTheNodeHas() {
    sender.accept(SenderOfA.triedAtMost(Integer.MAX_VALUE, 1));
    int failures = 0;
    for (int tick = 0; tick < MOST_TICKS && sender.completed().isEmpty(); tick++) {
      sender.tickAfter(Duration.ofSeconds(11));
      tellReverted("Reason " + failures++ + ".", true);
    }

    assertThat(sender.completed().get(0).course().orElseThrow().attempts())
        .isBetween(ATTEMPTS, ATTEMPTS + 3);
  }

  private void untilDelegated() {
    for (int tick = 0; tick < MOST_TICKS; tick++) {
      sender.tickAfter(Duration.ofSeconds(11));
      if (!sender.delegatedTo().isEmpty()) {
        return;
      }
    }
    throw new AssertionError("It was not delegated again.");
  }

  @Test
  void aReceiptOfAConfirmationTellsWhatLedToIt() {
    sender.accept(TRANSACTION);

    sender.confirm(TRANSACTION);

    assertThat(sender.completed().get(0).course().orElseThrow().history())
        .extracting(Receipt.Happened::what)
        .endsWith("confirmed")
        .hasSizeGreaterThan(1);
  }

  private void revert() {
    sender.accept(TRANSACTION);
    tellReverted("No reason.", false);
    assertThat(sender.completed()).singleElement().matches(receipt -> !receipt.success());
  }

  private void tellReverted(String reason, boolean retryable) {
    sender.tell(
        B,
        new TransactionReverted(
            new RequestId(reason),
            TRANSACTION.id(),
            TRANSACTION.contract(),
            Optional.empty(),
            reason,
            retryable));
  }
}
