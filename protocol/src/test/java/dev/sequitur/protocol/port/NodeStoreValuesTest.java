package dev.sequitur.protocol.port;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.GROUP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.ContractGenesis;
import dev.sequitur.protocol.port.HeldBack.Row;
import dev.sequitur.protocol.port.ListenerStore.Listener;
import dev.sequitur.protocol.port.ListenerStore.Taken;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Transaction;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a node stores of intents, listeners and groups. */
class NodeStoreValuesTest {
  private static final TransactionId ID = new TransactionId(new UUID(0, 7));
  private static final PublicTransaction PUBLIC =
      new PublicTransaction(
          ID,
          Contract.party(A),
          Optional.empty(),
          Bytes.EMPTY,
          BigInteger.ZERO,
          21_000,
          PublicTransaction.Source.NONE);
  private static final NodeName GIVER = new NodeName("node2");
  private static final String REASON = "Nobody takes part.";
  private static final StoredGroup GIVEN =
      StoredGroup.of(GROUP.id(), Instant.EPOCH)
          .withDeployment(
              Optional.of(
                  new NodeStore.Deployment(
                      GROUP.domain(),
                      new ContractGenesis(
                          GROUP.id(), GROUP.name(), GROUP.committee(), 1, GROUP.configuration()))))
          .withGiver(Optional.of(GIVER));

  @Test
  void anIntentIsPrivateOrPublicAndNeverBoth() {
    var transaction = Contract.transaction(A, 1);

    assertThat(intent(transaction).privately()).contains(transaction);
    assertThat(intent(transaction).publicly()).isEmpty();
    assertThat(intent(PUBLIC).publicly()).contains(PUBLIC);
    assertThat(intent(PUBLIC).privately()).isEmpty();
  }

  @Test
  void whatTheStoreNumbersIsTheSameOtherwise() {
    var numbered = intent(PUBLIC).at(5);

    assertThat(numbered.order()).isEqualTo(5);
    assertThat(numbered.at(0)).isEqualTo(intent(PUBLIC));
  }

  @Test
  void aListenerThatTakesMoreOrIsStoppedIsTheSameOtherwise() {
    var listener =
        new Listener("name", Bytes.utf8("{}"), Instant.EPOCH, 3, Optional.of(Instant.MAX));

    assertThat(listener.withAcknowledged(4).acknowledged()).isEqualTo(4);
    assertThat(listener.withAcknowledged(4).withAcknowledged(3)).isEqualTo(listener);
    assertThat(listener.withStopped(Optional.empty()).stopped()).isEmpty();
    assertThat(listener.withStopped(Optional.empty()).withStopped(listener.stopped()))
        .isEqualTo(listener);
  }

  @Test
  void aListenerThatIsSetBackKnowsUpToWhereItHadTaken() {
    var listener = new Listener("name", Bytes.EMPTY, Instant.EPOCH, 30, Optional.empty());

    assertThat(listener.setBack(30, 40)).isEqualTo(listener);
    assertThat(listener.setBack(10, 20)).as("it is to begin later").isEqualTo(listener);
    var back = listener.setBack(10, 40);
    assertThat(back.acknowledged()).isEqualTo(10);
    assertThat(back.again()).contains(30L);
    assertThat(back.withAcknowledged(20).setBack(5, 40).again())
        .as("set back again meanwhile")
        .contains(30L);
    assertThat(back.taken(Taken.upTo(12)).withName("other").withStopped(Optional.empty()).again())
        .contains(30L);
  }

  @Test
  void whatIsHeldBackIsRememberedOnceAndUntilItIsDone() {
    var listener = new Listener("name", Bytes.EMPTY, Instant.EPOCH, 3, Optional.empty());
    var held = new Taken(9, List.of(new Row(5, true), new Row(7, false)), List.of());

    var taken = listener.taken(held);

    assertThat(taken.acknowledged()).isEqualTo(9);
    assertThat(taken.heldBack().rows()).containsExactly(new Row(5, true), new Row(7, false));
    assertThat(taken.taken(held))
        .as("once more, since nobody knew whether it was stored")
        .isEqualTo(taken);
    assertThat(taken.taken(new Taken(4, List.of(new Row(4, true)), List.of(5L))).heldBack().rows())
        .as("who has come further has told 4 already")
        .containsExactly(new Row(7, false));
    assertThat(taken.taken(new Taken(9, List.of(), List.of(5L, 7L))))
        .isEqualTo(listener.withAcknowledged(9));
    assertThat(taken.withName("other").withStopped(Optional.of(Instant.MAX)).heldBack())
        .isEqualTo(taken.heldBack());
  }

  @Test
  void whereThereIsNoRoomTheOldestGoesOfWhichNothingIsAwaited() {
    var all = HeldBack.NONE;
    for (long number = 1; number <= HeldBack.MOST; number++) {
      all = all.with(new Row(number, number != 2)).orElseThrow();
    }
    assertThat(all.isFull()).isFalse();

    var next = all.with(new Row(2_001, true)).orElseThrow();

    assertThat(next.rows()).hasSize(HeldBack.MOST).doesNotContain(new Row(2, false));
    assertThat(next.rows()).endsWith(new Row(2_001, true));
    assertThat(next.leftOut()).isEqualTo(1);
    assertThat(next.isFull()).isTrue();
    assertThat(next.with(new Row(2_002, true))).as("it waits").isEmpty();
    var passed = next.with(new Row(2_002, false)).orElseThrow();
    assertThat(passed.rows()).isEqualTo(next.rows());
    assertThat(passed.leftOut()).isEqualTo(2);
    assertThat(passed.without(List.of(1L)).with(new Row(2_003, true))).isPresent();
  }

  @Test
  void aGroupIsAwaitedIfAnotherNodeMakesItAndItIsNotConfirmed() {
    assertThat(group(false, false).isAwaited()).isTrue();
    assertThat(group(true, false).isAwaited()).as("this node makes it").isFalse();
    assertThat(group(false, true).isAwaited()).as("it is confirmed").isFalse();
    assertThat(group(true, true).isAwaited()).isFalse();
  }

  @Test
  void whoHasGivenAGroupMayWithdrawIt() {
    var ended = GIVEN.withdrawn(GIVER, REASON).orElseThrow();

    assertThat(ended.notMade()).contains(REASON);
    assertThat(ended.deployment()).as("its contract may come late").isEqualTo(GIVEN.deployment());
    assertThat(ended.isAwaited()).isFalse();
    assertThat(ended.awaitedOf()).isEmpty();
    assertThat(ended.withdrawnBy()).contains(GIVER);
    assertThat(ended.isUnconfirmedOfAnother()).isTrue();
    assertThat(GIVEN.awaitedOf()).contains(GIVER);
    assertThat(GIVEN.withdrawnBy()).isEmpty();
  }

  @Test
  void nobodyElseMayAndItIsWithdrawnOnce() {
    assertThat(GIVEN.withdrawn(new NodeName("node3"), REASON)).isEmpty();
    assertThat(GIVEN.withdrawn(GIVER, REASON).orElseThrow().withdrawn(GIVER, "Another.")).isEmpty();
    assertThat(group(true, false).withdrawn(GIVER, REASON)).as("this node makes it").isEmpty();
    assertThat(group(false, false).withdrawn(GIVER, REASON)).as("nobody gave it").isEmpty();
  }

  @Test
  void aContractThatStandsSaysMoreThanAWithdrawalWhicheverComesFirst() {
    var confirmed = group(false, true);
    var withdrawn = GIVEN.withdrawn(GIVER, REASON).orElseThrow();

    for (var last :
        List.of(
            GIVEN.joined(withdrawn).joined(confirmed),
            GIVEN.joined(confirmed).joined(withdrawn),
            confirmed.joined(GIVEN).joined(withdrawn))) {
      assertThat(last.group()).contains(GROUP);
      assertThat(last.notMade()).isEmpty();
      assertThat(last.withdrawnBy()).isEmpty();
      assertThat(last.deployment()).isEqualTo(GIVEN.deployment());
    }
    assertThat(GIVEN.joined(confirmed).withdrawn(GIVER, REASON)).isEmpty();
  }

  @Test
  void whomItsMakerHasToTellIsKeptUntilItsContractStands() {
    var untold = new NodeStore.Withdrawal(Instant.EPOCH, List.of(GIVER, new NodeName("node3")));
    var ended = ended(group(true, false), untold);

    assertThat(group(true, false).joined(ended).withdrawal()).contains(untold);
    assertThat(ended.joined(group(true, false)).withdrawal()).contains(untold);
    assertThat(ended.joined(ended(ended, untold.told(GIVER))).withdrawal())
        .contains(untold.told(GIVER));
    assertThat(ended.joined(group(true, true)).withdrawal()).isEmpty();
    assertThat(group(true, true).joined(ended).withdrawal()).isEmpty();
  }

  @Test
  void aNodeIsToldForThirtyDays() {
    var untold = new NodeStore.Withdrawal(Instant.EPOCH, List.of(GIVER, new NodeName("node3")));

    assertThat(untold.told(GIVER).untold()).containsExactly(new NodeName("node3"));
    assertThat(untold.told(GIVER).since()).isEqualTo(untold.since());
    var end = Instant.EPOCH.plus(Duration.ofDays(30));
    assertThat(untold.isLate(end.minusNanos(1))).isFalse();
    assertThat(untold.isLate(end)).isTrue();
  }

  private static StoredGroup ended(StoredGroup group, NodeStore.Withdrawal withdrawal) {
    return StoredGroup.of(group.id(), group.created())
        .withNotMade(Optional.of(REASON))
        .withWithdrawal(Optional.of(withdrawal));
  }

  private static StoredGroup group(boolean makes, boolean confirmed) {
    return StoredGroup.of(GROUP.id(), Instant.EPOCH)
        .withGenesisTransaction(makes ? Optional.of(ID) : Optional.empty())
        .withGroup(confirmed ? Optional.of(GROUP) : Optional.empty());
  }

  private static Intent intent(Transaction transaction) {
    return new Intent(0, Instant.EPOCH, Optional.empty(), Contract.hash("body"), transaction);
  }
}
