package dev.sequitur.persistence.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.guard.Principal;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.IdempotencyKey;
import dev.sequitur.protocol.port.IdempotencyKey.Owner;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Acceptance.Accepted;
import dev.sequitur.protocol.port.NodeStore.Acceptance.IdempotencyConflict;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.Open;
import dev.sequitur.protocol.port.NodeStore.Page;
import dev.sequitur.protocol.transaction.NewGroup;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What holds for the intents of every {@link NodeStore}. */
abstract class IntentContract extends NodeStoreFixture {
  static final Identity ALICE = Identity.parse("alice@node1");
  private static final Owner CI = Owner.of(new Principal(Principal.Kind.TOKEN, "ci", List.of()));
  private static final Identity BOB = Identity.parse("bob@node1");

  @Test
  public void aFreshIntentIsFoundByIdAndByKeyWithItsOrder() {
    var intent = intent("k", hash());

    var accepted = accepted(intent);

    assertThat(accepted.ids()).containsExactly(id(intent));
    assertThat(accepted.fresh()).containsExactly(at(1, intent));
    assertThat(get(store().intent(id(intent)))).contains(at(1, intent));
    assertThat(get(store().intentByIdempotencyKey(key("k")))).contains(id(intent));
  }

  @Test
  public void whatWasNeverAcceptedIsNotFound() {
    var id = arbitrary.next(TransactionId.class);

    assertThat(get(store().intent(id))).isEmpty();
    assertThat(get(store().intentByIdempotencyKey(key("k")))).isEmpty();
    assertThat(get(store().receipt(id))).isEmpty();
    assertThat(get(store().prepared(id))).isEmpty();
    assertThat(get(store().pending(arbitrary.next(ContractAddress.class), 0, 10))).isEmpty();
    assertThat(get(store().contractsWithPending())).isEmpty();
    assertThat(get(store().intents(Optional.empty(), 10))).isEmpty();
    assertThat(get(store().receipts(0, 10))).isEmpty();
    assertThat(get(store().groups(Optional.empty(), 10))).isEmpty();
    assertThat(get(store().indexedTo())).isEmpty();
  }

  /** Clocks are set back, and those of a node's JVMs differ. */
  @Test
  public void noIntentIsDatedBeforeOneThatWasAcceptedBeforeIt() {
    var late = NOW.plusSeconds(3_600).plusNanos(1);

    accepted(dated(NOW), dated(late), dated(NOW.plusSeconds(1)));
    var behind = accepted(dated(NOW.plusSeconds(2)));
    accepted(dated(late.plusNanos(1)));

    assertThat(get(store().intents(Optional.empty(), 9)))
        .extracting(Intent::created)
        .containsExactly(late.plusNanos(1), late, late, late, NOW);
    assertThat(behind.fresh()).extracting(Intent::created).containsExactly(late);
  }

  private Intent dated(Instant created) {
    var any = intent(hash());
    return new Intent(0, created, Optional.empty(), any.bodyHash(), any.transaction());
  }

  @Test
  public void whatWaitsForATransactionIsFoundUntilItHasEnded() {
    var awaited = arbitrary.next(TransactionId.class);
    var first = waiting(awaited);
    var other = waiting(arbitrary.next(TransactionId.class));
    var second = waiting(arbitrary.next(TransactionId.class), awaited, awaited);
    accepted(first, other, second, intent(hash()));
    var contract = first.privately().orElseThrow().contract();

    assertThat(get(store().dependants(contract, awaited, 9)))
        .containsExactly(id(first), id(second));
    assertThat(get(store().dependants(contract, awaited, 1))).containsExactly(id(first));
    assertThat(get(store().dependants(contract, awaited, 0))).isEmpty();
    assertThat(get(store().dependants(arbitrary.next(ContractAddress.class), awaited, 9)))
        .isEmpty();
    assertThat(get(store().dependants(contract, id(first), 9))).isEmpty();
    get(store().complete(List.of(reverted(second))));

    assertThat(get(store().dependants(contract, awaited, 9))).containsExactly(id(first));
  }

  private Intent waiting(TransactionId... dependsOn) {
    var contract = new ContractAddress("0x" + "77".repeat(20));
    var transaction =
        arbitrary
            .next(PrivateTransaction.class)
            .withContract(contract)
            .withDependsOn(List.of(dependsOn));
    return new Intent(0, NOW, Optional.empty(), hash(), transaction);
  }

  /** PUB-8. */
  @Test
  public void whatIsChangedKeepsItsPlaceAndTheKeyOfItsFirstBody() {
    var first = arbitrary.next(PublicTransaction.class);
    var hash = hash();
    var accepted =
        accepted(new Intent(0, arbitrary.next(Instant.class), Optional.of(key("k")), hash, first));
    var other = arbitrary.next(PublicTransaction.class);
    var changed =
        new PublicTransaction(
            first.id(),
            first.from(),
            other.to(),
            other.data(),
            other.value(),
            other.gas(),
            other.source());

    get(store().change(changed));

    var now = accepted.fresh().getFirst().as(changed);
    assertThat(get(store().intent(first.id()))).contains(now);
    assertThat(get(store().publicPending(first.from(), 0, 10))).containsExactly(now);
    assertThat(
            accepted(
                    new Intent(
                        0, arbitrary.next(Instant.class), Optional.of(key("k")), hash, first))
                .ids())
        .containsExactly(first.id());
    get(store().change(other));
    assertThat(get(store().intent(other.id()))).isEmpty();
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
  public void aKeyOfAnotherOwnerIsAnotherKey() {
    var ofAlice = intent(key("k"), hash());
    var ofCi = intent(new IdempotencyKey(CI, "k"), hash());
    accepted(intent("other", hash()));
    accepted(ofAlice);

    assertThat(accepted(ofCi).fresh()).hasSize(1);

    assertThat(get(store().intentByIdempotencyKey(key("k")))).contains(id(ofAlice));
    assertThat(get(store().intentByIdempotencyKey(new IdempotencyKey(CI, "k")))).contains(id(ofCi));
    assertThat(get(store().intentsByKeyName("k", 10))).containsExactly(at(3, ofCi), at(2, ofAlice));
    assertThat(get(store().intentsByKeyName("k", 1))).hasSize(1);
    assertThat(get(store().intentsByKeyName("kk", 10))).isEmpty();
  }

  @Test
  public void oneBatchMayHaveTheSameNameOfTwoOwners() {
    var ofAlice = intent(key("k"), hash());
    var ofCi = intent(new IdempotencyKey(CI, "k"), hash());

    assertThat(accepted(ofAlice, ofCi).ids()).containsExactly(id(ofAlice), id(ofCi));
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
    assertThat(get(store().intentByIdempotencyKey(key("other")))).isEmpty();
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
  public void oneTransactionIdTwiceInABatchIsOneIntent() {
    var intent = intent(hash());

    var accepted = accepted(intent, intent(hash()), intent);

    assertThat(accepted.ids()).hasSize(3).first().isEqualTo(id(intent));
    assertThat(accepted.ids().get(2)).isEqualTo(id(intent));
    assertThat(accepted.fresh()).extracting(Intent::order).containsExactly(1L, 2L);
    assertThat(get(store().intents(Optional.empty(), 10))).hasSize(2);
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

    assertThat(get(store().pending(contract, 0, 10)))
        .containsExactly(at(1, intents.get(0)), at(4, intents.get(2)));
    assertThat(get(store().contractsWithPending())).containsExactlyInAnyOrder(contract, other);
  }

  @Test
  public void everyContractWithPendingIsFoundHoweverManyEachHas() {
    var contracts =
        IntStream.range(0, 70).mapToObj(i -> arbitrary.next(ContractAddress.class)).toList();
    for (int each = 0; each < contracts.size(); each++) {
      var contract = contracts.get(each);
      int number = each % 7 == 0 ? 40 : 1;
      get(store().accept(IntStream.range(0, number).mapToObj(i -> intent(contract)).toList()));
    }

    assertThat(get(store().contractsWithPending())).containsExactlyInAnyOrderElementsOf(contracts);
  }

  @Test
  public void aContractWhoseIntentsHaveEndedHasNothingPending() {
    var intent = intent(hash());
    accepted(intent);

    get(store().complete(List.of(confirmed(intent))));

    assertThat(get(store().contractsWithPending())).isEmpty();
    var contract = intent.privately().orElseThrow().contract();
    assertThat(get(store().pending(contract, 0, 10))).isEmpty();
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

  @Test
  public void publicTransactionsArePagedFromTheNewestToTheOldestWhetherTheyHaveEndedOrNot() {
    accepted(intent(hash()), publicIntent(ALICE), intent(hash()));
    accepted(publicIntent(BOB), publicIntent(ALICE));
    get(
        store()
            .complete(
                List.of(
                    ended(
                        get(store().publics(Optional.of(4L), 1)).getFirst(),
                        Optional.empty(),
                        Optional.empty()))));

    assertThat(get(store().publics(Optional.empty(), 2)))
        .extracting(Intent::order)
        .containsExactly(5L, 4L);
    assertThat(get(store().publics(Optional.of(4L), 2)))
        .extracting(Intent::order)
        .containsExactly(2L);
    assertThat(get(store().publics(Optional.of(2L), 2))).isEmpty();
    assertThat(get(store().publics(Optional.empty(), 0))).isEmpty();
  }

  @Test
  public void publicTransactionsArePendingByTheirSenderUntilTheyEnd() {
    var ofAlice = publicIntent(ALICE);
    accepted(ofAlice, intent(hash()), publicIntent(BOB), publicIntent(ALICE));
    assertThat(get(store().sendersWithPublicPending())).containsExactlyInAnyOrder(ALICE, BOB);
    assertThat(get(store().publicPending(ALICE, 0, 10)))
        .extracting(Intent::order)
        .containsExactly(1L, 4L);
    assertThat(get(store().publicPending(ALICE, 0, 0))).isEmpty();
    assertThat(get(store().publicPending(ALICE, 0, 1)))
        .extracting(Intent::order)
        .containsExactly(1L);
    assertThat(get(store().publicPending(ALICE, 4, 10))).isEmpty();
    assertThat(get(store().publicPending(ALICE, 1, 10)))
        .extracting(Intent::order)
        .containsExactly(4L);

    var bobs = get(store().publicPending(BOB, 0, 1)).getFirst();
    get(
        store()
            .complete(
                List.of(
                    ended(ofAlice, Optional.empty(), Optional.empty()),
                    ended(bobs, Optional.empty(), Optional.empty()))));

    assertThat(get(store().sendersWithPublicPending())).containsExactly(ALICE);
    assertThat(get(store().publicPending(ALICE, 0, 10)))
        .extracting(Intent::order)
        .containsExactly(4L);
  }

  @Test
  public void whatHasNoReceiptIsReadPageByPageFromEitherEnd() {
    var contract = arbitrary.next(ContractAddress.class);
    var ended = intent(contract);
    accepted(intent(contract), publicIntent(ALICE), newGroup(), intent(hash()), ended);
    accepted(intent(contract), publicIntent(BOB));
    get(store().complete(List.of(confirmed(ended))));

    var all = new Open.All();
    assertThat(open(all, Page.newest(Optional.empty(), 4))).containsExactly(7L, 6L, 4L, 3L);
    assertThat(open(all, Page.newest(Optional.of(3L), 4))).containsExactly(2L, 1L);
    assertThat(open(all, Page.newest(Optional.of(1L), 4))).isEmpty();
    assertThat(open(all, Page.oldest(0, 3))).containsExactly(1L, 2L, 3L);
    assertThat(open(all, Page.oldest(4, 3))).containsExactly(6L, 7L);
    assertThat(open(all, Page.oldest(7, 3))).isEmpty();
    assertThat(open(all, Page.oldest(Long.MAX_VALUE, 3))).isEmpty();
    assertThat(open(all, Page.oldest(0, 0))).isEmpty();

    var of = new Open.Of(contract);
    assertThat(open(of, Page.newest(Optional.empty(), 1))).containsExactly(6L);
    assertThat(open(of, Page.newest(Optional.of(6L), 9))).containsExactly(1L);
    assertThat(open(of, Page.oldest(1, 9))).containsExactly(6L);
    assertThat(get(store().pending(contract, 0, 1))).extracting(Intent::order).containsExactly(1L);
    assertThat(get(store().pending(contract, 1, 9))).extracting(Intent::order).containsExactly(6L);

    var publics = new Open.Publics();
    assertThat(open(publics, Page.newest(Optional.empty(), 9))).containsExactly(7L, 2L);
    assertThat(open(publics, Page.oldest(2, 9))).containsExactly(7L);
    var bobs = get(store().publicPending(BOB, 0, 1)).getFirst();
    get(store().complete(List.of(ended(bobs, Optional.empty(), Optional.empty()))));
    assertThat(open(publics, Page.newest(Optional.empty(), 9))).containsExactly(2L);
    assertThat(open(all, Page.newest(Optional.empty(), 1))).containsExactly(6L);
  }

  private List<Long> open(Open which, Page page) {
    return get(store().open(which, page)).stream().map(Intent::order).toList();
  }

  @Test
  public void whatMakesAGroupIsPendingByItselfUntilItEnds() {
    var first = newGroup();
    var second = newGroup();
    accepted(first, intent(hash()), publicIntent(ALICE), second);
    assertThat(get(store().newGroupsPending(0, 10))).containsExactly(at(1, first), at(4, second));
    assertThat(get(store().newGroupsPending(1, 10))).containsExactly(at(4, second));
    assertThat(get(store().newGroupsPending(0, 1))).containsExactly(at(1, first));
    assertThat(get(store().newGroupsPending(0, 0))).isEmpty();
    assertThat(get(store().contractsWithPending())).hasSize(1);
    assertThat(get(store().sendersWithPublicPending())).containsExactly(ALICE);
    assertThat(get(store().publics(Optional.empty(), 10))).hasSize(1);

    var asked = first.newGroup().orElseThrow();
    get(
        store()
            .complete(List.of(Receipt.notMade(asked.id(), "token", "A node takes no part.", NOW))));

    assertThat(get(store().newGroupsPending(0, 10))).containsExactly(at(4, second));
    assertThat(get(store().receipt(id(first))).orElseThrow().receipt().failureMessage())
        .contains("A node takes no part.");
    assertThat(get(store().intent(id(first)))).contains(at(1, first));
  }

  private Intent newGroup() {
    return new Intent(0, NOW, Optional.empty(), hash(), arbitrary.next(NewGroup.class));
  }
}
