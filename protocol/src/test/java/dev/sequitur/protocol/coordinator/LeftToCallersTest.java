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
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.DelegationAccepted;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.DelegationRejected;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.message.RequestDispatchConfirmation;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Proof;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What another coordinator has prepared for callers is locked here too (EXT-3). */
class LeftToCallersTest {
  private static final PrivateTransaction LEFT = AssemblingTest.external(1);
  private static final PrivateTransaction OTHER = Contract.transaction(C, 2);
  private static final PrivateState COIN = Contract.state("coin", A, B, C);
  private static final PrivateState MADE = Contract.state("made", A, B, C);
  private static final PostAssembly SPENDS = CoordinatorOfA.assembly(List.of(COIN), MADE);
  private static final PostAssembly SPENDS_TOO =
      CoordinatorOfA.assembly(List.of(COIN), Contract.state("made too", A, B, C));
  private static final PostAssembly MAKES_TOO = CoordinatorOfA.assembly(List.of(), MADE);
  private static final Duration LOCK = CoordinatorOfA.SETTINGS.limits().externalLock();
  private static final NodeName[] ALL = {A, B, C};

  private CoordinatorOfA coordinator = CoordinatorOfA.inItsFirstBlock();
  private long told;

  @Test
  void whatItIsToSpendIsLockedForEverybodyAndWhatItIsToMakeIsOfferedToNobody() {
    tell(Duration.ZERO, ALL);
    coordinator.load();
    coordinator.delegateFrom(C, OTHER);

    var locks = coordinator.sent(AssembleRequest.class).getFirst().stateLocks();

    assertThat(locks.spent()).containsExactly(COIN.id());
    assertThat(locks.created()).isEmpty();
  }

  @Test
  void itsSenderIsToldSoAndAskedForNothing() {
    tell(Duration.ZERO, ALL);

    assertThat(coordinator.sent(DelegationAccepted.class).getFirst().transactions())
        .containsExactly(LEFT.id());
    coordinator.load();
    assertThat(coordinator.sent(AssembleRequest.class)).isEmpty();
    assertThat(coordinator.sent(PreparedTransactionDistribution.class)).isEmpty();
    tell(Duration.ZERO, ALL);
    assertThat(coordinator.sent(PreparedTransactionDistribution.class)).isEmpty();
    assertThat(state()).isEqualTo(CoordinatedState.DISTRIBUTED);
  }

  @Test
  void anotherThatSpendsOrMakesTheSameIsNotEndorsed() {
    for (var same : List.of(SPENDS_TOO, MAKES_TOO)) {
      var each = new LeftToCallersTest();
      each.tell(Duration.ZERO, ALL);
      each.coordinator.load();
      each.coordinator.delegateFrom(C, OTHER);

      each.coordinator.assembled(OTHER, same);

      assertThat(each.coordinator.sent(EndorsementRequest.class)).isEmpty();
      assertThat(each.coordinator.sentTo(AssembleRequest.class)).as("again").containsExactly(C);
    }
  }

  /** It may have been assembled before its sender was heard: at the begin of a range. */
  @Test
  void whatIsNotDispatchedYetIsAssembledAnew() {
    var askedForLeave = leaveIsAskedForOther();

    tell(Duration.ZERO, ALL);

    assertThat(coordinator.sentTo(AssembleRequest.class)).containsExactly(C);
    assertThat(coordinator.sent(AssembleRequest.class).getFirst().stateLocks().spent())
        .containsExactly(COIN.id());
    coordinator.grant(C, askedForLeave);
    assertThat(coordinator.handed()).isEmpty();
  }

  @Test
  void whatIsDispatchedGoesItsWay() {
    coordinator.grant(C, leaveIsAskedForOther());
    assertThat(coordinator.handed()).hasSize(1);

    tell(Duration.ZERO, ALL);

    assertThat(coordinator.transaction(OTHER).state()).isEqualTo(CoordinatedState.DISPATCHED);
    assertThat(coordinator.transaction(LEFT)).isNull();
    assertThat(coordinator.sent(DelegationAccepted.class)).hasSize(1);
  }

  @Test
  void whatTooFewHaveEndorsedIsNotLocked() {
    tell(Duration.ZERO, B);

    assertThat(coordinator.sent(DelegationRejected.class)).hasSize(1);
    assertThat(coordinator.transaction(LEFT)).isNull();
  }

  @Test
  void norWhatIsProvedOfAnotherTransaction() {
    var other = AssemblingTest.external(7);
    tell(B, LEFT, new DelegationCommand.Left(prepared(other, ALL), Duration.ZERO));
    // Of none that is left: it is coordinated.
    assertThat(coordinator.transaction(LEFT).state()).isEqualTo(CoordinatedState.QUEUED);

    tell(C, OTHER, new DelegationCommand.Left(prepared(OTHER, ALL), Duration.ZERO));
    assertThat(coordinator.transaction(OTHER)).as("no caller is to submit it").isNull();
  }

  @Test
  void norWhatAnotherThanItsSenderTells() {
    tell(C, LEFT, new DelegationCommand.Left(prepared(LEFT, ALL), Duration.ZERO));

    assertThat(coordinator.sent(DelegationRejected.class)).hasSize(1);
    assertThat(coordinator.transaction(LEFT)).isNull();
  }

  @Test
  void itIsLockedForNoLongerThanItsSenderHasItLeft() {
    tell(LOCK.minusSeconds(2), ALL);
    coordinator.load();

    coordinator.tickFor(Duration.ofSeconds(1));
    assertThat(state()).isEqualTo(CoordinatedState.DISTRIBUTED);
    coordinator.tickFor(Duration.ofSeconds(1));

    assertThat(coordinator.transaction(LEFT)).isNull();
    assertThat(coordinator.state().graph().locks().spent()).isEmpty();
  }

  @Test
  void norForLongerThanLocksLastWhateverItsSenderSays() {
    tell(Duration.ofDays(-1), ALL);
    coordinator.load();

    coordinator.tickFor(LOCK);

    assertThat(coordinator.transaction(LEFT)).isNull();
  }

  @Test
  void itEndsWithItsConfirmation() {
    tell(Duration.ZERO, ALL);
    coordinator.load();

    coordinator.confirm(LEFT);
    coordinator.index(CoordinatorOfA.SETTINGS.limits().lockRetentionBlocks() + 1L);

    assertThat(coordinator.state().mode()).isEqualTo(ContractMode.INACTIVE);
    assertThat(coordinator.state().graph().locks().spent()).isEmpty();
  }

  /** Its sender has ended it by the same block: nobody is to wait for what it would have made. */
  @Test
  void itEndsWithABlockInWhichAnotherTakesWhatItNeeds() {
    for (var taken : List.of(COIN, MADE)) {
      var each = new LeftToCallersTest();
      each.tell(Duration.ZERO, ALL);
      each.coordinator.load();

      each.coordinator.tell(
          new CoordinatorInput.BlockIndexed(
              new BlockHeight(each.coordinator.height.value() + 1),
              List.of(OTHER.key()),
              true,
              taken.equals(COIN) ? List.of(COIN.id()) : List.of(),
              taken.equals(MADE) ? List.of(MADE.id()) : List.of()));

      assertThat(each.coordinator.transaction(LEFT)).isNull();
      assertThat(each.coordinator.state().graph().nodes()).isEmpty();
    }
  }

  @Test
  void aBlockThatTakesNothingThatItNeedsLeavesItLocked() {
    tell(Duration.ZERO, ALL);
    coordinator.load();

    coordinator.tell(
        new CoordinatorInput.BlockIndexed(
            new BlockHeight(coordinator.height.value() + 1),
            List.of(OTHER.key()),
            true,
            List.of(MADE.id()),
            List.of(COIN.id())));

    assertThat(state()).isEqualTo(CoordinatedState.DISTRIBUTED);
  }

  /** SEL-10: without C, A and B are all who must endorse. */
  @Test
  void howManyMustHaveEndorsedItIsSaidByTheCommitteeOfTheRangeOrOneBefore() {
    var first = coordinator.height;
    tell(Duration.ZERO, A, B);
    assertThat(coordinator.state().graph().locks().spent()).isEmpty();

    coordinator =
        new CoordinatorOfA(Contract.without(C, new BlockHeight(first.value() - 1)), first, 1);
    tell(Duration.ZERO, A, B);
    assertThat(coordinator.state().graph().locks().spent()).containsExactly(COIN.id());

    coordinator = new CoordinatorOfA(Contract.without(C, first), first, 1);
    tell(Duration.ZERO, A, B);
    assertThat(coordinator.state().graph().locks().spent()).as("from the next range on").isEmpty();
  }

  /** It is left to its caller still: the committee of its own range has endorsed it. */
  @Test
  void whatACommitteeOfBeforeHasEndorsedIsLockedToo() {
    var first = coordinator.height;
    var changed = Contract.withOtherKeyOf(C, new BlockHeight(first.value() - 1));
    coordinator = new CoordinatorOfA(changed, first, 1);

    tell(Duration.ZERO, ALL);

    assertThat(coordinator.state().graph().locks().spent()).containsExactly(COIN.id());
  }

  private CoordinatedState state() {
    return coordinator.transaction(LEFT).state();
  }

  private RequestDispatchConfirmation leaveIsAskedForOther() {
    coordinator.delegateFrom(C, OTHER);
    coordinator.load();
    coordinator.assembled(OTHER, SPENDS_TOO);
    coordinator.endorse();
    return coordinator.sent(RequestDispatchConfirmation.class).getFirst();
  }

  private void tell(Duration since, NodeName... endorsers) {
    tell(B, LEFT, new DelegationCommand.Left(prepared(LEFT, endorsers), since));
  }

  private void tell(NodeName from, PrivateTransaction transaction, DelegationCommand.Left left) {
    coordinator.tell(
        from,
        new DelegationCommand(
            new DelegationId(from, 2, ++told),
            A,
            ADDRESS,
            List.of(transaction),
            coordinator.height,
            List.of(),
            List.of(left),
            List.of()));
  }

  private static PreparedTransaction prepared(PrivateTransaction of, NodeName... endorsers) {
    var digest = CoordinatorOfA.endorsed(SPENDS, of);
    var signatures =
        Stream.of(endorsers)
            .map(node -> CoordinatorOfA.signature(Contract.party(node), digest))
            .toList();
    return new PreparedTransaction(
        of.key(),
        ADDRESS,
        SPENDS.inputIds(),
        SPENDS.readIds(),
        SPENDS.outputIds(),
        new Proof(MerklePath.ALONE, signatures));
  }
}
