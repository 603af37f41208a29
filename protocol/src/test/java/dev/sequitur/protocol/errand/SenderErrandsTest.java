package dev.sequitur.protocol.errand;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.room.Room.Forgotten;
import dev.sequitur.protocol.sender.SenderEffect;
import dev.sequitur.protocol.sender.SenderInput;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.StateLocks;
import dev.sequitur.protocol.transaction.SubmitMode;
import dev.sequitur.protocol.transaction.TransactionStep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a sender has done by others, and what it hears of it. */
class SenderErrandsTest {
  private static final PrivateTransaction FIRST = Contract.transaction(A, 1);
  private static final PrivateTransaction SECOND = Contract.transaction(A, 2);
  private static final PrivateTransaction THIRD = external(3);

  private final NodeOfA node = new NodeOfA();
  private final List<Object> told = new ArrayList<>();
  private final SenderErrands errands = new SenderErrands(node, ADDRESS, edge());
  private boolean durable;

  private SenderErrands.Edge edge() {
    return new SenderErrands.Edge() {
      @Override
      public void answer(SenderInput input) {
        told.add(input);
      }

      @Override
      public void failed(String what, Throwable cause) {
        told.add(what + " failed");
      }

      @Override
      public void assemble(SenderEffect.Assemble work) {
        told.add(work);
      }

      @Override
      public void distribute(Received<PreparedTransactionDistribution> prepared) {
        told.add(prepared);
      }
    };
  }

  private void run(SenderEffect... effects) {
    errands.run(List.of(effects), () -> durable = true);
  }

  @Test
  void untilReceiptsAreDurableTheyAreOnTheirWayAndWhatFollowsThemWaits() {
    node.holdsWrites = true;
    run(new SenderEffect.Complete(List.of(confirmed(FIRST), reverted(SECOND))));

    assertThat(errands.ending()).containsExactly(confirmed(FIRST), reverted(SECOND));
    assertThat(durable).isFalse();

    node.release();

    assertThat(errands.ending()).isEmpty();
    assertThat(durable).isTrue();
    assertThat(node.receipts).containsOnlyKeys(FIRST.id(), SECOND.id());
  }

  @Test
  void receiptsAreCountedBySuccess() {
    run(
        new SenderEffect.Complete(
            List.of(confirmed(FIRST), reverted(SECOND), confirmed(THIRD), confirmed(other(4)))));

    assertThat(node.confirmed).isEqualTo(3);
    assertThat(node.reverted).isEqualTo(1);
  }

  @Test
  void theNodeHearsHowLongEachStepAndAllOfThemTook() {
    var step = Duration.ofMillis(5);
    var all = Duration.ofSeconds(2);
    run(
        new SenderEffect.Took(FIRST.id(), TransactionStep.CONFIRMED, step),
        new SenderEffect.Fulfilled(FIRST.id(), all));

    assertThat(node.counted)
        .containsExactly(
            List.of(FIRST.id(), TransactionStep.CONFIRMED, step),
            List.of(ADDRESS, FIRST.id(), all));
  }

  @Test
  void aReceiptThatIsStoredAgainIsCountedOnce() {
    run(new SenderEffect.Complete(List.of(confirmed(FIRST), reverted(SECOND))));
    run(new SenderEffect.Complete(List.of(reverted(SECOND), confirmed(FIRST), confirmed(THIRD))));

    assertThat(node.confirmed).isEqualTo(2);
    assertThat(node.reverted).isEqualTo(1);
  }

  @Test
  void aReceiptThatCannotBeStoredIsNotCounted() {
    node.writesFail = true;
    run(new SenderEffect.Complete(List.of(confirmed(FIRST))));

    assertThat(node.confirmed).isZero();
  }

  @Test
  void ifReceiptsCannotBeStoredTheSenderBeginsAnewAndNothingFollowsThem() {
    node.writesFail = true;
    run(new SenderEffect.Complete(List.of(confirmed(FIRST))));

    assertThat(told).containsExactly("Storing receipts failed");
    assertThat(durable).isFalse();
    assertThat(errands.ending()).containsExactly(confirmed(FIRST));
  }

  @Test
  void whatTwoEffectsStoreIsDurableWhenBothAre() {
    node.holdsWrites = true;
    run(
        new SenderEffect.Complete(List.of(confirmed(FIRST))),
        new SenderEffect.Confirm(Map.of(SECOND.key(), confirmed(SECOND)), Set.of()));

    node.held.removeFirst().run();
    assertThat(durable).isFalse();
    node.release();
    assertThat(durable).isTrue();
  }

  /** A block may be told of twice, and the second time nothing is left to store. */
  @Test
  void whatFollowsFromNothingWaitsForWhatWasStoredBefore() {
    node.holdsWrites = true;
    errands.run(
        List.of(new SenderEffect.Confirm(Map.of(SECOND.key(), confirmed(SECOND)), Set.of())),
        () -> {});

    run();
    assertThat(durable).isFalse();
    node.release();

    assertThat(durable).isTrue();
  }

  @Test
  void aSecondWriteThatFailsHoldsBackWhatFollowsBoth() {
    node.holdsWrites = true;
    run(
        new SenderEffect.Confirm(Map.of(SECOND.key(), confirmed(SECOND)), Set.of()),
        new SenderEffect.Complete(List.of(confirmed(FIRST))));

    node.held.removeLast().run();
    node.writesFail = true;
    node.release();

    assertThat(durable).isFalse();
    assertThat(told).containsExactly("Storing receipts failed");
  }

  @Test
  void ofLateConfirmationsThoseAreCountedThatWereStored() {
    node.receipts.put(SECOND.id(), reverted(SECOND));

    run(
        new SenderEffect.Confirm(
            Map.of(FIRST.key(), confirmed(FIRST), SECOND.key(), confirmed(SECOND)), Set.of()));

    assertThat(node.confirmed).isEqualTo(1);
    assertThat(node.reverted).isZero();
    assertThat(node.receipts).containsExactly(Map.entry(SECOND.id(), confirmed(SECOND)));
    assertThat(durable).isTrue();
  }

  @Test
  void pendingIntentsAreLoadedAndOfExternalOnesWhichArePrepared() {
    node.accepted(FIRST);
    node.accepted(SECOND);
    node.accepted(THIRD);
    node.accepted(external(5));
    node.receipts.put(FIRST.id(), confirmed(FIRST));
    node.prepared.put(THIRD.id(), prepared(THIRD));
    node.prepared.put(SECOND.id(), prepared(SECOND));

    run(new SenderEffect.LoadPending(0));

    assertThat(told)
        .containsExactly(
            new SenderInput.PendingLoaded(
                List.of(SECOND, THIRD, external(5)),
                Map.of(
                    SECOND.id(),
                    NodeOfA.NOW,
                    THIRD.id(),
                    NodeOfA.NOW,
                    external(5).id(),
                    NodeOfA.NOW),
                Map.of(THIRD.id(), prepared(THIRD)),
                Optional.empty()));
  }

  @Test
  void manyPendingIntentsAreLoadedPageByPage() {
    IntStream.rangeClosed(1, SenderErrands.LOADED + 1)
        .mapToObj(number -> Contract.transaction(A, number))
        .forEach(node::accepted);

    run(new SenderEffect.LoadPending(0));
    run(new SenderEffect.LoadPending(SenderErrands.LOADED));

    assertThat(told)
        .map(SenderInput.PendingLoaded.class::cast)
        .extracting(it -> it.transactions().size(), SenderInput.PendingLoaded::next)
        .containsExactly(
            tuple(SenderErrands.LOADED, Optional.of((long) SenderErrands.LOADED)),
            tuple(1, Optional.empty()));
  }

  @Test
  void aSenderThatCannotLoadItsIntentsBeginsAnew() {
    node.readsFail = true;
    run(new SenderEffect.LoadPending(0));

    assertThat(told).containsExactly("Loading intents failed");
  }

  /** ROM-2: how it ended is known as long as its id is. */
  @Test
  void whatIsForgottenEndsADependencyAsItEndedAndAnothersDoesNot() {
    node.forgotten.put(FIRST.id(), forgotten(FIRST, true, true));
    node.forgotten.put(SECOND.id(), forgotten(SECOND, true, false));
    node.forgotten.put(THIRD.id(), forgotten(THIRD, false, true));

    run(
        new SenderEffect.LookUpReceipt(FIRST.id()),
        new SenderEffect.LookUpReceipt(SECOND.id()),
        new SenderEffect.LookUpReceipt(THIRD.id()));

    assertThat(told)
        .containsExactly(
            new SenderInput.DependencyEnded(FIRST.id(), true),
            new SenderInput.DependencyEnded(SECOND.id(), false));
  }

  private static Forgotten forgotten(PrivateTransaction it, boolean own, boolean success) {
    return new Forgotten(it.id(), it.contract(), own, success, NodeOfA.NOW);
  }

  @Test
  void whatADependencyHasComeToIsTold() {
    node.receipts.put(FIRST.id(), confirmed(FIRST));
    node.receipts.put(SECOND.id(), reverted(SECOND));

    run(
        new SenderEffect.LookUpReceipt(FIRST.id()),
        new SenderEffect.LookUpReceipt(SECOND.id()),
        new SenderEffect.LookUpReceipt(THIRD.id()));

    assertThat(told)
        .containsExactly(
            new SenderInput.DependencyEnded(FIRST.id(), true),
            new SenderInput.DependencyEnded(SECOND.id(), false));
  }

  @Test
  void assembliesAndPreparedTransactionsGoToTheStateStoreAndCountsToTheNode() {
    var work =
        new SenderEffect.Assemble(
            new RequestId("request"),
            new MessageId(new UUID(0, 1)),
            BlockHeight.ZERO,
            StateLocks.NONE,
            List.of(FIRST));
    var received = Contract.from(B, distribution(THIRD));

    run(
        work,
        new SenderEffect.StorePrepared(received),
        new SenderEffect.Count(SenderEffect.Counted.HOLD_OFF));

    assertThat(told).containsExactly(work, received);
    assertThat(node.counted).containsExactly(SenderEffect.Counted.HOLD_OFF);
    assertThat(node.prepared).isEmpty();
    assertThat(durable).isTrue();
  }

  @Test
  void thatSomethingIsPreparedIsToldWhenItIsStored() {
    var received = Contract.from(B, distribution(THIRD));
    node.holdsWrites = true;
    errands.storePrepared(received);
    assertThat(told).isEmpty();

    node.release();

    assertThat(told).containsExactly(new SenderInput.PreparedStored(received));
    assertThat(node.prepared).containsExactly(Map.entry(THIRD.id(), prepared(THIRD)));
  }

  @Test
  void aSenderThatCannotStoreWhatIsPreparedBeginsAnew() {
    node.writesFail = true;
    errands.storePrepared(Contract.from(B, distribution(THIRD)));

    assertThat(told).containsExactly("Storing a prepared transaction failed");
  }

  @Test
  void aConfirmationThatWasFoundIsToldAndNothingIsToldOfOneThatWasNot() {
    var ledger = new LedgerOfBlocks();
    node.ledger = ledger;
    node.height = new BlockHeight(10);
    node.accepted(FIRST);
    node.accepted(SECOND);
    ledger.fulfilled(7, FIRST.key());

    run(new SenderEffect.SeekConfirmation(List.of(SECOND.key())));
    assertThat(told).isEmpty();
    run(new SenderEffect.SeekConfirmation(List.of(FIRST.key(), SECOND.key())));

    assertThat(told)
        .containsExactly(
            new SenderInput.ConfirmationFound(
                NodeOfA.NOW, Map.of(FIRST.key(), ledger.onLedger(FIRST.key()))));
  }

  @Test
  void oneSearchIsUnderWayAtATimeAndAFailedOneLeavesRoomForTheNext() {
    var ledger = new LedgerOfBlocks();
    node.ledger = ledger;
    node.height = new BlockHeight(10);
    node.accepted(FIRST);
    ledger.fulfilled(7, FIRST.key());
    ledger.holds = true;

    run(new SenderEffect.SeekConfirmation(List.of(FIRST.key())));
    run(new SenderEffect.SeekConfirmation(List.of(FIRST.key())));
    assertThat(ledger.asked).isEqualTo(1);
    ledger.fail();
    assertThat(told).isEmpty();

    run(new SenderEffect.SeekConfirmation(List.of(FIRST.key())));

    assertThat(told).hasSize(1);
  }

  private static PrivateTransaction other(long number) {
    return Contract.transaction(A, number);
  }

  private static PrivateTransaction external(long number) {
    var like = Contract.transaction(A, number);
    return like.withSubmitMode(SubmitMode.EXTERNAL);
  }

  private static Receipt confirmed(PrivateTransaction transaction) {
    var onLedger =
        new Receipt.OnLedger(
            new TransactionHash(Contract.hash("hash")),
            new BlockHeight(1),
            0,
            List.of(),
            List.of(),
            List.of());
    return new Receipt(
        transaction.id(),
        ADDRESS,
        "test",
        true,
        Optional.of(onLedger),
        Optional.empty(),
        NodeOfA.NOW);
  }

  private static Receipt reverted(PrivateTransaction transaction) {
    return Receipt.reverted(transaction.id(), ADDRESS, "test", "No money.", NodeOfA.NOW);
  }

  private static PreparedTransactionDistribution distribution(PrivateTransaction transaction) {
    return new PreparedTransactionDistribution(
        new RequestId("prepared"),
        ADDRESS,
        new DelegationId(A, 1, 1),
        ofTransition(transaction.key()),
        List.of(Contract.state("made", A)));
  }

  private static NodeStore.Prepared prepared(PrivateTransaction transaction) {
    var message = distribution(transaction);
    return new NodeStore.Prepared(message.prepared(), message.outputs(), NodeOfA.NOW);
  }

  private static PreparedTransaction ofTransition(IntentKey intent) {
    return new PreparedTransaction(intent, ADDRESS, List.of(), List.of(), List.of(), Proof.NONE);
  }
}
