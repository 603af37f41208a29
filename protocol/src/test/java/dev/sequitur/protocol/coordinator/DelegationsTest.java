package dev.sequitur.protocol.coordinator;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.coordinator.CoordinatorTables.ContractMode;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.DelegationAccepted;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.DelegationRejected;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Every delegation is answered (DLG-5). */
class DelegationsTest {
  private static final PrivateTransaction FIRST = Contract.transaction(B, 1);
  private static final PrivateTransaction SECOND = Contract.transaction(B, 2);

  private final CoordinatorOfA coordinator = CoordinatorOfA.inItsFirstBlock();

  @Test
  void whatIsAcceptedIsNamedWithTheHeartbeatThatIsTheNewest() {
    coordinator.delegate(FIRST);
    coordinator.tell(new CoordinatorInput.Tick());

    var id = coordinator.delegate(FIRST, SECOND);

    assertThat(coordinator.sentTo(DelegationAccepted.class)).containsExactly(B);
    assertThat(coordinator.sent(DelegationAccepted.class))
        .containsExactly(
            new DelegationAccepted(
                id, A, ADDRESS, List.of(FIRST.id(), SECOND.id()), new HeartbeatSequence(1, 1)));
  }

  @Test
  void aRejectionForAnotherHeightSaysBothHeights() {
    var ahead = new BlockHeight(coordinator.height.value() + 10);

    var id = coordinator.delegateAt(ahead, FIRST);

    assertThat(coordinator.sent(DelegationRejected.class))
        .containsExactly(
            new DelegationRejected(
                id,
                A,
                ADDRESS,
                List.of(FIRST.id()),
                new DelegationRejected.MismatchedBlockHeight(ahead, coordinator.height)));
    assertThat(
            coordinator.has(
                new CoordinatorEffect.Count(CoordinatorEffect.Counted.REJECTED_DELEGATION)))
        .isTrue();
  }

  @Test
  void aRejectionForTheSakeOfABetterMemberSaysWhenItWasHeard() {
    var worse = new CoordinatorOfA(Contract.heightPreferring(B, BlockHeight.ZERO), 1);
    var heartbeat = new HeartbeatSequence(1, 7);
    worse.tell(
        B, new CoordinatorHeartbeatNotification(heartbeat, Instant.EPOCH, ADDRESS, List.of()));

    worse.delegate(FIRST);

    assertThat(worse.sent(DelegationRejected.class))
        .extracting(DelegationRejected::rejectReason)
        .containsExactly(
            new DelegationRejected.NotPreferredCoordinator(B, worse.now(), Optional.of(heartbeat)));
  }

  @Test
  void beyondItsLimitItTakesNothingNewAndSaysForHowLong() {
    var limits = CoordinatorOfA.SETTINGS.limits();
    coordinator.delegate(transactions(1, limits.coordinated() - 1));
    var last = Contract.transaction(B, limits.coordinated());
    var oneTooMany = Contract.transaction(B, limits.coordinated() + 1L);

    coordinator.delegate(FIRST, last, oneTooMany);

    assertThat(coordinator.sent(DelegationAccepted.class))
        .singleElement()
        .satisfies(
            accepted -> assertThat(accepted.transactions()).containsExactly(FIRST.id(), last.id()));
    assertThat(coordinator.sent(DelegationRejected.class))
        .singleElement()
        .satisfies(
            rejected -> {
              assertThat(rejected.transactions()).containsExactly(oneTooMany.id());
              assertThat(rejected.rejectReason())
                  .isEqualTo(new DelegationRejected.Overloaded(limits.overloadedFor()));
            });
  }

  private static PrivateTransaction[] transactions(long from, long to) {
    return LongStream.rangeClosed(from, to)
        .mapToObj(number -> Contract.transaction(B, number))
        .toArray(PrivateTransaction[]::new);
  }

  @Test
  void aMemberDelegatesUnderItsOwnNameOnlyAndForTheContractOnly() {
    var underTheNameOfC =
        new DelegationCommand(
            new DelegationId(C, 1, 1), A, ADDRESS, List.of(FIRST), coordinator.height);
    var another = new ContractAddress("0x" + "cd".repeat(20));
    var ofAnother = FIRST.withContract(another);

    coordinator.tell(B, underTheNameOfC);
    assertRefused(FIRST.id());
    coordinator.delegate(ofAnother);
    assertRefused(ofAnother.id());
  }

  private void assertRefused(TransactionId transaction) {
    assertThat(coordinator.sent(DelegationAccepted.class)).isEmpty();
    assertThat(coordinator.sent(DelegationRejected.class))
        .singleElement()
        .satisfies(rejected -> assertThat(rejected.transactions()).containsExactly(transaction));
    assertThat(coordinator.state().transactions()).isEmpty();
    assertThat(coordinator.state().mode()).isEqualTo(ContractMode.INACTIVE);
  }
}
