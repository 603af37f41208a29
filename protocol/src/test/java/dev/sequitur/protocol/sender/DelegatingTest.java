package dev.sequitur.protocol.sender;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.DelegationAccepted;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.DelegationRejected;
import dev.sequitur.protocol.message.StartupNotification;
import dev.sequitur.protocol.message.StartupNotificationAcknowledgement;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A sender delegates to the best coordinator that answers, and watches over it (DLG-1, DLG-2,
 * AVL-2).
 */
class DelegatingTest {
  private static final PrivateTransaction FIRST = Contract.transaction(A, 1);
  private static final PrivateTransaction SECOND = Contract.transaction(A, 2);
  private static final Duration TIMEOUT = SenderOfA.SETTINGS.delivery().delegationTimeout();
  private static final Duration SILENCE =
      SenderOfA.SETTINGS.heartbeats().coordinatorFailureThreshold();

  private final SenderOfA sender = SenderOfA.started();

  /** Of two commands one was lost, and the other is answered after all. */
  @Test
  void whoAnswersIsTakenForUnavailableNoLonger() {
    var third = Contract.transaction(A, 3);
    sender.accept(FIRST);
    sender.passes(Duration.ofSeconds(1));
    sender.accept(SECOND);
    var second = sender.command();
    sender.passes(TIMEOUT.minusSeconds(2));
    sender.accept(third);
    var busy = new DelegationRejected.Overloaded(Duration.ofSeconds(2));
    sender.rejected(sender.command(), busy);
    sender.tickAfter(Duration.ofSeconds(1));
    assertThat(sender.state().availability().presumedAvailable(B)).isFalse();

    sender.accepted(second, 1);

    assertThat(sender.state().availability().presumedAvailable(B)).isTrue();
  }

  @Test
  void aCommandNamesAllThatIsPendingInItsOrder() {
    sender.accept(SECOND, FIRST);

    assertThat(sender.command())
        .isEqualTo(
            new DelegationCommand(
                new DelegationId(A, 1, 1), B, ADDRESS, List.of(SECOND, FIRST), sender.height));
    sender.accept(Contract.transaction(A, 3));
    assertThat(sender.command().delegationId()).isEqualTo(new DelegationId(A, 1, 2));
  }

  @Test
  void aCommandIsNoLargerThanABatchAndNoMoreAreOutThanTheLimit() {
    var limits = SenderOfA.SETTINGS.limits();
    var many = transactions(limits.delegated() + 7);

    sender.accept(many);

    var sizes = commands().map(command -> command.transactions().size()).toList();
    assertThat(sizes)
        .hasSize(limits.delegated() / limits.delegationBatch())
        .containsOnly(limits.delegationBatch());
    assertThat(sender.state().pending()).hasSize(7);

    sender.confirm(many[0]);
    assertThat(sender.command().transactions()).containsExactly(many[limits.delegated()].id());
  }

  private Stream<DelegationCommand> commands() {
    return sender.sent().stream()
        .filter(DelegationCommand.class::isInstance)
        .map(DelegationCommand.class::cast);
  }

  private static PrivateTransaction[] transactions(int count) {
    return LongStream.rangeClosed(1, count)
        .mapToObj(number -> Contract.transaction(A, number))
        .toArray(PrivateTransaction[]::new);
  }

  @Test
  void anUnansweredCommandIsRepeatedAndThenTheNextMemberIsAsked() {
    sender.accept(FIRST);
    var command = sender.command();
    sender.tickAfter(Duration.ofMillis(500));
    assertThat(sender.sent()).as("too early").isEmpty();

    sender.tickAfter(Duration.ofMillis(300));
    assertThat(sender.sent()).containsExactly(command);
    sender.tickAfter(Duration.ofMillis(1));
    assertThat(sender.sent()).as("just sent").isEmpty();
    sender.tickAfter(TIMEOUT.minusMillis(802));
    assertThat(sender.stateOf(FIRST)).isEqualTo(TransactionState.DELEGATING);
    sender.tickAfter(Duration.ofMillis(1));

    assertThat(sender.counted(SenderEffect.Counted.DELEGATION_TIMEOUT)).isTrue();
    assertThat(sender.counted(SenderEffect.Counted.SWITCHOVER)).isTrue();
    assertThat(sender.delegatedTo()).containsExactly(nextAfterB());
    assertThat(sender.state().availability().presumedAvailable(B)).isFalse();
  }

  /** EXC-7: after one answer of two seconds it is that, and four deviations of one. */
  @Test
  void aCoordinatorThatAnswersSlowlyIsWaitedForLongerTheNextTime() {
    sender.accept(FIRST);
    sender.passes(Duration.ofSeconds(2));
    sender.accepted(sender.command(), 1);
    sender.accept(SECOND);

    sender.tickAfter(TIMEOUT);
    assertThat(sender.stateOf(SECOND)).isEqualTo(TransactionState.DELEGATING);
    assertThat(sender.counted(SenderEffect.Counted.DELEGATION_TIMEOUT)).isFalse();
    sender.tickAfter(Duration.ofSeconds(6).minus(TIMEOUT).minusMillis(1));
    assertThat(sender.counted(SenderEffect.Counted.DELEGATION_TIMEOUT)).isFalse();
    sender.tickAfter(Duration.ofMillis(1));

    assertThat(sender.counted(SenderEffect.Counted.DELEGATION_TIMEOUT)).isTrue();
  }

  @Test
  void anAnswerThatComesTooLateHasTheNextOneWaitedFor() {
    sender.accept(FIRST);
    var late = sender.command();
    sender.tickAfter(TIMEOUT);
    assertThat(sender.state().answers().patience(B, TIMEOUT)).isEqualTo(TIMEOUT);

    sender.passes(Duration.ofMillis(500));
    sender.accepted(late, 1);

    assertThat(sender.state().answers().patience(B, TIMEOUT)).isEqualTo(TIMEOUT.multipliedBy(3));
  }

  @Test
  void aMemberThatDidNotAnswerIsTriedAgainAfterAWhile() {
    sender.accept(FIRST);
    sender.tickAfter(TIMEOUT);
    var away = SenderOfA.SETTINGS.heartbeats().presumedUnavailable();

    sender.tickAfter(away.minusMillis(1));
    sender.accept(SECOND);
    assertThat(sender.delegatedTo()).doesNotContain(B);
    sender.tickAfter(Duration.ofMillis(1));
    sender.accept(Contract.transaction(A, 3));
    assertThat(sender.delegatedTo()).contains(B);
  }

  private NodeName nextAfterB() {
    return Contract.SELECTION
        .ranking(Contract.SELECTION.range(sender.height))
        .preferred(node -> !node.equals(B))
        .orElseThrow();
  }

  /** A command may be answered in parts. */
  @Test
  void aCommandIsOpenUntilAllThatItNamesIsAnswered() {
    sender.accept(FIRST, SECOND);
    var command = sender.command();

    sender.tell(B, answer(command, FIRST));
    assertThat(sender.stateOf(FIRST)).isEqualTo(TransactionState.DELEGATED);
    assertThat(sender.stateOf(SECOND)).isEqualTo(TransactionState.DELEGATING);
    assertThat(sender.state().delegations().open()).hasSize(1);

    sender.tell(B, answer(command, SECOND));
    assertThat(sender.state().delegations().open()).isEmpty();
    assertThat(sender.stateOf(SECOND)).isEqualTo(TransactionState.DELEGATED);
  }

  private static DelegationAccepted answer(
      DelegationCommand command, PrivateTransaction transaction) {
    return new DelegationAccepted(
        command.delegationId(), B, ADDRESS, List.of(transaction.id()), new HeartbeatSequence(1, 1));
  }

  @Test
  void anAnswerIsBelievedOfTheDelegateOnlyAndOnlyWhileTheCommandIsOut() {
    sender.accept(FIRST);
    var command = sender.command();

    sender.tell(C, answer(command, FIRST));
    sender.tell(
        C,
        new DelegationRejected(
            command.delegationId(), C, ADDRESS, List.of(FIRST.id()), overloaded(1)));
    assertThat(sender.stateOf(FIRST)).isEqualTo(TransactionState.DELEGATING);

    sender.accepted(command, 1);
    sender.rejected(command, overloaded(1));
    assertThat(sender.stateOf(FIRST)).isEqualTo(TransactionState.DELEGATED);
  }

  @Test
  void anOverloadedCoordinatorIsAskedAgainAfterTheTimeItAskedFor() {
    sender.accept(FIRST);
    sender.rejected(sender.command(), overloaded(700));
    assertThat(sender.delegatedTo()).isEmpty();

    sender.tickAfter(Duration.ofMillis(699));
    assertThat(sender.delegatedTo()).isEmpty();
    sender.tickAfter(Duration.ofMillis(1));
    assertThat(sender.delegatedTo()).containsExactly(B);
  }

  /** Else whoever coordinates could have itself asked as fast as messages go. */
  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1})
  void whoAsksForNoTimeIsAskedAgainAfterTheShortestWait(long millis) {
    var least = SenderOfA.SETTINGS.retries().redelegation().initial();
    sender.accept(FIRST);

    sender.rejected(sender.command(), overloaded(millis));

    assertThat(sender.delegatedTo()).isEmpty();
    sender.tickAfter(least.minusMillis(1));
    assertThat(sender.delegatedTo()).isEmpty();
    sender.tickAfter(Duration.ofMillis(1));
    assertThat(sender.delegatedTo()).containsExactly(B);
  }

  private static DelegationRejected.Reason overloaded(long millis) {
    return new DelegationRejected.Overloaded(Duration.ofMillis(millis));
  }

  @Test
  void aCoordinatorThatIsBehindIsAskedLessAndLessOftenUntilItAccepts() {
    var backoff = SenderOfA.SETTINGS.retries().redelegation();
    sender.accept(FIRST);
    for (int rejections = 1; rejections <= 3; rejections++) {
      var behind = new DelegationRejected.MismatchedBlockHeight(sender.height, BlockHeight.ZERO);
      sender.rejected(sender.command(), behind);
      var wait = backoff.wait(rejections, A.hashCode());
      sender.tickAfter(wait.minusMillis(1));
      assertThat(sender.delegatedTo()).isEmpty();
      sender.tickAfter(Duration.ofMillis(1));
      assertThat(sender.delegatedTo()).containsExactly(B);
    }

    sender.accepted(sender.command(), 1);
    assertThat(sender.state().choice().rejections()).isZero();
  }

  @Test
  void severalCommandsThatAreRejectedTogetherCountOnce() {
    sender.accept(FIRST);
    var first = sender.command();
    sender.accept(SECOND);
    var second = sender.command();

    sender.rejected(first, overloaded(1_000));
    sender.rejected(second, overloaded(3_000));

    assertThat(sender.state().choice().rejections()).isEqualTo(1);
    sender.tickAfter(Duration.ofSeconds(1));
    assertThat(sender.command().transactions()).containsExactly(FIRST.id(), SECOND.id());
  }

  /** One that says so for longer is passed over, whatever it says of itself (AVL-7). */
  @Test
  void aCoordinatorThatIsBehindForLongerThanAFewBlocksIsPassedOverAndTheNextIsAskedAtOnce() {
    sender.accept(FIRST);
    var behind = new DelegationRejected.MismatchedBlockHeight(sender.height, BlockHeight.ZERO);
    sender.rejected(sender.command(), behind);
    sender.tickAfter(SILENCE);
    assertThat(sender.delegatedTo()).as("until then it is asked again").containsExactly(B);

    sender.rejected(sender.command(), behind);

    assertThat(sender.delegatedTo()).containsExactly(nextAfterB());
    assertThat(sender.command().passedOver()).containsExactly(B);
    assertThat(sender.counted(SenderEffect.Counted.PASSED_OVER)).isTrue();
    heartbeat(B, 9);
    sender.accept(SECOND);
    assertThat(sender.delegatedTo()).as("a sign of life").containsExactly(nextAfterB());
  }

  @Test
  void whoWasPassedOverIsAskedAgainWithOneTransactionAndTakesAllOnceItTakesThat() {
    passOverB();
    sender.accepted(sender.command(), 1);
    sender.passes(SenderOfA.SETTINGS.heartbeats().presumedUnavailable());

    sender.accept(SECOND, Contract.transaction(A, 3));
    var commands = commands().toList();
    assertThat(commands).hasSize(2);
    var trial = commands.get(0);
    assertThat(trial.delegateNode()).isEqualTo(B);
    assertThat(trial.transactions()).containsExactly(SECOND.id());
    assertThat(commands.get(1).delegateNode()).isEqualTo(nextAfterB());

    sender.tell(
        B,
        new DelegationAccepted(
            trial.delegationId(), B, ADDRESS, List.of(SECOND.id()), new HeartbeatSequence(1, 1)));
    assertThat(sender.delegatedTo()).as("what is with the next one").containsOnly(B);
    assertThat(sender.stateOf(SECOND)).isEqualTo(TransactionState.DELEGATED);
    assertThat(sender.command().passedOver()).isEmpty();
  }

  /** Else a group goes on for long without the one that all others prefer. */
  @Test
  void whoWasPassedOverIsAskedAgainTheFirstTimeAfterHalfOfTheMostAtTheLatest() {
    passOverB();
    sender.accepted(sender.command(), 1);
    sender.passes(SenderOfA.SETTINGS.heartbeats().presumedUnavailable().dividedBy(2));
    sender.accept(SECOND);

    assertThat(sender.delegatedTo()).containsExactly(B);
  }

  @Test
  void whoStillDoesNotActHoldsBackTheOneTransactionOnly() {
    passOverB();
    sender.accepted(sender.command(), 1);
    sender.passes(SenderOfA.SETTINGS.heartbeats().presumedUnavailable());
    sender.accept(SECOND);
    var trial = sender.command();
    assertThat(trial.delegateNode()).isEqualTo(B);

    sender.rejected(trial, overloaded(1_000));

    assertThat(sender.delegatedTo()).containsExactly(nextAfterB());
    assertThat(sender.stateOf(FIRST)).isEqualTo(TransactionState.DELEGATED);
  }

  @Test
  void whoRefusesEverythingForLongIsPassedOverWhateverTheReason() {
    sender.accept(FIRST);
    var away = SenderOfA.SETTINGS.heartbeats().presumedUnavailable();
    sender.rejected(sender.command(), overloaded(1_000));
    sender.tickAfter(away.minusMillis(1));
    sender.rejected(sender.command(), overloaded(1_000));
    assertThat(sender.counted(SenderEffect.Counted.PASSED_OVER)).isFalse();
    sender.tickAfter(away);

    sender.rejected(sender.command(), overloaded(1_000));

    assertThat(sender.delegatedTo()).containsExactly(nextAfterB());
  }

  @Test
  void whoCannotSubmitIsPassedOverAtOnceAndSoIsThisNodeItself() {
    sender.accept(FIRST);
    var why = new DelegationRejected.CannotSubmit("no ledger");
    sender.rejected(sender.command(), why);
    assertThat(sender.delegatedTo()).containsExactly(nextAfterB());

    var all = new HashSet<NodeName>();
    for (int i = 0; i < 5 && !sender.delegatedTo().isEmpty(); i++) {
      var command = sender.command();
      all.add(command.delegateNode());
      sender.tell(
          command.delegateNode(),
          new DelegationRejected(
              command.delegationId(),
              command.delegateNode(),
              ADDRESS,
              command.transactions(),
              why));
    }
    assertThat(all).containsExactlyInAnyOrder(A, C);
    assertThat(sender.delegatedTo()).as("nobody is left to ask").isEmpty();
    sender.tickAfter(SenderOfA.SETTINGS.heartbeats().presumedUnavailable());
    assertThat(sender.delegatedTo()).as("the best of them, after a while").containsExactly(B);
    assertThat(sender.command().passedOver()).as("nobody better than that one").isEmpty();
  }

  private void passOverB() {
    sender.accept(FIRST);
    sender.rejected(sender.command(), new DelegationRejected.CannotSubmit("no ledger"));
    assertThat(sender.delegatedTo()).containsExactly(nextAfterB());
  }

  /** The word of one on its height binds nobody else, nor for long. */
  @Test
  void whoIsAheadForLongerThanAFewBlocksIsPassedOver() {
    sender.accept(FIRST);
    var ahead = Contract.heightPreferring(B, sender.height);
    sender.rejected(
        sender.command(), new DelegationRejected.MismatchedBlockHeight(sender.height, ahead));

    sender.tickAfter(SILENCE.minusMillis(1));
    assertThat(sender.delegatedTo()).isEmpty();
    sender.tickAfter(Duration.ofMillis(1));
    assertThat(sender.delegatedTo()).containsExactly(nextAfterB());
  }

  /** SWO-1: a plan that was made in the range before names parties of before. */
  @Test
  void whereTheNextRangeHasAnotherCommitteeItDelegatesAnewAlsoToTheSame() {
    var block = SenderOfA.started().height;
    for (var group : List.of(Contract.GROUP, Contract.withOtherKeyOf(C, block))) {
      var changing = SenderOfA.startedIn(group);
      var before = changing.delegated(Contract.transaction(A, 1));
      boolean same = group.equals(Contract.GROUP);

      changing.index(Contract.heightPreferring(B, changing.height));

      if (same) {
        assertThat(changing.sent()).doesNotHaveAnyElementsOfTypes(DelegationCommand.class);
      } else {
        assertThat(changing.command().delegateNode()).isEqualTo(B);
        assertThat(changing.command().delegationId()).isNotEqualTo(before.delegationId());
        assertThat(changing.command().transactions()).isEqualTo(before.transactions());
      }
    }
  }

  /** It is behind at the border, as is usual there, and asked again. */
  @Test
  void whoRejectsForTheHeightAfterARangeThatEndedIsNotPassedOver() {
    passOverB();
    var next = nextAfterB();
    var asked = sender.command();
    sender.index(Contract.heightPreferring(next, sender.height));
    assertThat(sender.state().choice().coordinator()).as("forgotten with its range").isEmpty();

    sender.rejected(
        asked, new DelegationRejected.MismatchedBlockHeight(sender.height, sender.height));

    assertThat(sender.counted(SenderEffect.Counted.PASSED_OVER)).isFalse();
    assertThat(sender.state().availability().isKnownUnable(next)).isFalse();
    assertThat(sender.delegatedTo()).as("not as fast as messages go").isEmpty();
    sender.tickAfter(SenderOfA.SETTINGS.retries().redelegation().wait(1, A.hashCode()));
    assertThat(sender.delegatedTo()).containsExactly(next);
  }

  /** Chosen in place of B, preferred in the next range, and no more in the one after that. */
  @Test
  void theLateWordOfAFormerCoordinatorHoldsNobodyElseBack() {
    passOverB();
    var former = nextAfterB();
    var asked = sender.command();
    sender.index(Contract.heightPreferring(former, sender.height));
    assertThat(sender.state().choice().coordinator()).as("forgotten with its range").isEmpty();
    var next = Stream.of(A, C).filter(node -> !node.equals(former)).findFirst().orElseThrow();
    sender.index(Contract.heightPreferring(next, sender.state().height()));
    assertThat(sender.delegatedTo()).as("what was asked of the former").containsExactly(next);

    sender.rejected(asked, overloaded(60_000));
    sender.accept(SECOND);

    assertThat(sender.delegatedTo()).containsExactly(next);
    assertThat(sender.state().availability().isKnownUnable(former)).isFalse();
  }

  @Test
  void whatOneAskedToWaitHoldsNotForTheNextOfTheRanking() {
    sender.accept(FIRST);
    sender.rejected(sender.command(), overloaded(60_000));
    assertThat(sender.delegatedTo()).isEmpty();

    sender.index(Contract.heightPreferring(C, sender.height));

    assertThat(sender.delegatedTo()).containsExactly(C);
  }

  @Test
  void whoCannotSubmitIsPassedOverThoughItsRangeHasEnded() {
    passOverB();
    var asked = sender.command();
    sender.index(Contract.heightPreferring(nextAfterB(), sender.height));

    sender.rejected(asked, new DelegationRejected.CannotSubmit("no ledger"));

    assertThat(sender.counted(SenderEffect.Counted.PASSED_OVER)).isTrue();
  }

  /** It was asked on trial, and the range in which another was chosen has ended since. */
  @Test
  void whoIsKnownToBeUnableIsPassedOverAgainThoughNobodyIsChosen() {
    passOverB();
    sender.accepted(sender.command(), 1);
    sender.passes(SenderOfA.SETTINGS.heartbeats().presumedUnavailable());
    sender.accept(SECOND);
    var trial = sender.command();
    assertThat(trial.delegateNode()).isEqualTo(B);
    sender.index(Contract.heightPreferring(nextAfterB(), sender.height));
    assertThat(sender.state().choice().coordinator()).isEmpty();

    sender.rejected(
        trial, new DelegationRejected.MismatchedBlockHeight(sender.height, BlockHeight.ZERO));

    assertThat(sender.counted(SenderEffect.Counted.PASSED_OVER)).isTrue();
    assertThat(sender.delegatedTo()).as("and nothing waits for it").contains(nextAfterB());
  }

  /** It may carry out what it rejects, so that nothing is asked of it now and then. */
  @Test
  void thatNothingIsAskedOfItForAMomentDoesNotHelpWhoRejectsEverything() {
    var behind = new DelegationRejected.MismatchedBlockHeight(sender.height, BlockHeight.ZERO);
    sender.accept(FIRST);
    sender.rejected(sender.command(), behind);
    sender.confirm(FIRST);
    assertThat(sender.state().isIdle()).isTrue();
    sender.tickAfter(SILENCE);
    sender.accept(SECOND);

    sender.rejected(sender.command(), behind);

    assertThat(sender.counted(SenderEffect.Counted.PASSED_OVER)).isTrue();
    assertThat(sender.delegatedTo()).containsExactly(nextAfterB());
  }

  /** It asks for as long a pause as a sender grants, each time. */
  @Test
  void longPausesDoNotHelpWhoRejectsEverything() {
    var busy = new DelegationRejected.Overloaded(Duration.ofDays(1));
    sender.accept(FIRST);
    sender.rejected(sender.command(), busy);
    sender.confirm(FIRST);
    sender.tickAfter(SenderOfA.SETTINGS.heartbeats().presumedUnavailable().plusMillis(1));
    sender.accept(SECOND);

    sender.rejected(sender.command(), busy);

    assertThat(sender.counted(SenderEffect.Counted.PASSED_OVER)).isTrue();
  }

  /** Nothing was asked of it between the two. */
  @Test
  void oneRejectionOfTodayAndOneOfYesterdayDoNotMakeADayOfThem() {
    var behind = new DelegationRejected.MismatchedBlockHeight(sender.height, BlockHeight.ZERO);
    sender.accept(FIRST.by(sender.now().plusMillis(1)));
    sender.rejected(sender.command(), behind);
    sender.tickAfter(Duration.ofMillis(1));
    assertThat(sender.completed()).hasSize(1);

    sender.tickAfter(Duration.ofDays(1));
    sender.accept(SECOND);
    sender.rejected(sender.command(), behind);

    assertThat(sender.counted(SenderEffect.Counted.PASSED_OVER)).isFalse();
    assertThat(sender.delegatedTo()).isEmpty();
  }

  @Test
  void whileACoordinatorIsAheadItWaitsForThatHeightAndThenDelegates() {
    sender.accept(FIRST);
    var ahead = Contract.heightPreferring(B, sender.height);
    sender.rejected(
        sender.command(), new DelegationRejected.MismatchedBlockHeight(sender.height, ahead));

    sender.tickAfter(SILENCE.dividedBy(2));
    assertThat(sender.delegatedTo()).isEmpty();
    sender.index(ahead);
    assertThat(sender.delegatedTo()).containsExactly(B);
  }

  /** The range counts: what comes before it is another coordinator's, or too early for this one. */
  @Test
  void itWaitsUntilTheRangeOfThatHeightHasBegunAndNoLonger() {
    sender.accept(FIRST);
    var begin = Contract.heightPreferring(B, sender.height);
    var ahead = new BlockHeight(begin.value() + 5);
    sender.rejected(
        sender.command(), new DelegationRejected.MismatchedBlockHeight(sender.height, ahead));
    sender.tickAfter(SILENCE.dividedBy(3));

    sender.index(new BlockHeight(sender.height.value() + 1));
    sender.tickAfter(SILENCE.dividedBy(3));
    assertThat(sender.delegatedTo()).isEmpty();
    assertThat(sender.state().choice().waitsForHeight()).contains(ahead);

    sender.index(begin);
    assertThat(sender.delegatedTo()).containsExactly(B);
  }

  @Test
  void aCoordinatorThatForgetsWhatItAcceptedIsGivenItAgain() {
    sender.delegated(FIRST);

    heartbeat(B, 1);
    assertThat(sender.delegatedTo()).as("sent before it accepted").isEmpty();
    heartbeat(B, 2, FIRST);
    assertThat(sender.delegatedTo()).as("it names it").isEmpty();
    heartbeat(B, 3);

    assertThat(sender.counted(SenderEffect.Counted.COORDINATOR_FORGOT)).isTrue();
    assertThat(sender.delegatedTo()).containsExactly(B);
  }

  /** AVL-5: its clock may have been set back before it started again, or be that of another JVM. */
  @Test
  void aCoordinatorThatHasStartedAgainHasForgottenWhicheverNumberItsStartHas() {
    sender.delegated(FIRST);

    heartbeat(B, new HeartbeatSequence(0, 1), FIRST);
    assertThat(sender.delegatedTo()).as("it names it").isEmpty();
    heartbeat(B, new HeartbeatSequence(0, 2));

    assertThat(sender.counted(SenderEffect.Counted.COORDINATOR_FORGOT)).isTrue();
    assertThat(sender.delegatedTo()).containsExactly(B);
  }

  @Test
  void whatIsNotAcceptedYetIsNotMissedInAHeartbeat() {
    sender.accept(FIRST);

    heartbeat(B, 9);

    assertThat(sender.delegatedTo()).isEmpty();
    assertThat(sender.stateOf(FIRST)).isEqualTo(TransactionState.DELEGATING);
  }

  @Test
  void whatAnotherCoordinatesIsNotMissedInAHeartbeat() {
    sender.delegated(FIRST);

    heartbeat(nextAfterB(), 9);

    assertThat(sender.stateOf(FIRST)).isEqualTo(TransactionState.DELEGATED);
  }

  @Test
  void aCoordinatorThatIsSilentForTooLongIsAskedAgain() {
    sender.delegated(FIRST);
    sender.tickAfter(SILENCE.minusMillis(1));
    heartbeat(B, 2, FIRST);
    sender.tickAfter(SILENCE.minusMillis(1));
    assertThat(sender.delegatedTo()).isEmpty();

    sender.tickAfter(Duration.ofMillis(1));

    assertThat(sender.counted(SenderEffect.Counted.COORDINATOR_SILENT)).isTrue();
    assertThat(sender.delegatedTo()).containsExactly(B);
  }

  @Test
  void aMemberThatStartsIsAnsweredAndIfItIsBetterGetsEverything() {
    sender.accept(FIRST);
    sender.tickAfter(TIMEOUT);
    sender.accepted(sender.command(), 1);

    sender.tell(B, new StartupNotification(new RequestId("start"), Instant.EPOCH, ADDRESS));

    assertThat(sender.sent())
        .contains(new StartupNotificationAcknowledgement(new RequestId("start"), ADDRESS));
    assertThat(sender.counted(SenderEffect.Counted.SWITCHOVER)).isTrue();
    assertThat(sender.delegatedTo()).containsExactly(B);
  }

  @Test
  void aBetterMemberThatBeatsGetsEverything() {
    sender.accept(FIRST);
    sender.tickAfter(TIMEOUT);
    sender.accepted(sender.command(), 1);

    heartbeat(B, 1);

    assertThat(sender.delegatedTo()).containsExactly(B);
  }

  @Test
  void aWorseMemberThatStartsChangesNothing() {
    sender.delegated(FIRST);

    sender.tell(C, new StartupNotification(new RequestId("start"), Instant.EPOCH, ADDRESS));

    assertThat(sender.delegatedTo()).isEmpty();
    assertThat(sender.stateOf(FIRST)).isEqualTo(TransactionState.DELEGATED);
  }

  @Test
  void aNewRangeOfAnotherCoordinatorRescindsAllDelegations() {
    sender.delegated(FIRST);
    sender.accept(SECOND);

    sender.index(Contract.heightPreferring(C, sender.height));

    assertThat(sender.command().delegateNode()).isEqualTo(C);
    assertThat(sender.command().transactions()).containsExactly(FIRST.id(), SECOND.id());
    assertThat(sender.state().delegations().open()).hasSize(1);
  }

  @Test
  void aBlockOfTheSameRangeOrANewRangeOfTheSameCoordinatorRescindsNothing() {
    sender.delegated(FIRST);

    sender.index(new BlockHeight(sender.height.value() + 1));
    sender.index(Contract.heightPreferring(B, sender.height));

    assertThat(sender.stateOf(FIRST)).isEqualTo(TransactionState.DELEGATED);
  }

  @Test
  void anOldBlockChangesNoHeight() {
    sender.index(new BlockHeight(sender.height.value() + 3));

    sender.index(new BlockHeight(sender.height.value() + 2));

    assertThat(sender.state().height().value()).isEqualTo(sender.height.value() + 3);
  }

  @Test
  void aRejectionForTheSakeOfABetterMemberWaitsBeforeItIsDelegatedAgain() {
    sender.index(preferringCThenB());
    sender.accept(FIRST);
    sender.tickAfter(TIMEOUT);
    assertThat(sender.delegatedTo()).containsExactly(B);

    sender.rejected(
        sender.command(),
        new DelegationRejected.NotPreferredCoordinator(C, Instant.EPOCH, Optional.empty()));

    assertThat(sender.delegatedTo()).isEmpty();
    var wait = SenderOfA.SETTINGS.retries().redelegation().wait(1, A.hashCode());
    sender.tickAfter(wait.minusMillis(1));
    assertThat(sender.delegatedTo()).isEmpty();
    sender.tickAfter(Duration.ofMillis(1));
    assertThat(sender.delegatedTo()).containsExactly(C);
    assertThat(sender.state().availability().vouchedFor()).containsExactly(C);
    sender.accepted(sender.command(), 1);
    assertThat(sender.state().availability().vouchedFor())
        .as("it has given a sign of its own")
        .isEmpty();
  }

  private BlockHeight preferringCThenB() {
    var height = sender.height;
    do {
      height = Contract.heightPreferring(C, height);
    } while (!Contract.SELECTION.ranking(Contract.SELECTION.range(height)).prefers(B, A));
    return height;
  }

  private void heartbeat(NodeName from, long number, PrivateTransaction... named) {
    heartbeat(from, new HeartbeatSequence(1, number), named);
  }

  private void heartbeat(NodeName from, HeartbeatSequence sequence, PrivateTransaction... named) {
    sender.tell(
        from,
        new CoordinatorHeartbeatNotification(
            sequence,
            sender.now(),
            ADDRESS,
            Stream.of(named).map(PrivateTransaction::id).toList()));
  }
}
