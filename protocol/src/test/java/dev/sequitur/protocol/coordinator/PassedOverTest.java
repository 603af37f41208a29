package dev.sequitur.protocol.coordinator;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.coordinator.CoordinatorTables.ContractMode;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.DelegationAccepted;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.DelegationRejected;
import dev.sequitur.protocol.message.EndorsementError;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whom senders have found unable to act is no reason for a worse one not to (AVL-7). */
class PassedOverTest {
  private static final PrivateTransaction OF_B = Contract.transaction(B, 1);
  private static final PrivateTransaction OF_C = Contract.transaction(C, 2);

  private long delegations;

  /** A coordinator of A in a range whose ranking is this. */
  private static CoordinatorOfA where(NodeName... ranking) {
    long height = 10;
    while (!nodes(new BlockHeight(height)).equals(List.of(ranking))) {
      height += 10;
    }
    return new CoordinatorOfA(new BlockHeight(height), 1);
  }

  private static List<NodeName> nodes(BlockHeight height) {
    return Contract.SELECTION.ranking(Contract.SELECTION.range(height)).members().stream()
        .map(ranked -> ranked.identity().node())
        .toList();
  }

  private static void lives(CoordinatorOfA coordinator, NodeName... nodes) {
    for (var node : nodes) {
      coordinator.tell(
          node,
          new CoordinatorHeartbeatNotification(
              new HeartbeatSequence(1, 1), Instant.EPOCH, ADDRESS, List.of()));
    }
  }

  private void delegate(
      CoordinatorOfA coordinator, PrivateTransaction transaction, NodeName... passedOver) {
    var sender = transaction.from().node();
    coordinator.tell(
        sender,
        new DelegationCommand(
            new DelegationId(sender, 1, ++delegations),
            A,
            ADDRESS,
            List.of(transaction),
            coordinator.state().height(),
            List.of(passedOver)));
  }

  private static List<EndorsementRequest> asked(
      CoordinatorOfA coordinator, PrivateTransaction transaction) {
    coordinator.load();
    coordinator.assembled(
        transaction, CoordinatorOfA.assembly(List.of(), Contract.state("made", A, B, C)));
    return coordinator.sent(EndorsementRequest.class);
  }

  /** Each command says it for itself: another sender may have found out nothing. */
  @Test
  void thatItLivesIsNoGroundToRejectWhoPassesItOverAndAGroundForEachOther() {
    var coordinator = where(B, A, C);
    lives(coordinator, B);

    delegate(coordinator, OF_C, C);
    assertThat(coordinator.sent(DelegationAccepted.class)).isEmpty();
    delegate(coordinator, OF_C, B);
    assertThat(coordinator.sentTo(DelegationAccepted.class)).containsExactly(C);
    delegate(coordinator, OF_B);

    assertThat(coordinator.sent(DelegationRejected.class))
        .extracting(DelegationRejected::rejectReason)
        .singleElement()
        .isInstanceOf(DelegationRejected.NotPreferredCoordinator.class);
  }

  /** Endorsers hear of it by the coordinator alone. */
  @Test
  void everyRequestToEndorseNamesWhomSendersPassOver() {
    var coordinator = where(B, C, A);
    delegate(coordinator, OF_C, B, C);

    var requests = asked(coordinator, OF_C);

    assertThat(requests).hasSize(2);
    assertThat(requests)
        .allSatisfy(request -> assertThat(request.passedOver()).containsExactlyInAnyOrder(B, C));
    coordinator.refuse(
        requests.get(0), new EndorsementError.MismatchedBlockHeight(BlockHeight.ZERO));
    var again =
        coordinator.tickFor(CoordinatorOfA.SETTINGS.delivery().resend().cap()).stream()
            .filter(EndorsementRequest.class::isInstance)
            .map(EndorsementRequest.class::cast)
            .filter(
                request ->
                    requests.stream()
                        .noneMatch(it -> it.idempotencyKey().equals(request.idempotencyKey())))
            .toList();
    assertThat(again).isNotEmpty();
    assertThat(again)
        .allSatisfy(request -> assertThat(request.passedOver()).containsExactlyInAnyOrder(B, C));
  }

  /** Nobody turns it away for the sake of a worse one. */
  @Test
  void onlyBetterOnesAreNamed() {
    var coordinator = where(B, A, C);
    delegate(coordinator, OF_B, B, C, A);

    assertThat(asked(coordinator, OF_B))
        .isNotEmpty()
        .allSatisfy(request -> assertThat(request.passedOver()).containsExactly(B));
  }

  @Test
  void thatItLivesIsNoReasonToLeaveEitherAsLongAsTheRangeLasts() {
    for (var passedOver : List.of(List.of(B), List.of(B, C))) {
      var coordinator = where(B, C, A);
      delegate(coordinator, OF_C, passedOver.toArray(NodeName[]::new));
      coordinator.load();

      lives(coordinator, B);
      assertThat(coordinator.state().mode()).isEqualTo(ContractMode.ACTIVE);
      lives(coordinator, C);

      assertThat(coordinator.state().mode() == ContractMode.ACTIVE)
          .as("passed over are %s", passedOver)
          .isEqualTo(passedOver.contains(C));
    }
  }

  /** What one sender says adds to what another has said. */
  @Test
  void whatEachSenderSaysCounts() {
    var coordinator = where(B, C, A);
    delegate(coordinator, OF_C, B);
    delegate(coordinator, OF_B, C);
    coordinator.load();

    lives(coordinator, B, C);

    assertThat(coordinator.state().mode()).isEqualTo(ContractMode.ACTIVE);
    assertThat(coordinator.state().transactions()).hasSize(2);
  }

  @Test
  void withTheRangeItIsForgotten() {
    var coordinator = where(B, A, C);
    delegate(coordinator, OF_C, B);
    asked(coordinator, OF_C).forEach(coordinator::endorse);
    coordinator.index(9);
    assertThat(coordinator.state().passedOver()).containsExactly(B);

    coordinator.index(1);

    assertThat(coordinator.state().transactions()).as("it finishes").hasSize(1);
    assertThat(coordinator.state().passedOver()).isEmpty();
  }

  @Test
  void withTheLastTransactionItIsForgotten() {
    var coordinator = where(B, A, C);
    delegate(coordinator, OF_C, B);
    coordinator.load();

    coordinator.confirm(OF_C);

    assertThat(coordinator.state().mode()).isEqualTo(ContractMode.INACTIVE);
    assertThat(coordinator.state().passedOver()).isEmpty();
  }
}
