package dev.sequitur.protocol.coordinator;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.attestation.MerklePath;
import dev.sequitur.protocol.coordinator.CoordinatorTables.ContractMode;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.DispatchConfirmationResponse;
import dev.sequitur.protocol.message.Dispatched;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.message.RequestDispatchConfirmation;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Proof;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How transactions leave their coordinator, with what they have locked and who depends on them. */
class LeavingTest {
  private static final PrivateTransaction FIRST = Contract.transaction(B, 1);
  private static final PrivateTransaction SECOND = Contract.transaction(B, 2);
  private static final PrivateState MADE = Contract.state("made", A, B, C);
  private static final PrivateState COIN = Contract.state("coin", A, B, C);
  private static final PostAssembly SPENDS_COIN = CoordinatorOfA.assembly(List.of(COIN), MADE);
  private static final PostAssembly SPENDS_MADE =
      CoordinatorOfA.assembly(List.of(MADE), Contract.state("made of it", A, B, C));

  private final CoordinatorOfA coordinator = CoordinatorOfA.inItsFirstBlock();

  @Test
  void whatIsDeniedLeavesWithItsLocksAndWhatDependsOnItIsAssembledAnew() {
    var asked = leaveIsAskedForBoth(coordinator);

    coordinator.tell(B, denied(asked, asked.requestId()));

    assertThat(coordinator.state().graph().nodes()).isEmpty();
    assertThat(coordinator.state().graph().locks().spent()).isEmpty();
    assertThat(coordinator.state().transactions()).containsOnlyKeys(SECOND.key());
    assertThat(coordinator.sent(AssembleRequest.class))
        .singleElement()
        .satisfies(anew -> assertThat(anew.transactions()).containsExactly(SECOND.id()));
    assertThat(openSubjects()).doesNotContain(CoordinatorState.Subject.CONFIRMATION);
  }

  @Test
  void aDenialIsBelievedOfTheSenderAndAboutTheRequestThatIsOutOnly() {
    var asked = coordinator.leaveIsAskedFor(FIRST, SPENDS_COIN);

    coordinator.tell(C, denied(asked, asked.requestId()));
    coordinator.tell(B, denied(asked, new RequestId("another")));
    coordinator.delegate(FIRST);
    coordinator.tell(B, denied(asked, asked.requestId()));
    assertThat(coordinator.transaction(FIRST).state()).isEqualTo(CoordinatedState.CONFIRMATION);

    coordinator.delegate(FIRST);
    var newest = coordinator.sent(RequestDispatchConfirmation.class).get(0);
    coordinator.tell(B, denied(newest, newest.requestId()));
    assertThat(coordinator.state().transactions()).isEmpty();
    assertThat(coordinator.state().mode()).isEqualTo(ContractMode.INACTIVE);
  }

  /** An endorser that is silent for ever would keep its locks for ever (SND-9). */
  @Test
  void whatHasEndedAtItsSenderLeavesWithItsLocksUnasked() {
    var delegation = coordinator.delegate(FIRST, SECOND);
    coordinator.load();
    coordinator.assembled(FIRST, SPENDS_COIN);
    coordinator.assembled(SECOND, SPENDS_MADE);
    assertThat(coordinator.state().graph().nodes()).hasSize(2);

    coordinator.tell(B, ended(delegation, FIRST));

    assertThat(coordinator.state().transactions()).containsOnlyKeys(SECOND.key());
    assertThat(coordinator.state().graph().locks().spent()).isEmpty();
    assertThat(coordinator.sent(AssembleRequest.class))
        .singleElement()
        .satisfies(anew -> assertThat(anew.transactions()).containsExactly(SECOND.id()));
  }

  @Test
  void whatHasEndedAtItsSenderWaitsForNoTurn() {
    var delegation = coordinator.delegate(FIRST, SECOND);

    coordinator.tell(B, ended(delegation, FIRST));
    coordinator.load();

    assertThat(coordinator.sent(AssembleRequest.class))
        .singleElement()
        .satisfies(asked -> assertThat(asked.transactions()).containsExactly(SECOND.id()));
  }

  @Test
  void thatItHasEndedIsBelievedOfItsSenderAndOfWhatWasDelegatedByThen() {
    var earlier = coordinator.delegate(FIRST);
    var delegation = coordinator.delegate(FIRST);
    coordinator.load();
    coordinator.assembled(FIRST, SPENDS_COIN);

    coordinator.tell(C, ended(delegation, FIRST));
    coordinator.tell(B, ended(earlier, FIRST));

    assertThat(coordinator.transaction(FIRST).state()).isEqualTo(CoordinatedState.ATTESTATION);
  }

  /** Its sender answers that itself, and may have granted it. */
  @Test
  void whatItsSenderWasAskedAboutIsNotLetGoUnasked() {
    coordinator.leaveIsAskedFor(FIRST, SPENDS_COIN);

    coordinator.tell(B, ended(coordinator.transaction(FIRST).delegation(), FIRST));

    assertThat(coordinator.transaction(FIRST).state()).isEqualTo(CoordinatedState.CONFIRMATION);
  }

  private static DispatchConfirmationResponse ended(
      DelegationId delegation, PrivateTransaction transaction) {
    return new DispatchConfirmationResponse(
        DispatchConfirmationResponse.UNASKED,
        ADDRESS,
        List.of(),
        List.of(
            new DispatchConfirmationResponse.Denied(
                transaction.id(), delegation, DispatchConfirmationResponse.Reason.ALREADY_FINAL)));
  }

  private static DispatchConfirmationResponse denied(
      RequestDispatchConfirmation asked, RequestId request) {
    return CoordinatorOfA.denial(request, asked.items());
  }

  @Test
  void whatIsAskedForUnderANewDelegationIsAskedForUnderTheOldOneNoLonger() {
    var earlier = coordinator.leaveIsAskedFor(FIRST, SPENDS_COIN);

    coordinator.delegate(FIRST);

    assertThat(coordinator.state().exchanges().get(earlier.requestId())).isEmpty();
    assertThat(coordinator.tickFor(Duration.ofSeconds(3))).doesNotContain(earlier);
  }

  @Test
  void aSenderThatDoesNotAnswerWhetherItMayBeDispatchedLosesIt() {
    var asked = coordinator.leaveIsAskedFor(FIRST, SPENDS_COIN);
    var timeout = CoordinatorOfA.SETTINGS.delivery().confirmationTimeout();

    assertThat(coordinator.tickFor(timeout.minusMillis(100))).contains(asked);
    assertThat(coordinator.state().transactions()).containsOnlyKeys(FIRST.key());
    coordinator.tickFor(Duration.ofMillis(100));

    assertThat(coordinator.state().transactions()).isEmpty();
    assertThat(coordinator.state().graph().nodes()).isEmpty();
    assertThat(coordinator.state().purposes()).doesNotContainKey(asked.requestId());
  }

  /** EXC-7: after one leave of eight seconds it is that, and four deviations of four. */
  @Test
  void aSenderThatGivesLeaveLateIsWaitedForLongerTheNextTime() {
    var timeout = CoordinatorOfA.SETTINGS.delivery().confirmationTimeout();
    var asked = coordinator.leaveIsAskedFor(FIRST, SPENDS_COIN);
    coordinator.tickFor(Duration.ofSeconds(8));

    coordinator.grant(B, asked);

    assertThat(coordinator.state().requests().leaves().patience(B, timeout))
        .isEqualTo(Duration.ofSeconds(24));
  }

  /** It delegates anew at once, each time, and what another makes meanwhile builds upon it. */
  @Test
  void aSenderThatNeverGrantsLeaveHoldsTheOthersUpForLessAndLessOfTheTime() {
    var timeout = CoordinatorOfA.SETTINGS.delivery().confirmationTimeout();
    var longest = CoordinatorOfA.SETTINGS.retries().refusal().cap();
    var held = Duration.ZERO;
    var all = Duration.ofMinutes(10);
    var asked = new ArrayList<Duration>();
    coordinator.leaveIsAskedFor(FIRST, SPENDS_COIN);
    for (var at = Duration.ZERO; at.compareTo(all) < 0; at = at.plusMillis(100)) {
      var sent = coordinator.tickFor(Duration.ofMillis(100));
      if (coordinator.state().transactions().isEmpty()) {
        coordinator.delegate(FIRST);
        coordinator.load();
      } else if (sent.stream().anyMatch(AssembleRequest.class::isInstance)
          && coordinator.transaction(FIRST).state() == CoordinatedState.ASSEMBLING) {
        asked.add(at);
        coordinator.assembled(FIRST, SPENDS_COIN);
        coordinator.endorse();
      }
      if (coordinator.state().graph().nodes().containsKey(FIRST.key())) {
        held = held.plusMillis(100);
      }
    }

    assertThat(asked).hasSizeGreaterThan(5);
    assertThat(held).isLessThan(all.dividedBy(4));
    int last = asked.size() - 1;
    assertThat(asked.get(last).minus(asked.get(last - 1)))
        .isBetween(
            timeout.plus(longest.multipliedBy(3).dividedBy(4)),
            timeout.plus(longest).plusSeconds(1));
  }

  @Test
  void delegatingAnewGivesNoMoreTimeToAnswer() {
    var timeout = CoordinatorOfA.SETTINGS.delivery().confirmationTimeout();
    coordinator.leaveIsAskedFor(FIRST, SPENDS_COIN);

    coordinator.tickFor(timeout.dividedBy(2));
    coordinator.delegate(FIRST);
    assertThat(coordinator.sentTo(RequestDispatchConfirmation.class)).containsExactly(B);
    coordinator.tickFor(timeout.dividedBy(2));

    assertThat(coordinator.state().graph().nodes()).isEmpty();
    assertThat(coordinator.state().isHeldOff(B, coordinator.now())).isTrue();
  }

  @Test
  void delegatingAnewGivesNoMoreTimeToAssemble() {
    var timeout = CoordinatorOfA.SETTINGS.delivery().assembleTimeout();
    coordinator.delegate(FIRST);
    coordinator.load();

    coordinator.tickFor(timeout.dividedBy(2));
    coordinator.delegate(FIRST);
    assertThat(coordinator.sentTo(AssembleRequest.class)).containsExactly(B);
    coordinator.tickFor(timeout.dividedBy(2));

    assertThat(coordinator.state().assembling()).isEmpty();
    assertThat(coordinator.state().isHeldOff(B, coordinator.now())).isTrue();
  }

  /** The answers of a moment after it was asked may lie before it. */
  @Test
  void whatACoordinatorMissesWhileItStandsStillItselfIsNobodysSilence() {
    coordinator.leaveIsAskedFor(FIRST, SPENDS_COIN);

    coordinator.standsStillFor(CoordinatorOfA.SETTINGS.delivery().confirmationTimeout());

    assertThat(coordinator.state().graph().nodes()).isEmpty();
    assertThat(coordinator.state().isHeldOff(B, coordinator.now())).isFalse();
  }

  /** What was asked twice by then may be answered just as well. */
  @Test
  void norWhatItHadAskedTwiceBeforeThat() {
    var timeout = CoordinatorOfA.SETTINGS.delivery().confirmationTimeout();
    var asked = coordinator.leaveIsAskedFor(FIRST, SPENDS_COIN);
    assertThat(coordinator.tickFor(Duration.ofSeconds(2))).contains(asked);

    coordinator.standsStillFor(timeout.minusSeconds(2).minusMillis(50));
    coordinator.tickFor(Duration.ofMillis(100));

    assertThat(coordinator.state().graph().nodes()).isEmpty();
    assertThat(coordinator.state().isHeldOff(B, coordinator.now())).isFalse();
  }

  @Test
  void aDenialAtTheLastMomentCountsForTheTimeThatItTook() {
    var timeout = CoordinatorOfA.SETTINGS.delivery().confirmationTimeout();
    var asked = coordinator.leaveIsAskedFor(FIRST, SPENDS_COIN);
    coordinator.tickFor(timeout.dividedBy(2));

    coordinator.tell(B, denied(asked, asked.requestId()));

    assertThat(coordinator.state().graph().nodes()).isEmpty();
    assertThat(coordinator.state().silences().get(B).until())
        .isBetween(
            coordinator.now().plus(timeout.multipliedBy(3).dividedBy(8)),
            coordinator.now().plus(timeout.dividedBy(2)));
  }

  @Test
  void anErrorAtTheLastMomentCountsForTheTimeThatItTook() {
    var timeout = CoordinatorOfA.SETTINGS.delivery().assembleTimeout();
    coordinator.delegate(FIRST);
    coordinator.load();
    coordinator.tickFor(timeout.minusMillis(100));

    coordinator.notAssembled(FIRST);

    assertThat(coordinator.state().isHeldOff(B, coordinator.now())).isTrue();
  }

  @Test
  void whoDeniesOrCannotAssembleAtOnceHasHeldUpNobody() {
    var asked = coordinator.leaveIsAskedFor(FIRST, SPENDS_COIN);
    coordinator.tickFor(Duration.ofMillis(300));
    coordinator.tell(B, denied(asked, asked.requestId()));
    coordinator.delegate(SECOND);
    coordinator.load();
    coordinator.tickFor(Duration.ofMillis(300));
    coordinator.notAssembled(SECOND);

    assertThat(coordinator.state().silences()).isEmpty();
  }

  /** HBT-6. */
  @Test
  void aSenderWhoseTurnComesLaterIsToldSo() {
    coordinator.leaveIsAskedFor(FIRST, SPENDS_COIN);
    coordinator.tickFor(CoordinatorOfA.SETTINGS.delivery().confirmationTimeout());
    coordinator.delegate(FIRST);
    coordinator.load();

    var told =
        coordinator.tickFor(CoordinatorOfA.SETTINGS.heartbeats().coordinatorInterval()).stream()
            .filter(CoordinatorHeartbeatNotification.class::isInstance)
            .map(CoordinatorHeartbeatNotification.class::cast)
            .flatMap(heartbeat -> heartbeat.waiting().stream())
            .toList();

    assertThat(told).hasSize(1);
    assertThat(told.getFirst().transactions()).containsExactly(FIRST.id());
    assertThat(told.getFirst().asked().getFirst().said().orElseThrow())
        .contains("its turn at a, ", "not before", "unanswered")
        .hasSizeLessThan(200);
  }

  @Test
  void severalQuestionsThatAreUnansweredAtOnceAreOneSilence() {
    var timeout = CoordinatorOfA.SETTINGS.delivery().confirmationTimeout();
    coordinator.leaveIsAskedFor(FIRST, SPENDS_COIN);
    coordinator.leaveIsAskedFor(SECOND, SPENDS_MADE);

    coordinator.tickFor(timeout.plusSeconds(1));

    assertThat(coordinator.state().silences().get(B).times()).isEqualTo(1);
  }

  @Test
  void aSenderThatWasSilentIsServedAfterAWhileAndAnotherAtOnce() {
    coordinator.leaveIsAskedFor(FIRST, SPENDS_COIN);
    var timeout = CoordinatorOfA.SETTINGS.delivery().confirmationTimeout();
    coordinator.tickFor(timeout);

    coordinator.delegate(FIRST);
    coordinator.load();
    assertThat(coordinator.state().assembling()).isEmpty();
    var ofC = Contract.transaction(C, 7);
    coordinator.delegateFrom(C, ofC);
    assertThat(coordinator.sentTo(AssembleRequest.class)).containsExactly(C);
    coordinator.notAssembled(ofC);

    coordinator.tickFor(timeout);
    assertThat(coordinator.state().assembling().orElseThrow().sender()).isEqualTo(B);
  }

  @Test
  void whatIsDispatchedNamesWhatItSpendsMakesAndWhoHasEndorsedIt() {
    var asked = coordinator.leaveIsAskedFor(FIRST, SPENDS_COIN);
    var endorsements = coordinator.transaction(FIRST).progress().proof().orElseThrow().signatures();
    assertThat(endorsements).hasSize(2);

    coordinator.grant(B, asked);

    var dispatch = coordinator.handed().get(0);
    assertThat(dispatch)
        .isEqualTo(
            new Dispatch(
                dispatch.dispatchId(),
                ADDRESS,
                B,
                asked.items().get(0).delegationId(),
                Contract.SELECTION.range(coordinator.height),
                new PreparedTransaction(
                    FIRST.key(),
                    ADDRESS,
                    List.of(COIN.id()),
                    List.of(),
                    List.of(MADE.id()),
                    new Proof(MerklePath.ALONE, endorsements)),
                List.of(MADE)));
  }

  @Test
  void leaveIsAskedForTheNewestDelegationAndTheHashOfTheAssembly() {
    var asked = coordinator.leaveIsAskedFor(FIRST, SPENDS_COIN);

    assertThat(asked)
        .isEqualTo(
            new RequestDispatchConfirmation(
                asked.requestId(),
                ADDRESS,
                A,
                List.of(
                    new RequestDispatchConfirmation.Item(
                        FIRST.id(),
                        coordinator.transaction(FIRST).delegation(),
                        SPENDS_COIN.confirmationHash(
                            FIRST.id(), coordinator.transaction(FIRST).delegation())))));
    assertThat(coordinator.sentTo(RequestDispatchConfirmation.class)).containsExactly(B);
  }

  @Test
  void whatIsGrantedIsNotAskedForAgainThoughItIsDelegatedAgain() {
    var first = leaveIsAskedForBoth(coordinator);
    coordinator.grant(B, second);

    coordinator.delegate(SECOND);
    assertThat(coordinator.sent(RequestDispatchConfirmation.class)).isEmpty();

    coordinator.grant(B, first);
    assertThat(coordinator.handed()).hasSize(2);
  }

  @Test
  void noLeaveIsAskedForWhatDependsOnAnotherBeforeThatIsEndorsed() {
    coordinator.delegate(FIRST, SECOND);
    coordinator.load();
    coordinator.assembled(FIRST, SPENDS_COIN);
    var ofFirst = coordinator.sent(EndorsementRequest.class);
    coordinator.assembled(SECOND, SPENDS_MADE);
    coordinator.endorse();
    assertThat(coordinator.sent(RequestDispatchConfirmation.class)).isEmpty();

    ofFirst.forEach(coordinator::endorse);

    assertThat(coordinator.askedForLeave()).containsExactly(FIRST.id(), SECOND.id());
  }

  @Test
  void whatIsFulfilledByAnotherDispatchTakesAlongWhatWasBuiltUponItsAssembly() {
    leaveIsAskedForBoth(coordinator);

    coordinator.confirm(FIRST);

    assertThat(coordinator.state().graph().node(FIRST.key())).isEmpty();
    assertThat(coordinator.state().transactions()).containsOnlyKeys(SECOND.key());
    assertThat(coordinator.transaction(SECOND).state()).isEqualTo(CoordinatedState.ASSEMBLING);
    assertThat(openSubjects()).containsOnlyOnce(CoordinatorState.Subject.ASSEMBLY);
    assertThat(openSubjects()).doesNotContain(CoordinatorState.Subject.CONFIRMATION);
  }

  /** It only had to reach the ledger before. */
  @Test
  void whatWasGrantedIsDispatchedOnceTheReaderOfWhatItSpendsIsFulfilledByAnotherDispatch() {
    var reads =
        new PostAssembly(
            List.of(),
            List.of(COIN),
            List.of(),
            List.of(),
            SPENDS_COIN.specification(),
            SPENDS_COIN.attestationPlan(),
            Proof.NONE);
    coordinator.delegate(FIRST, SECOND);
    coordinator.load();
    coordinator.assembled(FIRST, reads);
    coordinator.endorse();
    coordinator.assembled(SECOND, SPENDS_COIN);
    coordinator.endorse();
    coordinator.grant(B, coordinator.sent(RequestDispatchConfirmation.class).get(0));
    assertThat(coordinator.handed()).isEmpty();

    coordinator.confirm(FIRST);

    assertThat(coordinator.handed())
        .extracting(dispatch -> dispatch.prepared().intent())
        .containsExactly(SECOND.key());
  }

  @Test
  void whatIsFulfilledByAnotherDispatchIsAskedAboutNoLonger() {
    coordinator.delegate(FIRST);
    coordinator.load();
    coordinator.assembled(FIRST, SPENDS_COIN);

    coordinator.confirm(FIRST);

    assertThat(openSubjects()).doesNotContain(CoordinatorState.Subject.ENDORSEMENT);
    assertThat(coordinator.state().mode()).isEqualTo(ContractMode.INACTIVE);
  }

  @Test
  void whatIsSettledBeforeItIsAssembledLeavesNothing() {
    coordinator.delegate(FIRST);
    coordinator.load();

    coordinator.tell(
        new CoordinatorInput.DispatchesSettled(List.of(FIRST.key()), coordinator.height));

    assertThat(coordinator.state().transactions()).isEmpty();
    assertThat(coordinator.state().mode()).isEqualTo(ContractMode.INACTIVE);
  }

  @Test
  void whatDependsOnWhatTheLedgerRefusesIsAssembledAnewAtOnce() {
    coordinator.grant(B, leaveIsAskedForBoth(coordinator));

    coordinator.tell(new CoordinatorInput.DispatchReverted(FIRST.key()));

    assertThat(coordinator.sent(AssembleRequest.class))
        .singleElement()
        .satisfies(anew -> assertThat(anew.transactions()).containsExactly(SECOND.id()));
  }

  @Test
  void whatThisNodeDispatchedStaysLockedForSomeBlocksAfterItIsFulfilled() {
    var first = leaveIsAskedForBoth(coordinator);
    coordinator.grant(B, first);

    coordinator.confirm(FIRST);
    assertThat(coordinator.state().transactions()).containsOnlyKeys(SECOND.key());
    assertThat(coordinator.state().graph().locks().spent()).contains(COIN.id());
    int retention = CoordinatorOfA.SETTINGS.limits().lockRetentionBlocks();

    coordinator.index(retention - 1);
    assertThat(coordinator.state().graph().locks().spent()).contains(COIN.id());
    coordinator.index(1);
    assertThat(coordinator.state().graph().locks().spent()).doesNotContain(COIN.id());
  }

  /** What it comes after is on the ledger: nothing holds it back any more. */
  @Test
  void whatWasGrantedIsDispatchedWhenWhatItDependsOnIsFulfilled() {
    var first = leaveIsAskedForBoth(coordinator);
    coordinator.grant(B, second);
    assertThat(coordinator.handed()).isEmpty();
    coordinator.grant(B, first);

    coordinator.confirm(FIRST);

    assertThat(coordinator.transaction(SECOND).state()).isEqualTo(CoordinatedState.DISPATCHED);
  }

  /** The ledger may have made what it spends by another dispatch of the first one. */
  @Test
  void whatTheLedgerRefusesLeavesAndWhatIsDispatchedUponItStaysLockedUntilItIsRefusedToo() {
    dispatchBoth();
    var spends = coordinator.state().graph().node(SECOND.key()).orElseThrow().assembly();

    coordinator.tell(new CoordinatorInput.DispatchReverted(FIRST.key()));

    var graph = coordinator.state().graph();
    assertThat(graph.nodes()).containsOnlyKeys(SECOND.key());
    assertThat(graph.locks().spent()).containsExactlyInAnyOrderElementsOf(spends.inputIds());
    assertThat(graph.locks().created()).as("nobody builds upon it").isEmpty();
    assertThat(coordinator.state().transactions()).containsOnlyKeys(SECOND.key());
    assertThat(coordinator.transaction(SECOND).state()).isEqualTo(CoordinatedState.DISPATCHED);
    assertThat(coordinator.sent(AssembleRequest.class)).isEmpty();

    coordinator.tell(new CoordinatorInput.DispatchReverted(SECOND.key()));
    assertThat(coordinator.state().graph().nodes()).isEmpty();
    assertThat(coordinator.state().transactions()).isEmpty();
    assertThat(coordinator.state().mode()).isEqualTo(ContractMode.INACTIVE);
  }

  @Test
  void thatAnEarlierDispatchOfItWasRefusedChangesNothingOfThisOne() {
    coordinator.leaveIsAskedFor(FIRST, SPENDS_COIN);

    coordinator.tell(new CoordinatorInput.DispatchReverted(FIRST.key()));

    assertThat(coordinator.transaction(FIRST).state()).isEqualTo(CoordinatedState.CONFIRMATION);
    assertThat(coordinator.state().graph().node(FIRST.key())).isPresent();
  }

  @Test
  void afterTheRangeWhatDependsOnWhatLeftIsNotMadeAnewAndItsSenderIsToldIfItHadGrantedIt() {
    var last = CoordinatorOfA.inItsLastBlock();
    var first = leaveIsAskedForBoth(last);
    last.grant(B, second);
    last.index(1);
    assertThat(last.state().mode()).isEqualTo(ContractMode.DRAINING);

    last.tell(B, denied(first, first.requestId()));

    assertThat(last.sent(TransactionReverted.class))
        .singleElement()
        .satisfies(
            told -> {
              assertThat(told.transaction()).isEqualTo(SECOND.id());
              assertThat(told.retryable()).isTrue();
            });
    assertThat(last.state().transactions()).isEmpty();
    assertThat(last.sent(AssembleRequest.class)).isEmpty();
    assertThat(last.state().mode()).isEqualTo(ContractMode.INACTIVE);
  }

  /** It coordinates the next range for want of a better one, and this is of the one before. */
  @Test
  void norIsItThoughTheNextRangeIsItsOwnForWantOfABetterOne() {
    var last = CoordinatorOfA.inItsLastBlock();
    var first = leaveIsAskedForBoth(last);
    last.grant(B, second);
    last.index(1);
    last.delegateAt(last.state().height(), Contract.transaction(B, 3));
    assertThat(last.state().mode()).isEqualTo(ContractMode.ACTIVE);

    last.tell(B, denied(first, first.requestId()));

    assertThat(last.sent(TransactionReverted.class))
        .singleElement()
        .satisfies(told -> assertThat(told.transaction()).isEqualTo(SECOND.id()));
    assertThat(last.transaction(SECOND)).isNull();
  }

  @Test
  void butItIsWhereTheNextRangePrefersTheSameCoordinator() {
    var last = CoordinatorOfA.inTheLastBlockBeforeAnotherOfItsRanges();
    var first = leaveIsAskedForBoth(last);
    last.grant(B, second);
    last.index(1);
    assertThat(last.state().mode()).isEqualTo(ContractMode.ACTIVE);

    last.tell(B, denied(first, first.requestId()));

    assertThat(last.sent(AssembleRequest.class))
        .singleElement()
        .satisfies(anew -> assertThat(anew.transactions()).containsExactly(SECOND.id()));
    assertThat(last.sent(TransactionReverted.class)).isEmpty();
  }

  @Test
  void afterTheRangeTheSenderIsNotToldOfWhatItHadNotGranted() {
    var last = CoordinatorOfA.inItsLastBlock();
    var first = leaveIsAskedForBoth(last);
    last.index(1);

    last.tell(B, denied(first, first.requestId()));

    assertThat(last.sent(TransactionReverted.class)).isEmpty();
    assertThat(last.state().transactions()).isEmpty();
    assertThat(last.state().exchanges().get(second.requestId())).isEmpty();
  }

  /** Its sender may have missed that it was dispatched (5S to 6S). */
  @Test
  void whatThisNodeDispatchedBeforeItsRestartIsNotCoordinatedTwice() {
    var dispatch = dispatchOf(FIRST);
    var delegation = coordinator.delegate(FIRST, SECOND);
    coordinator.load(dispatch);
    assertThat(coordinator.sent(Dispatched.class))
        .containsExactly(
            new Dispatched(ADDRESS, List.of(new Dispatched.Item(FIRST.id(), delegation)), A));
    assertThat(coordinator.state().transactions()).containsOnlyKeys(SECOND.key());

    var again = coordinator.delegate(FIRST);

    assertThat(coordinator.sent(Dispatched.class))
        .containsExactly(
            new Dispatched(ADDRESS, List.of(new Dispatched.Item(FIRST.id(), again)), A));
    assertThat(coordinator.state().transactions()).containsOnlyKeys(SECOND.key());
  }

  @Test
  void whatThisNodeDispatchedBeforeItsRestartIsLockedAndOfferedToOthers() {
    coordinator.delegate(SECOND);

    coordinator.load(dispatchOf(FIRST));

    var locks = coordinator.sent(AssembleRequest.class).get(0).stateLocks();
    assertThat(locks.spent()).containsExactly(COIN.id());
    assertThat(locks.created()).containsOnlyKeys(MADE.id());
    coordinator.load(dispatchOf(FIRST));
    assertThat(coordinator.state().graph().nodes()).hasSize(1);
  }

  @Test
  void whatItsSubmitterHasSettledLeaves() {
    dispatchBoth();
    var next = new BlockHeight(coordinator.height.value() + 1);

    coordinator.tell(
        new CoordinatorInput.DispatchesSettled(List.of(FIRST.key(), SECOND.key()), next));

    assertThat(coordinator.state().transactions()).isEmpty();
    assertThat(coordinator.state().graph().node(FIRST.key()).orElseThrow().settledAt())
        .contains(next);
  }

  @Test
  void withNothingButTheLocksOfOldBlocksLeftItIsActiveUntilTheyAreGone() {
    dispatchBoth();
    coordinator.tell(new CoordinatorInput.DispatchesCommitted(List.of(FIRST.key(), SECOND.key())));
    coordinator.confirm(FIRST, SECOND);
    assertThat(coordinator.state().mode()).isEqualTo(ContractMode.ACTIVE);

    coordinator.index(CoordinatorOfA.SETTINGS.limits().lockRetentionBlocks());

    assertThat(coordinator.state().mode()).isEqualTo(ContractMode.INACTIVE);
    assertThat(coordinator.state().handed()).isEmpty();
  }

  private RequestDispatchConfirmation second;

  /** The second spends what the first makes. */
  private RequestDispatchConfirmation leaveIsAskedForBoth(CoordinatorOfA of) {
    of.delegate(FIRST, SECOND);
    of.load();
    of.assembled(FIRST, SPENDS_COIN);
    of.endorse();
    var first = of.sent(RequestDispatchConfirmation.class).get(0);
    of.assembled(SECOND, SPENDS_MADE);
    of.endorse();
    second = of.sent(RequestDispatchConfirmation.class).get(0);
    return first;
  }

  private void dispatchBoth() {
    coordinator.grant(B, leaveIsAskedForBoth(coordinator));
    coordinator.grant(B, second);
  }

  private Dispatch dispatchOf(PrivateTransaction transaction) {
    return new Dispatch(
        new RequestId("dispatch"),
        ADDRESS,
        B,
        new DelegationId(B, 1, 0),
        Contract.SELECTION.range(coordinator.height),
        new PreparedTransaction(
            transaction.key(),
            ADDRESS,
            List.of(COIN.id()),
            List.of(),
            List.of(MADE.id()),
            Proof.NONE),
        List.of(MADE));
  }

  private List<CoordinatorState.Subject> openSubjects() {
    return coordinator.state().purposes().values().stream()
        .map(CoordinatorState.Purpose::subject)
        .toList();
  }
}
