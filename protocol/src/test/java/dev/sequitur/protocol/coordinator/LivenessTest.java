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
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.EndorsementError;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.message.StartupNotification;
import dev.sequitur.protocol.message.StartupNotificationAcknowledgement;
import dev.sequitur.protocol.settings.SequencerSettings.HeartbeatSettings;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How the others learn that a coordinator lives, and it of them (HBT-4, AVL-2). */
class LivenessTest {
  private static final HeartbeatSettings TIMES = CoordinatorOfA.SETTINGS.heartbeats();
  private static final PrivateTransaction OF_B = Contract.transaction(B, 1);
  private static final PrivateTransaction OF_C = Contract.transaction(C, 2);
  private static final PostAssembly ASSEMBLY =
      CoordinatorOfA.assembly(List.of(), Contract.state("made", A, B, C));

  private final CoordinatorOfA coordinator = CoordinatorOfA.inItsFirstBlock();

  @Test
  void whileItCoordinatesEveryMemberIsToldEachIntervalWhatIsItsOwn() {
    coordinator.delegate(OF_B);
    coordinator.delegateFrom(C, OF_C);
    coordinator.load();

    coordinator.tell(new CoordinatorInput.Tick());
    assertThat(coordinator.sent(CoordinatorHeartbeatNotification.class))
        .containsExactly(
            heartbeat(1, List.of()), heartbeat(1, List.of(OF_B)), heartbeat(1, List.of(OF_C)));
    assertThat(coordinator.sentTo(CoordinatorHeartbeatNotification.class)).containsExactly(A, B, C);

    assertThat(coordinator.tickFor(TIMES.coordinatorInterval().minusMillis(100)))
        .doesNotHaveAnyElementsOfTypes(CoordinatorHeartbeatNotification.class);
    coordinator.tickFor(Duration.ofMillis(100));
    assertThat(coordinator.sent(CoordinatorHeartbeatNotification.class))
        .hasSize(3)
        .allSatisfy(beat -> assertThat(beat.heartbeatId()).isEqualTo(new HeartbeatSequence(1, 2)));
  }

  private CoordinatorHeartbeatNotification heartbeat(long number, List<PrivateTransaction> named) {
    return new CoordinatorHeartbeatNotification(
        new HeartbeatSequence(1, number),
        coordinator.now(),
        ADDRESS,
        named.stream().map(PrivateTransaction::id).toList());
  }

  @Test
  void withNothingToCoordinateNobodyIsToldAnything() {
    assertThat(coordinator.tickFor(Duration.ofSeconds(3))).isEmpty();
  }

  /** From then on its submitter's heartbeats name it. */
  @Test
  void whatTheSubmitterHasIsNamedNoLonger() {
    var asked = coordinator.leaveIsAskedFor(OF_B, ASSEMBLY);
    assertNamed(true);
    coordinator.grant(B, asked);
    assertNamed(true);

    coordinator.tell(new CoordinatorInput.DispatchesCommitted(List.of(OF_B.key())));

    assertNamed(false);
  }

  private void assertNamed(boolean named) {
    var beats =
        coordinator.tickFor(TIMES.coordinatorInterval()).stream()
            .filter(CoordinatorHeartbeatNotification.class::isInstance)
            .map(CoordinatorHeartbeatNotification.class::cast)
            .flatMap(beat -> beat.transactions().stream())
            .toList();
    assertThat(beats.contains(OF_B.id())).isEqualTo(named);
  }

  @Test
  void theFirstActivityIsAnnouncedToAllOthersOnce() {
    coordinator.tell(new CoordinatorInput.ActivitySeen());
    assertThat(coordinator.sentTo(StartupNotification.class)).containsExactly(B, C);
    assertThat(coordinator.sent(StartupNotification.class))
        .extracting(StartupNotification::startupId)
        .doesNotHaveDuplicates();

    coordinator.tell(new CoordinatorInput.ActivitySeen());
    coordinator.delegate(OF_B);
    assertThat(coordinator.sent(StartupNotification.class)).isEmpty();
  }

  @Test
  void aBlockIsActivityIfItHasSomethingOfTheContract() {
    coordinator.index(1);
    assertThat(coordinator.sent(StartupNotification.class)).isEmpty();

    coordinator.confirm();
    assertThat(coordinator.sent(StartupNotification.class)).hasSize(2);
  }

  @Test
  void aDelegationIsActivity() {
    coordinator.delegate(OF_B);

    assertThat(coordinator.sent(StartupNotification.class)).hasSize(2);
  }

  @Test
  void theHeartbeatOfAnotherIsActivityAndTheOwnIsNot() {
    coordinator.tell(A, heartbeatOf());
    assertThat(coordinator.sent(StartupNotification.class)).isEmpty();
    assertThat(coordinator.state().availability().heard()).isEmpty();

    coordinator.tell(B, heartbeatOf());
    assertThat(coordinator.sent(StartupNotification.class)).hasSize(2);
    assertThat(coordinator.state().availability().heard()).containsOnlyKeys(B);
  }

  /** It was cut off, and no heartbeat of its own tells that it is back. */
  @Test
  void toALessPreferredCoordinatorItAnnouncesItselfAgainButNotTooOften() {
    coordinator.tell(B, heartbeatOf());
    acknowledgeAll();

    coordinator.tickFor(TIMES.startupAgain().minusMillis(100));
    coordinator.tell(B, heartbeatOf());
    assertThat(coordinator.sent(StartupNotification.class)).as("too early").isEmpty();

    coordinator.tickFor(Duration.ofMillis(100));
    coordinator.tell(B, heartbeatOf());
    assertThat(coordinator.sentTo(StartupNotification.class)).containsExactly(B, C);

    coordinator.tell(B, heartbeatOf());
    assertThat(coordinator.sent(StartupNotification.class)).as("it has just done so").isEmpty();
  }

  @Test
  void whileItCoordinatesItsHeartbeatsTellThatItLives() {
    coordinator.delegate(OF_B);
    coordinator.load();
    acknowledgeAll();
    coordinator.tickFor(Duration.ofSeconds(4));
    coordinator.assembled(OF_B, ASSEMBLY);
    coordinator.tickFor(Duration.ofSeconds(4));

    coordinator.tell(B, heartbeatOf());

    assertThat(coordinator.sent(StartupNotification.class)).isEmpty();
  }

  @Test
  void toAMorePreferredCoordinatorItHasNothingToAnnounce() {
    var worse = new CoordinatorOfA(Contract.heightPreferring(B, BlockHeight.ZERO), 1);
    worse.tell(B, heartbeatOf());
    worse.tickFor(TIMES.startupAgain().multipliedBy(2));

    worse.tell(B, heartbeatOf());

    assertThat(worse.sent(StartupNotification.class)).isEmpty();
  }

  @Test
  void theStartOfABetterMemberEndsItsCoordinationAndItsOwnDoesNot() {
    var worse = new CoordinatorOfA(Contract.heightPreferring(B, BlockHeight.ZERO), 1);
    worse.delegate(OF_B);
    worse.load();
    var start = new StartupNotification(new RequestId("start"), Instant.EPOCH, ADDRESS);

    worse.tell(A, start);
    assertThat(worse.state().availability().heard()).isEmpty();
    assertThat(worse.state().mode()).isEqualTo(ContractMode.ACTIVE);

    worse.tell(B, start);
    assertThat(worse.state().availability().heard()).containsOnlyKeys(B);
    assertThat(worse.state().mode()).isEqualTo(ContractMode.INACTIVE);
    assertThat(worse.has(new CoordinatorEffect.Count(CoordinatorEffect.Counted.RANGE_LEFT)))
        .isTrue();
  }

  @Test
  void anAcknowledgementIsASignOfLifeOfABetterMemberThatWasAsked() {
    var worse = new CoordinatorOfA(Contract.heightPreferring(B, BlockHeight.ZERO), 1);
    var question = asksWhether(worse, B);
    worse.tell(B, new StartupNotificationAcknowledgement(question, ADDRESS));

    assertThat(worse.state().availability().heard()).containsOnlyKeys(B);
    assertThat(worse.state().exchanges().get(question)).isEmpty();
  }

  @Test
  void aBetterMemberIsAskedOnceAtATime() {
    var worse = new CoordinatorOfA(Contract.heightPreferring(B, BlockHeight.ZERO), 1);
    asksWhether(worse, B);

    worse.refuse(endorsementRequest(worse), new EndorsementError.NotPreferredCoordinator(B));

    assertThat(worse.sent(StartupNotification.class)).isEmpty();
  }

  @Test
  void thatOneBetterMemberIsBeingAskedKeepsNobodyFromAskingAnother() {
    var height = Contract.heightPreferring(B, BlockHeight.ZERO);
    while (!Contract.SELECTION.ranking(Contract.SELECTION.range(height)).prefers(C, A)) {
      height = Contract.heightPreferring(B, height);
    }
    var worst = new CoordinatorOfA(height, 1);
    asksWhether(worst, B);

    worst.tickFor(Duration.ofSeconds(1));
    worst.refuse(endorsementRequest(worst), new EndorsementError.NotPreferredCoordinator(C));

    assertThat(worst.sentTo(StartupNotification.class)).containsExactly(C);
  }

  @Test
  void theHeartbeatOfABetterMemberIsActivityToo() {
    var worse = new CoordinatorOfA(Contract.heightPreferring(B, BlockHeight.ZERO), 1);

    worse.tell(B, heartbeatOf());

    assertThat(worse.sentTo(StartupNotification.class)).containsExactly(B, C);
  }

  @Test
  void aWorseMemberIsNotAskedWhetherItLives() {
    coordinator.delegate(OF_B);
    coordinator.load();
    coordinator.assembled(OF_B, ASSEMBLY);

    coordinator.refuse(
        endorsementRequest(coordinator), new EndorsementError.NotPreferredCoordinator(B));

    assertThat(coordinator.sent(StartupNotification.class)).isEmpty();
  }

  private static RequestId asksWhether(CoordinatorOfA worse, NodeName better) {
    worse.delegateFrom(C, OF_C);
    worse.load();
    worse.assembled(OF_C, ASSEMBLY);
    worse.refuse(endorsementRequest(worse), new EndorsementError.NotPreferredCoordinator(better));
    assertThat(worse.sentTo(StartupNotification.class)).containsExactly(better);
    return worse.sent(StartupNotification.class).get(0).startupId();
  }

  /** That C is asked by now. */
  private static EndorsementRequest endorsementRequest(CoordinatorOfA coordinator) {
    EndorsementRequest newest = null;
    for (var sent : coordinator.allSent) {
      if (sent.to().equals(C) && sent.message() instanceof EndorsementRequest request) {
        newest = request;
      }
    }
    var asked = newest.idempotencyKey();
    if (coordinator.state().exchanges().get(asked).isPresent()) {
      return newest;
    }
    var again =
        coordinator.state().exchanges().open().values().stream()
            .map(open -> open.message())
            .filter(EndorsementRequest.class::isInstance)
            .map(EndorsementRequest.class::cast)
            .filter(request -> request.party().node().equals(C))
            .findFirst();
    return again.orElseThrow();
  }

  @Test
  void whileItCoordinatesANotificationIsRepeatedUntilItIsAnswered() {
    coordinator.delegate(OF_B);
    coordinator.load();
    var most = CoordinatorOfA.SETTINGS.delivery().notificationSends();

    for (int i = 0; i < most + 5; i++) {
      coordinator.delegate(OF_B);
      coordinator.load();
      coordinator.tickFor(Duration.ofSeconds(10));
    }

    assertThat(coordinator.state().purposes().values())
        .filteredOn(purpose -> purpose.subject() == CoordinatorState.Subject.NOTIFICATION)
        .isNotEmpty();
  }

  /** CMT-8: neither hears the other. */
  @Test
  void nobodyIsToldAgainWhoHasLeftLongAgoNorByWhoHas() {
    for (var gone : List.of(A, B)) {
      var before = new BlockHeight(coordinator.height.value() - 5);
      for (var group :
          List.of(Contract.without(gone, before), Contract.longWithout(gone, before))) {
        var leaving = new CoordinatorOfA(Contract.GROUP, coordinator.height, 1);
        leaving.tell(new CoordinatorInput.ActivitySeen());
        leaving.follow(group);

        var told = Set.copyOf(leaving.tickFor(Duration.ofSeconds(10)));

        int others = group.nodes().contains(gone) ? 2 : gone.equals(A) ? 0 : 1;
        assertThat(told).as("%s of %s", gone, group.nodes()).hasSize(others);
      }
    }
  }

  private void acknowledgeAll() {
    for (var sent : List.copyOf(coordinator.allSent)) {
      acknowledge(sent);
    }
  }

  private void acknowledge(Outgoing sent) {
    if (sent.message() instanceof StartupNotification start) {
      coordinator.tell(
          sent.to(), new StartupNotificationAcknowledgement(start.startupId(), ADDRESS));
    }
  }

  private static CoordinatorHeartbeatNotification heartbeatOf() {
    return new CoordinatorHeartbeatNotification(
        new HeartbeatSequence(1, 1), Instant.EPOCH, ADDRESS, List.of());
  }
}
