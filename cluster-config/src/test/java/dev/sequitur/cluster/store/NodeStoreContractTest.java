package dev.sequitur.cluster.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Acceptance.Accepted;
import dev.sequitur.protocol.port.NodeStore.Acceptance.IdempotencyConflict;
import dev.sequitur.protocol.port.NodeStore.IndexedTo;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.Listener;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.port.NodeStore.Prepared;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What holds for every {@link NodeStore}. */
public abstract class NodeStoreContractTest {
  private static final int THREADS = 8;
  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

  private final Arbitrary arbitrary = new Arbitrary(1);

  /** An empty one, the same for the whole of a test. */
  protected abstract NodeStore store();

  // Intents

  @Test
  public void aFreshIntentIsFoundByIdAndByKeyWithItsOrder() {
    var intent = intent("k", hash());

    var accepted = accepted(intent);

    assertThat(accepted.ids()).containsExactly(id(intent));
    assertThat(accepted.fresh()).containsExactly(at(1, intent));
    assertThat(get(store().intent(id(intent)))).contains(at(1, intent));
    assertThat(get(store().intentByIdempotencyKey("k"))).contains(id(intent));
  }

  @Test
  public void whatWasNeverAcceptedIsNotFound() {
    var id = arbitrary.next(TransactionId.class);

    assertThat(get(store().intent(id))).isEmpty();
    assertThat(get(store().intentByIdempotencyKey("k"))).isEmpty();
    assertThat(get(store().receipt(id))).isEmpty();
    assertThat(get(store().prepared(id))).isEmpty();
    assertThat(get(store().pending(arbitrary.next(ContractAddress.class)))).isEmpty();
    assertThat(get(store().contractsWithPending())).isEmpty();
    assertThat(get(store().intents(Optional.empty(), 10))).isEmpty();
    assertThat(get(store().receipts(0, 10))).isEmpty();
    assertThat(get(store().groups())).isEmpty();
    assertThat(get(store().indexedTo())).isEmpty();
  }

  @Test
  public void anEmptyBatchIsAcceptedAndStoresNothing() {
    assertThat(get(store().accept(List.of()))).isEqualTo(new Accepted(List.of(), List.of()));
  }

  @Test
  public void aRepeatedKeyWithTheSameBodyIsAnsweredWithTheOriginalId() {
    var body = hash();
    var original = intent("k", body);
    accepted(original);

    var again = accepted(intent("k", body));

    assertThat(again).isEqualTo(new Accepted(List.of(id(original)), List.of()));
    assertThat(get(store().intents(Optional.empty(), 10))).hasSize(1);
  }

  @Test
  public void aRepeatedKeyIsAnsweredWithTheOriginalIdAlsoWhenThatHasEnded() {
    var body = hash();
    var original = intent("k", body);
    accepted(original);
    get(store().complete(List.of(reverted(original))));

    assertThat(accepted(intent("k", body)).ids()).containsExactly(id(original));
    assertThat(get(store().contractsWithPending())).isEmpty();
  }

  @Test
  public void aRepeatedKeyWithAnotherBodyStoresNothingOfItsBatch() {
    var original = intent("k", hash());
    accepted(original);
    var innocent = intent("other", hash());

    var answer = get(store().accept(List.of(innocent, intent("k", hash()), intent(hash()))));

    assertThat(answer).isEqualTo(new IdempotencyConflict("k", id(original)));
    assertThat(get(store().intent(id(innocent)))).isEmpty();
    assertThat(get(store().intentByIdempotencyKey("other"))).isEmpty();
    assertThat(get(store().intents(Optional.empty(), 10))).hasSize(1);
    assertThat(accepted(intent(hash())).fresh().get(0).order()).isEqualTo(2);
  }

  @Test
  public void oneKeyTwiceInABatchIsOneIntent() {
    var body = hash();
    var first = intent("k", body);

    var accepted = accepted(first, intent(hash()), intent("k", body));

    assertThat(accepted.ids()).hasSize(3).first().isEqualTo(id(first));
    assertThat(accepted.ids().get(2)).isEqualTo(id(first));
    assertThat(accepted.fresh()).extracting(Intent::order).containsExactly(1L, 2L);
  }

  @Test
  public void oneKeyTwiceInABatchWithTwoBodiesIsAConflict() {
    var first = intent("k", hash());

    assertThat(get(store().accept(List.of(first, intent("k", hash())))))
        .isEqualTo(new IdempotencyConflict("k", id(first)));
    assertThat(get(store().intent(id(first)))).isEmpty();
  }

  @Test
  public void aTransactionIdThatIsAcceptedAgainIsARepeat() {
    var intent = intent(hash());
    accepted(intent);

    assertThat(accepted(intent)).isEqualTo(new Accepted(List.of(id(intent)), List.of()));
  }

  @Test
  public void fromManyThreadsAtOnceOneKeyMakesOneIntent() {
    var body = hash();
    var intents = IntStream.range(0, 200).mapToObj(i -> intent("k" + i % 5, body)).toList();

    var answers =
        concurrently(intents.size(), i -> store().accept(List.of(intents.get(i)))).stream()
            .map(Accepted.class::cast)
            .toList();

    var fresh = answers.stream().flatMap(answer -> answer.fresh().stream()).toList();
    assertThat(fresh).hasSize(5);
    assertThat(new HashSet<>(answers.stream().map(a -> a.ids().get(0)).toList())).hasSize(5);
    assertThat(get(store().intents(Optional.empty(), 100))).hasSize(5);
  }

  @Test
  public void fromManyThreadsAtOnceOrdersAreUniqueAndWithoutGap() {
    var intents = IntStream.range(0, 300).mapToObj(i -> intent(hash())).toList();

    concurrently(100, i -> store().accept(intents.subList(3 * i, 3 * i + 3)));

    var newestFirst = LongStream.iterate(300, order -> order - 1).limit(300).boxed().toList();
    assertThat(get(store().intents(Optional.empty(), 1_000)))
        .extracting(Intent::order)
        .isEqualTo(newestFirst);
  }

  @Test
  public void pendingOnesAreThoseWithoutReceiptOfTheContractInOrder() {
    var contract = arbitrary.next(ContractAddress.class);
    var other = arbitrary.next(ContractAddress.class);
    var intents = IntStream.range(0, 4).mapToObj(i -> intent(contract)).toList();
    accepted(intents.get(0), intents.get(1), intent(other), intents.get(2), intents.get(3));

    get(store().complete(List.of(reverted(intents.get(1)), confirmed(intents.get(3)))));

    assertThat(get(store().pending(contract)))
        .containsExactly(at(1, intents.get(0)), at(4, intents.get(2)));
    assertThat(get(store().contractsWithPending())).containsExactlyInAnyOrder(contract, other);
    assertThat(get(store().hasPending(contract))).isTrue();
    assertThat(get(store().hasPending(arbitrary.next(ContractAddress.class)))).isFalse();
  }

  @Test
  public void aContractWhoseIntentsHaveEndedHasNothingPending() {
    var intent = intent(hash());
    accepted(intent);

    get(store().complete(List.of(confirmed(intent))));

    assertThat(get(store().contractsWithPending())).isEmpty();
    assertThat(get(store().hasPending(intent.transaction().contract()))).isFalse();
  }

  @Test
  public void intentsArePagedFromTheNewestToTheOldest() {
    accepted(IntStream.range(0, 7).mapToObj(i -> intent(hash())).toArray(Intent[]::new));

    var orders = new ArrayList<List<Long>>();
    var before = Optional.<Long>empty();
    for (var page = get(store().intents(before, 3)); !page.isEmpty(); ) {
      orders.add(page.stream().map(Intent::order).toList());
      before = Optional.of(page.get(page.size() - 1).order());
      page = get(store().intents(before, 3));
    }

    assertThat(orders).containsExactly(List.of(7L, 6L, 5L), List.of(4L, 3L, 2L), List.of(1L));
    assertThat(get(store().intents(Optional.empty(), 0))).isEmpty();
  }

  // Receipts

  @Test
  public void receiptsAreNumberedWithoutGapInTheirOrder() {
    var intents = IntStream.range(0, 3).mapToObj(i -> intent(hash())).toList();

    var numbered = get(store().complete(intents.stream().map(this::confirmed).toList()));

    assertThat(numbered).extracting(NumberedReceipt::sequence).containsExactly(1L, 2L, 3L);
    assertThat(get(store().receipts(0, 10))).isEqualTo(numbered);
    assertThat(get(store().receipt(id(intents.get(1))))).contains(numbered.get(1));
  }

  @Test
  public void aSecondReceiptIsAnsweredWithTheFirstOne() {
    var intent = intent(hash());
    var first = get(store().complete(List.of(confirmed(intent))));

    assertThat(get(store().complete(List.of(reverted(intent), confirmed(intent)))))
        .containsExactly(first.get(0), first.get(0));
    assertThat(get(store().receipts(0, 10))).isEqualTo(first);
  }

  @Test
  public void aLateConfirmationReplacesARevertUnderANewNumber() {
    var intent = intent(hash());
    var early = get(store().complete(List.of(reverted(intent))));
    get(store().complete(List.of(reverted(intent(hash())))));

    var late = get(store().complete(List.of(confirmed(intent))));

    assertThat(late).extracting(NumberedReceipt::sequence).containsExactly(3L);
    assertThat(get(store().receipt(id(intent)))).contains(late.get(0));
    assertThat(get(store().receipts(0, 10)))
        .as("what a listener may have seen stays, without a gap")
        .extracting(NumberedReceipt::sequence)
        .containsExactly(1L, 2L, 3L);
    assertThat(get(store().receipts(0, 1))).isEqualTo(early);
  }

  @Test
  public void ofAllConfirmationsThoseOfRevertedIntentsAreStored() {
    var reverted = intent(hash());
    var confirmed = intent(hash());
    var pending = intent(hash());
    accepted(reverted, confirmed, pending);
    get(store().complete(List.of(reverted(reverted), confirmed(confirmed))));
    var late = confirmed(reverted);
    var unknown = intent(hash());

    var stored =
        get(
            store()
                .confirmReverted(
                    Map.of(
                        unknown.transaction().key(), confirmed(unknown),
                        confirmed.transaction().key(), confirmed(confirmed),
                        pending.transaction().key(), confirmed(pending),
                        reverted.transaction().key(), late)));

    assertThat(stored).containsExactly(new NumberedReceipt(3, late));
    assertThat(get(store().receipt(id(reverted)))).contains(stored.get(0));
    assertThat(get(store().receipts(0, 10)))
        .as("a listener sees both, the one that holds later")
        .extracting(receipt -> receipt.receipt().transaction())
        .containsExactly(id(reverted), id(confirmed), id(reverted));
    assertThat(get(store().receipt(id(pending)))).isEmpty();
    assertThat(get(store().confirmReverted(Map.of(reverted.transaction().key(), late))))
        .as("once")
        .isEmpty();
  }

  @Test
  public void anotherMembersIntentOfTheSameIdConfirmsNothing() {
    var own = intent(hash());
    accepted(own);
    get(store().complete(List.of(reverted(own))));
    var others = new IntentKey(id(own), new SenderCommitment(hash()));

    assertThat(get(store().confirmReverted(Map.of(others, confirmed(own))))).isEmpty();

    assertThat(get(store().receipt(id(own))))
        .hasValueSatisfying(r -> assertThat(r.receipt().success()).isFalse());
  }

  @Test
  public void aRevertAfterARevertKeepsTheFirst() {
    var intent = intent(hash());
    var first = get(store().complete(List.of(reverted(intent))));

    assertThat(get(store().complete(List.of(reverted(intent))))).isEqualTo(first);
  }

  @Test
  public void oneTransactionTwiceInABatchGetsOneNumber() {
    var intent = intent(hash());

    var numbered = get(store().complete(List.of(confirmed(intent), confirmed(intent))));

    assertThat(numbered).extracting(NumberedReceipt::sequence).containsExactly(1L, 1L);
    assertThat(get(store().receipts(0, 10))).hasSize(1);
  }

  @Test
  public void fromManyThreadsAtOnceNumbersAreUniqueAndWithoutGap() {
    var intents = IntStream.range(0, 100).mapToObj(i -> intent(hash())).toList();

    // Each transaction ends twice, from two threads perhaps.
    concurrently(200, i -> store().complete(List.of(confirmed(intents.get(i % 100)))));

    assertThat(get(store().receipts(0, 1_000)))
        .extracting(NumberedReceipt::sequence)
        .isEqualTo(LongStream.rangeClosed(1, 100).boxed().toList());
  }

  @Test
  public void receiptsArePagedInTheirOrder() {
    get(store().complete(IntStream.range(0, 5).mapToObj(i -> confirmed(intent(hash()))).toList()));

    assertThat(get(store().receipts(3, 10)))
        .extracting(NumberedReceipt::sequence)
        .containsExactly(4L, 5L);
    assertThat(get(store().receipts(1, 2)))
        .extracting(NumberedReceipt::sequence)
        .containsExactly(2L, 3L);
    assertThat(get(store().receipts(5, 10))).isEmpty();
    assertThat(get(store().receipts(0, 0))).isEmpty();
  }

  // Listeners

  @Test
  public void aListenerIsCreatedOnceAndRefusedWithOtherProperties() {
    var listener = listener("l", "a");

    assertThat(get(store().createListener(listener))).isTrue();
    assertThat(get(store().createListener(listener("l", "a")))).isTrue();
    assertThat(get(store().createListener(listener("l", "b")))).isFalse();
    assertThat(get(store().listener("l"))).contains(listener);
  }

  @Test
  public void anAcknowledgementIsRememberedAndNeverFallsBack() {
    get(store().createListener(listener("l", "a")));
    get(store().complete(List.of(confirmed(intent(hash())), confirmed(intent(hash())))));

    get(store().acknowledge("l", 2));
    get(store().acknowledge("l", 1));
    get(store().createListener(listener("l", "a")));

    assertThat(get(store().listener("l")).orElseThrow().acknowledged()).isEqualTo(2);
  }

  @Test
  public void anAcknowledgementOfWhatDoesNotExistFails() {
    get(store().createListener(listener("l", "a")));

    assertThatThrownBy(() -> get(store().acknowledge("other", 0)))
        .hasRootCauseInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> get(store().acknowledge("l", 1)))
        .hasRootCauseInstanceOf(IllegalArgumentException.class);
  }

  @Test
  public void aDeletedListenerIsGone() {
    get(store().createListener(listener("l", "a")));

    assertThat(get(store().deleteListener("l"))).isTrue();
    assertThat(get(store().deleteListener("l"))).isFalse();
    assertThat(get(store().listener("l"))).isEmpty();
  }

  // Groups, prepared transactions, the indexer

  @Test
  public void aGroupIsKnownBetterWhenItsContractStands() {
    var asked = asked(arbitrary.next(PrivacyGroup.class));
    get(store().putGroup(asked));
    var group = arbitrary.next(PrivacyGroup.class);
    var seen =
        new StoredGroup(
            asked.id(), NOW.plusSeconds(9), Optional.empty(), Bytes.EMPTY, Optional.of(group));

    get(store().putGroup(seen));
    get(store().putGroup(asked));

    assertThat(get(store().groups()))
        .containsExactly(
            new StoredGroup(
                asked.id(), NOW, asked.genesisTransaction(), asked.request(), Optional.of(group)));
  }

  @Test
  public void contentsOfStatesAreKeptByContract() {
    var kept = arbitrary.list(4, PrivateState.class);

    get(store().putStates(kept));

    var first = kept.get(0);
    assertThat(get(store().states(first.contract(), kept.stream().map(PrivateState::id).toList())))
        .containsExactlyElementsOf(
            kept.stream().filter(state -> state.contract().equals(first.contract())).toList());
    assertThat(get(store().states(first.contract(), List.of()))).isEmpty();
  }

  @Test
  public void allGroupsAreFound() {
    var groups = arbitrary.list(5, PrivacyGroup.class).stream().map(this::asked).toList();

    groups.forEach(group -> get(store().putGroup(group)));

    assertThat(get(store().groups())).containsExactlyInAnyOrderElementsOf(groups);
  }

  @Test
  public void aPreparedTransactionIsFoundWithItsOutputs() {
    var prepared = arbitrary.next(Prepared.class);

    get(store().putPrepared(prepared));

    assertThat(get(store().prepared(prepared.prepared().transaction()))).contains(prepared);
  }

  @Test
  public void whatWasPreparedFirstStays() {
    var first = arbitrary.next(Prepared.class);
    get(store().putPrepared(first));

    get(store().putPrepared(new Prepared(first.prepared(), List.of(), NOW.plusSeconds(1))));

    assertThat(get(store().prepared(first.prepared().transaction()))).contains(first);
  }

  @Test
  public void howFarTheIndexerHasReadIsWhatWasPutLast() {
    get(store().putIndexedTo(new IndexedTo(new BlockHeight(8), hash())));
    var back = new IndexedTo(new BlockHeight(7), hash());

    get(store().putIndexedTo(back));

    assertThat(get(store().indexedTo())).contains(back);
  }

  // Builders

  /** What a future holds; fails if it takes too long. */
  protected static <T> T get(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
  }

  /** The answer to a batch that must be accepted. */
  protected final Accepted accepted(Intent... batch) {
    return (Accepted) get(store().accept(List.of(batch)));
  }

  /** A new one without a key, of any contract. */
  protected final Intent intent(Hash body) {
    return new Intent(0, NOW, Optional.empty(), body, arbitrary.next(PrivateTransaction.class));
  }

  /** A new one with this key. */
  protected final Intent intent(String key, Hash body) {
    return new Intent(0, NOW, Optional.of(key), body, arbitrary.next(PrivateTransaction.class));
  }

  private Intent intent(ContractAddress contract) {
    var any = arbitrary.next(PrivateTransaction.class);
    var transaction =
        new PrivateTransaction(
            any.id(),
            contract,
            any.domain(),
            any.function(),
            any.from(),
            any.inputs(),
            any.submitMode(),
            any.dependsOn(),
            any.salt());
    return new Intent(0, NOW, Optional.empty(), hash(), transaction);
  }

  /** Any body. */
  protected final Hash hash() {
    return arbitrary.next(Hash.class);
  }

  /** As stored. */
  protected static Intent at(long order, Intent intent) {
    return new Intent(
        order, intent.created(), intent.idempotencyKey(), intent.bodyHash(), intent.transaction());
  }

  /** Its transaction's. */
  protected static TransactionId id(Intent intent) {
    return intent.transaction().id();
  }

  /** A success on the ledger. */
  protected final Receipt confirmed(Intent intent) {
    var transaction = intent.transaction();
    return new Receipt(
        transaction.id(),
        transaction.contract(),
        transaction.domain(),
        true,
        Optional.of(arbitrary.next(Receipt.OnLedger.class)),
        Optional.empty(),
        NOW);
  }

  /** An end before the ledger. */
  protected final Receipt reverted(Intent intent) {
    var transaction = intent.transaction();
    return Receipt.reverted(
        transaction.id(), transaction.contract(), transaction.domain(), "no funds", NOW);
  }

  private Listener listener(String name, String properties) {
    return new Listener(name, Bytes.utf8(properties), NOW, 0);
  }

  private StoredGroup asked(PrivacyGroup group) {
    return new StoredGroup(
        group.id(),
        NOW,
        Optional.of(arbitrary.next(TransactionId.class)),
        Bytes.utf8("{}"),
        Optional.empty());
  }

  private interface Call<T> {
    CompletionStage<T> of(int index);
  }

  private static <T> List<T> concurrently(int calls, Call<T> call) {
    var start = new CountDownLatch(1);
    var stages = new ArrayList<CompletionStage<T>>();
    IntStream.range(0, calls).forEach(i -> stages.add(null));
    var threads =
        IntStream.range(0, THREADS)
            .mapToObj(
                thread ->
                    new Thread(
                        () -> {
                          try {
                            start.await();
                          } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                          }
                          for (int i = thread; i < calls; i += THREADS) {
                            stages.set(i, call.of(i));
                          }
                        }))
            .toList();
    threads.forEach(Thread::start);
    start.countDown();
    threads.forEach(NodeStoreContractTest::join);
    return stages.stream().map(NodeStoreContractTest::get).toList();
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
