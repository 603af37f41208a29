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
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.message.Dispatched;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification.CannotSubmit;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification.DispatchedTransaction;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification.Pending;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification.Submission;
import dev.sequitur.protocol.settings.SequencerSettings.HeartbeatSettings;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a submitter that cannot submit names counts as named no more (SUB-11). */
class UnableSubmitterTest {
  private static final HeartbeatSettings TIMES = SenderOfA.SETTINGS.heartbeats();

  private final SenderOfA sender = SenderOfA.started();
  private final PrivateTransaction held = Contract.transaction(A, 1);

  private void dispatched() {
    var command = sender.delegated(held);
    sender.tell(
        B,
        new Dispatched(
            ADDRESS, List.of(new Dispatched.Item(held.id(), command.delegationId())), B));
    assertThat(sender.stateOf(held)).isEqualTo(TransactionState.DISPATCHED);
  }

  /** It says so each second, until it counts as lost. */
  private void saysThatItCannot(NodeName submitter, List<DispatchedTransaction> details) {
    var each = Duration.ofSeconds(1);
    for (var passed = Duration.ZERO;
        passed.compareTo(TIMES.submitterFailureThreshold()) < 0;
        passed = passed.plus(each)) {
      says(submitter, new Pending(held.id(), new BlockRange(1)), details);
      sender.tickAfter(each);
    }
  }

  private void says(NodeName submitter, Pending pending, List<DispatchedTransaction> details) {
    sender.tell(
        submitter,
        new SubmitterHeartbeatNotification(
            new HeartbeatSequence(1, 1),
            Instant.EPOCH,
            ADDRESS,
            List.of(pending),
            details,
            Optional.of(new CannotSubmit(Instant.EPOCH, "no ledger")),
            Optional.empty()));
  }

  @Test
  void whatItHoldsIsDelegatedAgainAfterAWhileAndItsNodeIsPassedOver() {
    dispatched();

    saysThatItCannot(B, List.of());

    assertThat(sender.counted(SenderEffect.Counted.SUBMITTER_LOST)).isTrue();
    assertThat(sender.counted(SenderEffect.Counted.PASSED_OVER)).isTrue();
    assertThat(sender.state().availability().isKnownUnable(B)).isTrue();
    assertThat(sender.transaction(held).history())
        .extracting(Receipt.Happened::what)
        .contains("the submitter of b cannot submit: no ledger");
  }

  /** The ledger may take it any time. */
  @Test
  void whatAPoolHasIsHeldByItStill() {
    dispatched();
    var submission =
        new Submission(Instant.EPOCH, new TransactionHash(Contract.hash("pooled")), new Fees(2, 1));

    saysThatItCannot(
        B, List.of(new DispatchedTransaction(held.id(), List.of(submission), List.of())));

    assertThat(sender.stateOf(held)).isEqualTo(TransactionState.DISPATCHED);
    assertThat(sender.counted(SenderEffect.Counted.SUBMITTER_LOST)).isFalse();
  }

  @Test
  void whatAnotherSaysOfItselfConcernsOnlyWhatThatOneHolds() {
    dispatched();

    says(C, new Pending(held.id(), new BlockRange(1)), List.of());

    assertThat(sender.transaction(held).progress().stuck()).isEmpty();
  }

  @Test
  void itHoldsBackNothingAtASwitchover() {
    var between = Contract.heightPreferring(C, sender.height);
    index(between);
    var range = Contract.SELECTION.range(between);
    says(C, new Pending(Contract.transaction(C, 9).id(), range), List.of());
    index(Contract.heightPreferring(B, between));
    sender.tickAfter(TIMES.submitterInterval());
    says(C, new Pending(Contract.transaction(C, 9).id(), range), List.of());

    sender.accept(Contract.transaction(A, 2));

    assertThat(sender.delegatedTo()).containsExactly(B);
  }

  private void index(BlockHeight height) {
    sender.tell(new SenderInput.BlockIndexed(height, sender.now(), Map.of()));
  }
}
