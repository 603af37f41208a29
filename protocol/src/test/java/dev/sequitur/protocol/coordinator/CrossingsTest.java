package dev.sequitur.protocol.coordinator;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.coordinator.CoordinatorTables.ContractMode;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.message.DelegationAccepted;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.Dispatched;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What crosses the end of a coordinator's range, or what it is busy with. */
class CrossingsTest {
  private static final PrivateTransaction TRANSACTION = Contract.transaction(B, 1);
  private static final PostAssembly ASSEMBLY =
      CoordinatorOfA.assembly(List.of(), Contract.state("made", A, B, C));

  private final CoordinatorOfA coordinator = CoordinatorOfA.inItsLastBlock();

  /** As its submitter holds it. */
  private static Dispatch dispatch() {
    var another = CoordinatorOfA.inItsLastBlock();
    another.grant(B, another.leaveIsAskedFor(TRANSACTION, ASSEMBLY));
    return another.handed().get(0);
  }

  private void assertItsSenderIsToldThatItIsDispatched() {
    assertThat(coordinator.transaction(TRANSACTION)).isNull();
    assertThat(coordinator.sent(Dispatched.class))
        .singleElement()
        .satisfies(told -> assertThat(told.transactions()).containsExactly(TRANSACTION.id()));
    assertThat(coordinator.sentTo(Dispatched.class)).containsExactly(B);
    assertThat(coordinator.state().graph().node(TRANSACTION.key()))
        .as("its locks stay")
        .isPresent();
  }

  /** The submitter was asked when the coordinator woke, and answers after the range has ended. */
  @Test
  void whatItsNodeHasDispatchedBeforeIsNotAskedLeaveForAgain() {
    coordinator.leaveIsAskedFor(TRANSACTION, ASSEMBLY);
    coordinator.index(1);
    assertThat(coordinator.state().mode()).isEqualTo(ContractMode.DRAINING);

    coordinator.load(dispatch());

    assertItsSenderIsToldThatItIsDispatched();
  }

  @Test
  void whatItHasHandedOverAndItsNodeHasDispatchedBeforeGoesItsWay() {
    coordinator.grant(B, coordinator.leaveIsAskedFor(TRANSACTION, ASSEMBLY));
    coordinator.index(1);

    coordinator.load(dispatch());

    assertItsSenderIsToldThatItIsDispatched();
  }

  @Test
  void soDoesWhatItHasGivenToItsCaller() {
    var external = AssemblingTest.external(1);
    coordinator.delegate(external);
    coordinator.load();
    coordinator.assembled(external, ASSEMBLY);
    coordinator.endorse();
    assertThat(coordinator.transaction(external).state()).isEqualTo(CoordinatedState.DISTRIBUTED);
    coordinator.index(1);

    coordinator.load(dispatch());

    assertItsSenderIsToldThatItIsDispatched();
  }

  @Test
  void whatIsDelegatedAgainWhileItsEndorsersAreAskedKeepsItsAssembly() {
    coordinator.delegate(TRANSACTION);
    coordinator.load();
    coordinator.assembled(TRANSACTION, ASSEMBLY);
    assertThat(coordinator.transaction(TRANSACTION).state())
        .isEqualTo(CoordinatedState.ATTESTATION);

    var newest = coordinator.delegate(TRANSACTION);

    assertThat(coordinator.transaction(TRANSACTION).state())
        .isEqualTo(CoordinatedState.ATTESTATION);
    assertThat(coordinator.transaction(TRANSACTION).delegation()).isEqualTo(newest);
    assertThat(coordinator.state().graph().node(TRANSACTION.key())).isPresent();
  }

  /** What it has dispatched in its last range is not confirmed yet when its next one begins. */
  @Test
  void inItsNextRangeItCoordinatesAgainThoughSomethingOfTheLastIsLeft() {
    coordinator.grant(B, coordinator.leaveIsAskedFor(TRANSACTION, ASSEMBLY));
    coordinator.index(1);
    assertThat(coordinator.state().mode()).isEqualTo(ContractMode.DRAINING);
    var next = Contract.heightPreferring(A, coordinator.state().height());
    coordinator.index(next.value() - coordinator.state().height().value());
    var another = Contract.transaction(B, 2);

    coordinator.delegateAt(next, another);

    assertThat(coordinator.sent(DelegationAccepted.class)).hasSize(1);
    assertThat(coordinator.state().mode()).isEqualTo(ContractMode.ACTIVE);
    assertThat(coordinator.transaction(another).state()).isEqualTo(CoordinatedState.ASSEMBLING);
    assertThat(coordinator.transaction(TRANSACTION).state()).isEqualTo(CoordinatedState.DISPATCHED);
  }
}
