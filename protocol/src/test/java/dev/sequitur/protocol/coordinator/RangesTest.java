package dev.sequitur.protocol.coordinator;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.coordinator.CoordinatorTables.ContractMode;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.AssembleResponse;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.DelegationAccepted;
import dev.sequitur.protocol.message.DelegationRejected;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.message.RequestDispatchConfirmation;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One block after the last one of its range a coordinator begins nothing for it any more. */
class RangesTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final PrivateTransaction FIRST = Contract.transaction(B, 1);
  private static final PrivateTransaction SECOND = Contract.transaction(B, 2);
  private static final PrivateTransaction OF_ANOTHER = Contract.transaction(C, 3);
  private static final PostAssembly ASSEMBLY =
      CoordinatorOfA.assembly(List.of(), Contract.state("made", A, B));

  private final CoordinatorOfA coordinator = CoordinatorOfA.inItsLastBlock();

  @Test
  void inItsLastBlockItAcceptsAndAsksForEverything() {
    var asked = coordinator.leaveIsAskedFor(FIRST, ASSEMBLY);

    coordinator.grant(B, asked);

    assertThat(coordinator.handed()).hasSize(1);
  }

  @Test
  void afterItsEndItAcceptsNoDelegationOfTheRange() {
    coordinator.index(1);

    coordinator.delegate(FIRST);

    assertRejectedBecauseOf(DelegationRejected.MismatchedBlockHeight.class);
  }

  @Test
  void beforeItsBeginItAcceptsNoDelegationOfTheRange() {
    coordinator.delegateAt(new BlockHeight(coordinator.height.value() + 1), FIRST);

    assertRejectedBecauseOf(DelegationRejected.MismatchedBlockHeight.class);
  }

  @Test
  void afterItsEndItAsksForNoAssemblyOfWhatIsQueued() {
    coordinator.delegate(FIRST, SECOND);

    coordinator.index(1);
    coordinator.load();

    assertThat(coordinator.sent(AssembleRequest.class)).isEmpty();
    assertThat(coordinator.tickFor(LONG)).doesNotHaveAnyElementsOfTypes(AssembleRequest.class);
    assertThat(coordinator.state().transactions()).isEmpty();
  }

  /** Who comes again in a later range stands in line anew. */
  @Test
  void afterItsEndNobodyStandsInItsLine() {
    coordinator.delegate(FIRST);
    coordinator.load();
    coordinator.delegateFrom(C, OF_ANOTHER);
    assertThat(coordinator.state().waiting().bySender()).containsOnlyKeys(C);

    coordinator.index(1);

    assertThat(coordinator.state().waiting().bySender()).isEmpty();
  }

  @Test
  void itDoesNotEndBeforeItKnowsWhatItsNodeHasDispatched() {
    var loading = CoordinatorOfA.inItsFirstBlock();
    loading.delegate(FIRST);

    loading.confirm(FIRST);
    assertThat(loading.state().transactions()).isEmpty();
    assertThat(loading.state().mode()).isEqualTo(ContractMode.LOADING);

    loading.load();
    assertThat(loading.state().mode()).isEqualTo(ContractMode.INACTIVE);
  }

  @Test
  void whereTheNextRangeIsItsOwnTooItGoesOnWithWhatIsQueued() {
    var goesOn = CoordinatorOfA.inTheLastBlockBeforeAnotherOfItsRanges();
    goesOn.delegate(FIRST);

    goesOn.index(1);
    goesOn.load();

    assertThat(goesOn.sent(AssembleRequest.class)).hasSize(1);
    assertThat(goesOn.state().transactions()).containsKey(FIRST.key());
  }

  /** Its attestation plan names parties of the committee of before. */
  @Test
  void whereTheNextRangeHasAnotherCommitteeItLeavesWhatHasNoLeaveThoughThatRangeIsItsOwnToo() {
    var last = CoordinatorOfA.inTheLastBlockBeforeAnotherOfItsRanges().height;
    var leaves = new CoordinatorOfA(Contract.withOtherKeyOf(C, last), last, 1);
    leaves.delegate(FIRST);
    leaves.load();
    leaves.assembled(FIRST, ASSEMBLY);
    var asked = leaves.sent(EndorsementRequest.class);

    leaves.index(1);

    assertThat(leaves.state().transactions()).isEmpty();
    assertThat(leaves.state().graph().nodes()).as("its locks").isEmpty();
    asked.forEach(leaves::endorse);
    assertThat(leaves.sent(RequestDispatchConfirmation.class)).isEmpty();
    leaves.delegateAt(leaves.state().height(), FIRST);
    leaves.load();
    assertThat(leaves.sent(AssembleRequest.class)).as("delegated to it again").hasSize(1);
  }

  /** It is on its way under the committee that has endorsed it. */
  @Test
  void whatItsSenderWasAskedAboutIsFinishedAlsoIfTheNextRangeHasAnotherCommittee() {
    var last = CoordinatorOfA.inTheLastBlockBeforeAnotherOfItsRanges().height;
    var finishes = new CoordinatorOfA(Contract.withOtherKeyOf(C, last), last, 1);
    var asked = finishes.leaveIsAskedFor(FIRST, ASSEMBLY);

    finishes.index(1);
    finishes.grant(B, asked);

    assertThat(finishes.handed()).hasSize(1);
  }

  @Test
  void afterItsEndItDoesNotRepeatARequestForAnAssemblyNorTakeTheAnswer() {
    coordinator.delegate(FIRST);
    coordinator.load();
    var asked = coordinator.sent(AssembleRequest.class).get(0);

    coordinator.index(1);
    assertThat(coordinator.tickFor(Duration.ofSeconds(3)))
        .doesNotHaveAnyElementsOfTypes(AssembleRequest.class);
    coordinator.tell(
        B, new AssembleResponse(FIRST.id(), asked.assembleRequestId(), ADDRESS, ASSEMBLY));

    assertThat(coordinator.sent(EndorsementRequest.class)).isEmpty();
    assertThat(coordinator.state().graph().nodes()).isEmpty();
  }

  @Test
  void afterItsEndItAsksForNoEndorsementAndTakesNone() {
    coordinator.delegate(FIRST);
    coordinator.load();
    coordinator.assembled(FIRST, ASSEMBLY);
    var asked = coordinator.sent(EndorsementRequest.class);
    assertThat(asked).hasSize(2);

    coordinator.index(1);
    assertThat(coordinator.state().graph().nodes()).as("its locks").isEmpty();
    assertThat(coordinator.tickFor(LONG)).doesNotHaveAnyElementsOfTypes(EndorsementRequest.class);
    for (var request : asked) {
      coordinator.endorse(request);
    }

    assertThat(coordinator.sent(RequestDispatchConfirmation.class)).isEmpty();
    assertThat(coordinator.state().purposes().values())
        .extracting(CoordinatorState.Purpose::subject)
        .doesNotContain(CoordinatorState.Subject.ENDORSEMENT);
  }

  @Test
  void whatItsSenderWasAskedAboutBeforeTheEndIsFinished() {
    var asked = coordinator.leaveIsAskedFor(FIRST, ASSEMBLY);

    coordinator.index(1);
    coordinator.grant(B, asked);

    assertThat(coordinator.handed()).hasSize(1);
  }

  @Test
  void whileABetterMemberLivesItAcceptsNothing() {
    var worse = new CoordinatorOfA(Contract.heightPreferring(B, BlockHeight.ZERO), 1);
    worse.tell(B, heartbeat());

    worse.delegate(FIRST);
    assertThat(worse.sent(DelegationAccepted.class)).isEmpty();
    assertThat(worse.sent(DelegationRejected.class))
        .singleElement()
        .satisfies(
            rejected ->
                assertThat(rejected.rejectReason())
                    .isInstanceOf(DelegationRejected.NotPreferredCoordinator.class));

    worse.tickFor(
        CoordinatorOfA.SETTINGS.heartbeats().coordinatorFailureThreshold().plusMillis(200));
    worse.delegate(FIRST);
    assertThat(worse.sent(DelegationAccepted.class)).hasSize(1);
  }

  @Test
  void whenABetterMemberIsHeardItAsksForNothingNewAnyMore() {
    var worse = new CoordinatorOfA(Contract.heightPreferring(B, BlockHeight.ZERO), 1);
    worse.delegate(FIRST);
    worse.load();
    worse.assembled(FIRST, ASSEMBLY);
    worse.delegate(SECOND);

    worse.tell(B, heartbeat());

    assertThat(worse.tickFor(Duration.ofSeconds(2)))
        .doesNotHaveAnyElementsOfTypes(AssembleRequest.class, EndorsementRequest.class);
    assertThat(worse.state().transactions()).isEmpty();
  }

  @Test
  void whenTheBetterMemberIsSilentAgainItAssemblesAgain() {
    var worse = new CoordinatorOfA(Contract.heightPreferring(B, BlockHeight.ZERO), 1);
    worse.delegate(FIRST);
    worse.load();
    worse.tell(B, heartbeat());
    worse.tickFor(
        CoordinatorOfA.SETTINGS.heartbeats().coordinatorFailureThreshold().plusMillis(200));

    worse.delegate(FIRST);
    worse.load();

    assertThat(worse.sent(AssembleRequest.class)).hasSize(1);
  }

  private static CoordinatorHeartbeatNotification heartbeat() {
    return new CoordinatorHeartbeatNotification(
        new HeartbeatSequence(1, 1), Instant.EPOCH, ADDRESS, List.of());
  }

  private void assertRejectedBecauseOf(Class<? extends DelegationRejected.Reason> reason) {
    assertThat(coordinator.sent(DelegationAccepted.class)).isEmpty();
    assertThat(coordinator.sent(DelegationRejected.class))
        .singleElement()
        .satisfies(rejected -> assertThat(rejected.rejectReason()).isInstanceOf(reason));
    assertThat(coordinator.state().transactions()).isEmpty();
  }
}
