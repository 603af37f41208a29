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
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification.Pending;
import dev.sequitur.protocol.settings.SequencerSettings.HeartbeatSettings;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Each reason for which a sender delegates nothing at a switchover, singly (SWO-2). */
class ReasonsToHoldOffTest {
  private static final HeartbeatSettings TIMES = SenderOfA.SETTINGS.heartbeats();
  private static final Duration SETTLED = TIMES.submitterInterval().plusMillis(1);
  private static final PrivateTransaction OTHERS = Contract.transaction(C, 9);

  private final SenderOfA sender = SenderOfA.started();
  private final BlockHeight next = Contract.heightPreferring(B, sender.height);
  private final BlockRange earlier = Contract.SELECTION.range(sender.height);

  @Test
  void withoutAnyReasonItDelegatesAtOnce() {
    index();

    assertDelegates();
  }

  @Test
  void rightAfterTheSwitchItWaitsThoughTheSubmitterHoldsNothing() {
    index();
    beats(C);
    assertHoldsOff();

    sender.tickAfter(SETTLED);
    assertThat(sender.delegatedTo()).containsExactly(B);
  }

  @Test
  void oneIntervalAfterTheSwitchIsEnough() {
    index();
    beats(C);
    assertHoldsOff();
    assertThat(sender.counted(SenderEffect.Counted.HOLD_OFF)).isTrue();

    sender.tickAfter(TIMES.submitterInterval().minusMillis(1));
    assertThat(sender.delegatedTo()).isEmpty();
    assertThat(sender.counted(SenderEffect.Counted.HOLD_OFF)).as("again").isFalse();
    sender.tickAfter(Duration.ofMillis(1));
    assertThat(sender.delegatedTo()).containsExactly(B);
  }

  /** More may have been granted since, and be on its way to that submitter. */
  @Test
  void whatASubmitterSaidBeforeThatIntervalWasOverDoesNotTellThatNothingIsLeft() {
    index();
    beats(C, new Pending(OTHERS.id(), earlier));
    sender.confirm(OTHERS);

    sender.tickAfter(SETTLED);
    assertHoldsOff();
    beats(C);

    assertThat(sender.delegatedTo()).containsExactly(B);
  }

  @Test
  void ofWhatASubmitterHoldsOnlyWhatIsEarlierAndNotConfirmedCounts() {
    var own = new Pending(Contract.transaction(C, 10).id(), Contract.SELECTION.range(next));
    index();
    sender.tickAfter(SETTLED);
    beats(C, new Pending(OTHERS.id(), earlier), own);
    assertHoldsOff();

    sender.confirm(OTHERS);

    assertThat(sender.delegatedTo()).containsExactly(B);
  }

  @Test
  void itWaitsWhileASubmitterHoldsSomethingOfAnEarlierRange() {
    index();
    sender.tickAfter(SETTLED);
    beats(C, new Pending(OTHERS.id(), earlier));

    assertHoldsOff();
  }

  @Test
  void itDoesNotWaitForWhatIsOfItsOwnRange() {
    index();
    sender.tickAfter(SETTLED);
    beats(C, new Pending(OTHERS.id(), Contract.SELECTION.range(next)));

    assertDelegates();
  }

  @Test
  void itDoesNotWaitForWhatItHasSeenConfirmed() {
    index();
    sender.tickAfter(SETTLED);
    beats(C, new Pending(OTHERS.id(), earlier));
    sender.confirm(OTHERS);

    assertDelegates();
  }

  /** What it said of its own range holds, though it said it early. */
  @Test
  void itDoesNotWaitForOneThatHadNothingEarlierRightAfterTheSwitch() {
    index();
    beats(C, new Pending(OTHERS.id(), Contract.SELECTION.range(next)));
    sender.passes(SETTLED);

    assertDelegates();
  }

  /** So what waits at the next switchover is held back for as long as any. */
  @Test
  void aHoldOffThatNothingWaitedForUntilTheEndOfItsRangeIsNotTheNextOnes() {
    index();
    holdsOffWhatThenEnds(0);
    sender.passes(TIMES.maxHoldOff());

    var later = Contract.heightPreferring(B, Contract.heightPreferring(C, next));
    sender.index(later);
    beats(C, new Pending(OTHERS.id(), earlier));

    assertHoldsOff();
    assertThat(sender.counted(SenderEffect.Counted.HOLD_OFF)).isTrue();
  }

  /** Ranges may be shorter than a hold-off: it ends however many of them begin meanwhile. */
  @Test
  void whatWaitsIsNotHeldOffAnewByEachRange() {
    index();
    beats(C, new Pending(OTHERS.id(), earlier));
    assertHoldsOff();
    sender.passes(TIMES.maxHoldOff().minusMillis(1));
    beats(C, new Pending(OTHERS.id(), earlier));
    sender.index(Contract.heightPreferring(B, Contract.heightPreferring(C, next)));
    assertThat(sender.delegatedTo()).isEmpty();

    sender.passes(Duration.ofMillis(1));
    beats(C, new Pending(OTHERS.id(), earlier));

    assertThat(sender.delegatedTo()).containsExactly(B);
  }

  private void holdsOffWhatThenEnds(int left) {
    var own = Contract.transaction(A, 3);
    beats(C, new Pending(OTHERS.id(), earlier));
    sender.accept(own);
    assertThat(sender.counted(SenderEffect.Counted.HOLD_OFF)).isTrue();
    sender.confirm(own);
    assertThat(sender.state().pending()).hasSize(left);
  }

  /** It waits for that other one, whatever submitters hold. */
  @Test
  void whatWaitsForAnotherIsHeldOffOnlyOnceThatHasEnded() {
    var dependency = Contract.transaction(C, 11);
    index();
    beats(C, new Pending(OTHERS.id(), earlier));
    sender.accept(SenderOfA.after(3, dependency));
    assertThat(sender.counted(SenderEffect.Counted.HOLD_OFF)).isFalse();
    sender.tickAfter(TIMES.maxHoldOff());
    assertThat(sender.state().choice().heldOffSince()).isEmpty();

    beats(C, new Pending(OTHERS.id(), earlier));
    sender.tell(new SenderInput.DependencyEnded(dependency.id(), true));

    assertThat(sender.delegatedTo()).isEmpty();
    assertThat(sender.counted(SenderEffect.Counted.HOLD_OFF)).isTrue();
    assertThat(sender.state().choice().heldOffSince()).contains(sender.now());
  }

  @Test
  void whatWaitsForAnotherDoesNotCarryAHoldOffIntoTheNextRange() {
    var dependency = Contract.transaction(C, 11);
    index();
    sender.accept(SenderOfA.after(4, dependency));
    holdsOffWhatThenEnds(1);
    sender.passes(TIMES.maxHoldOff());

    sender.index(Contract.heightPreferring(B, Contract.heightPreferring(C, next)));
    beats(C, new Pending(OTHERS.id(), earlier));
    sender.tell(new SenderInput.DependencyEnded(dependency.id(), true));

    assertThat(sender.delegatedTo()).isEmpty();
    assertThat(sender.counted(SenderEffect.Counted.HOLD_OFF)).isTrue();
  }

  /** It has delegated to that one in both ranges. */
  @Test
  void itDoesNotWaitWhereTheNextRangeHasTheSameCoordinator() {
    sender.accept(Contract.transaction(A, 7));
    assertThat(sender.delegatedTo()).containsExactly(B);
    index();
    sender.tickAfter(SETTLED);
    beats(C, new Pending(OTHERS.id(), earlier));

    assertDelegates();
  }

  /** Else it would be assembled upon what that block spends: seed 470 of the simulation. */
  @Test
  void itWaitsUntilItHasReadTheBlockThatSettledWhatASubmitterHeld() {
    var settledIn = new BlockHeight(next.value() + 1);
    index();
    sender.tickAfter(SETTLED);
    beats(C, Optional.of(settledIn));
    assertHoldsOff();
    sender.tickAfter(TIMES.coordinatorFailureThreshold());
    assertThat(sender.delegatedTo()).as("also of one that is silent since").isEmpty();

    sender.index(settledIn);

    assertThat(sender.delegatedTo()).containsExactly(B);
  }

  @Test
  void itWaitsForNoBlockLongerThanForAnythingElse() {
    index();
    sender.tickAfter(SETTLED);
    beats(C, Optional.of(new BlockHeight(next.value() + 1)));
    assertHoldsOff();

    sender.tickAfter(TIMES.maxHoldOff());

    assertThat(sender.delegatedTo()).containsExactly(B);
  }

  @Test
  void itDoesNotWaitForABlockThatItHasRead() {
    index();
    sender.tickAfter(SETTLED);
    beats(C, Optional.of(next));

    assertDelegates();
  }

  /** That one knows what it has dispatched. */
  @Test
  void itDoesNotWaitForTheNodeThatItDelegatesTo() {
    index();
    beats(B, new Pending(OTHERS.id(), earlier));

    assertDelegates();
  }

  @Test
  void itDoesNotWaitForASubmitterThatWasNotHeardOfForTooLong() {
    index();
    beats(C, new Pending(OTHERS.id(), earlier));
    sender.tickAfter(TIMES.coordinatorFailureThreshold());

    assertDelegates();
  }

  @Test
  void itDoesNotWaitForeverThoughTheSubmitterGoesOn() {
    index();
    sender.tickAfter(SETTLED);
    beats(C, new Pending(OTHERS.id(), earlier));
    assertHoldsOff();
    var end = sender.now().plus(TIMES.maxHoldOff());
    while (sender.now().isBefore(end.minusMillis(500))) {
      beats(C, new Pending(OTHERS.id(), earlier));
      sender.tickAfter(Duration.ofMillis(500));
      if (sender.now().isBefore(end)) {
        assertThat(sender.delegatedTo()).isEmpty();
      }
    }
    beats(C, new Pending(OTHERS.id(), earlier));
    sender.tickAfter(Duration.ofMillis(500));

    assertThat(sender.delegatedTo()).isNotEmpty();
  }

  @Test
  void onceItHasSwitchedItWaitsNoMore() {
    index();
    assertDelegates();
    beats(C, new Pending(OTHERS.id(), earlier));

    sender.accept(Contract.transaction(A, 2));

    assertThat(sender.delegatedTo()).containsExactly(B);
  }

  /** What the submitter holds may be what the better one would assemble upon. */
  @Test
  void whileItWaitsItTakesNothingFromAWorseCoordinatorForTheBetterOne() {
    var own = Contract.transaction(A, 1);
    index();
    sender.accept(own);
    sender.tickAfter(SenderOfA.SETTINGS.delivery().delegationTimeout());
    sender.accepted(sender.command(), 1);

    beats(C, new Pending(OTHERS.id(), earlier));
    coordinatorBeats();
    assertThat(sender.delegatedTo()).isEmpty();
    assertThat(sender.stateOf(own)).isEqualTo(TransactionState.DELEGATED);

    sender.confirm(OTHERS);
    coordinatorBeats();
    assertThat(sender.delegatedTo()).containsExactly(B);
  }

  private void coordinatorBeats() {
    sender.tell(
        B,
        new CoordinatorHeartbeatNotification(
            new HeartbeatSequence(1, 1), sender.now(), ADDRESS, List.of()));
  }

  private void index() {
    sender.tell(new SenderInput.BlockIndexed(next, sender.now(), Map.of()));
  }

  private void beats(NodeName submitter, Pending... pending) {
    beats(submitter, Optional.empty(), pending);
  }

  private void beats(NodeName submitter, Optional<BlockHeight> settledIn, Pending... pending) {
    sender.tell(
        submitter,
        new SubmitterHeartbeatNotification(
            new HeartbeatSequence(1, 1),
            sender.now(),
            ADDRESS,
            List.of(pending),
            List.of(),
            Optional.empty(),
            settledIn));
  }

  private void assertDelegates() {
    sender.accept(Contract.transaction(A, 1));
    assertThat(sender.delegatedTo()).containsExactly(B);
  }

  private void assertHoldsOff() {
    sender.accept(Contract.transaction(A, 1));
    assertThat(sender.delegatedTo()).isEmpty();
  }
}
