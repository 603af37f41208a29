package dev.sequitur.persistence.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.transaction.Receipt;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What holds for the receipts of every {@link NodeStore}. */
abstract class ReceiptContract extends IntentContract {
  @Test
  public void receiptsAreNumberedWithoutGapInTheirOrder() {
    var intents = IntStream.range(0, 3).mapToObj(i -> intent(hash())).toList();

    var numbered = get(store().complete(intents.stream().map(this::confirmed).toList()));

    assertThat(numbered).extracting(NumberedReceipt::sequence).containsExactly(1L, 2L, 3L);
    assertThat(get(store().receipts(0, 10))).isEqualTo(numbered);
    assertThat(get(store().receipt(id(intents.get(1))))).contains(numbered.get(1));
  }

  @Test
  public void aSecondReceiptIsNotStored() {
    var intent = intent(hash());
    var confirmed = confirmed(intent);
    var first = get(store().complete(List.of(confirmed)));

    assertThat(get(store().complete(List.of(reverted(intent), confirmed)))).isEmpty();
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
  public void aLateConfirmationIsReplacedByNothing() {
    var intent = intent(hash());
    get(store().complete(List.of(reverted(intent))));
    var confirmed = confirmed(intent);
    var late = get(store().complete(List.of(confirmed)));

    assertThat(get(store().complete(List.of(confirmed, reverted(intent))))).isEmpty();
    assertThat(get(store().receipt(id(intent)))).contains(late.getFirst());
  }

  @Test
  public void ofAllConfirmationsThoseOfRevertedIntentsAreStored() {
    var reverted = intent(hash());
    var confirmed = intent(hash());
    var pending = intent(hash());
    accepted(reverted, confirmed, pending);
    var known = confirmed(confirmed);
    get(store().complete(List.of(reverted(reverted), known)));
    var late = confirmed(reverted);

    var stored =
        get(
            store()
                .confirm(
                    Map.of(
                        confirmed.privately().orElseThrow().key(), known,
                        pending.privately().orElseThrow().key(), confirmed(pending),
                        reverted.privately().orElseThrow().key(), late),
                    Set.of()));

    assertThat(stored).containsExactly(new NumberedReceipt(3, late));
    assertThat(get(store().receipt(id(reverted)))).contains(stored.get(0));
    assertThat(get(store().receipts(0, 10)))
        .as("a listener sees both, the one that holds later")
        .extracting(receipt -> receipt.receipt().transaction())
        .containsExactly(id(reverted), id(confirmed), id(reverted));
    assertThat(get(store().receipt(id(pending)))).isEmpty();
    assertThat(
            get(store().confirm(Map.of(reverted.privately().orElseThrow().key(), late), Set.of())))
        .as("once")
        .isEmpty();
  }

  @Test
  public void anotherMembersIntentOfTheSameIdConfirmsNothing() {
    var own = intent(hash());
    accepted(own);
    get(store().complete(List.of(reverted(own))));
    var others = new IntentKey(id(own), new SenderCommitment(hash()));

    assertThat(get(store().confirm(Map.of(others, confirmed(own)), Set.of()))).isEmpty();

    assertThat(get(store().receipt(id(own))))
        .hasValueSatisfying(r -> assertThat(r.receipt().success()).isFalse());
  }

  /** CNF-9. */
  @Test
  public void whatOthersHaveSentGetsReceiptsInTheirOrderOnce() {
    var own = intent(hash());
    accepted(own);
    get(store().complete(List.of(reverted(own))));
    var first = intent(hash());
    var second = intent(hash());
    var late = confirmed(own);
    var ofFirst = new NumberedReceipt(4, confirmed(first), false);
    var ofSecond = new NumberedReceipt(2, confirmed(second), false);
    var confirmations = new LinkedHashMap<IntentKey, Receipt>();
    confirmations.put(second.privately().orElseThrow().key(), ofSecond.receipt());
    confirmations.put(own.privately().orElseThrow().key(), late);
    confirmations.put(first.privately().orElseThrow().key(), ofFirst.receipt());

    assertThat(get(store().confirm(confirmations, Set.of())))
        .as("of what was stored, its own")
        .containsExactly(new NumberedReceipt(3, late));
    assertThat(get(store().confirm(confirmations, Set.of()))).isEmpty();

    assertThat(get(store().receipts(1, 10)))
        .containsExactly(ofSecond, new NumberedReceipt(3, late), ofFirst);
    assertThat(firstOfOthers(id(first))).containsExactly(ofFirst);
    assertThat(get(store().receipt(id(first)))).as("it is another's").isEmpty();
    assertThat(firstOfOthers(id(own))).isEmpty();
  }

  /** CNF-4: anybody can send something under an id that another has chosen. */
  @Test
  public void anothersReceiptUnderTheIdOfAnOwnIntentSaysNothingOfThatOne() {
    var own = intent(hash());
    accepted(own);
    var others = new IntentKey(id(own), new SenderCommitment(hash()));

    get(store().confirm(Map.of(others, confirmed(own)), Set.of()));

    assertThat(get(store().receipt(id(own)))).isEmpty();
    assertThat(get(store().receipts(0, 10))).as("a listener would take it for the own").isEmpty();
    assertThat(get(store().pending(own.privately().orElseThrow().contract(), 0, 10))).hasSize(1);
    var ended = get(store().complete(List.of(reverted(own))));
    assertThat(get(store().receipt(id(own)))).contains(ended.getFirst());
  }

  /** CNF-4: ids of what comes later can be known before. */
  @Test
  public void anothersReceiptIsNotToldAnyMoreOnceItsIdIsThatOfAnOwnIntent() {
    var own = intent(hash());
    var others = new IntentKey(id(own), new SenderCommitment(hash()));
    var next = intent(hash());
    get(store().confirm(Map.of(others, confirmed(own)), Set.of()));
    assertThat(get(store().receipts(0, 10)))
        .extracting(NumberedReceipt::own)
        .containsExactly(false);

    accepted(own);
    var ended = get(store().complete(List.of(reverted(own), confirmed(next))));

    assertThat(get(store().receipts(0, 1))).isEqualTo(ended.subList(0, 1));
    assertThat(get(store().receipts(0, 2))).isEqualTo(ended);
    assertThat(get(store().receipt(id(own)))).contains(ended.getFirst());
  }

  /** CNF-4: whoever sees an id can use it too. */
  @Test
  public void ofAGroupTheFirstOfSeveralSendersIsFoundByTheirId() {
    var first = intent(hash());
    get(store().confirm(Map.of(first.privately().orElseThrow().key(), confirmed(first)), Set.of()));
    var other = new IntentKey(id(first), new SenderCommitment(hash()));

    get(store().confirm(Map.of(other, confirmed(first)), Set.of()));

    assertThat(firstOfOthers(id(first))).extracting(NumberedReceipt::sequence).containsExactly(1L);
    assertThat(get(store().receiptsOfOthers(id(first), 9)))
        .as("both are there")
        .isEqualTo(get(store().receipts(0, 9)))
        .hasSize(2);
    assertThat(get(store().receiptsOfOthers(id(first), 1))).hasSize(1);
    assertThat(get(store().receiptsOfOthers(id(first), 0))).isEmpty();
  }

  /** CNF-9. */
  @Test
  public void ofABlockThoseThatASenderKnowsAreAmongTheOthersInTheirOrder() {
    var own = intent(hash());
    accepted(own);
    var first = intent(hash());
    var last = intent(hash());
    var confirmations = new LinkedHashMap<IntentKey, Receipt>();
    for (var each : List.of(first, own, last)) {
      confirmations.put(each.privately().orElseThrow().key(), confirmed(each));
    }
    var known = Set.of(own.privately().orElseThrow().key());

    var stored = get(store().confirm(confirmations, known));

    assertThat(get(store().receipts(0, 9)))
        .extracting(receipt -> receipt.receipt().transaction())
        .containsExactly(id(first), id(own), id(last));
    assertThat(stored).isEqualTo(List.of(get(store().receipts(1, 1)).getFirst()));
    assertThat(get(store().receipt(id(own)))).contains(stored.getFirst());
    assertThat(get(store().contractsWithPending())).isEmpty();
    assertThat(get(store().confirm(confirmations, known))).as("once").isEmpty();
    assertThat(get(store().receipts(0, 9))).hasSize(3);
  }

  /** CNF-4. */
  @Test
  public void ofEachGroupThatHasUsedAnIdTheFirstIsFound() {
    var first = intent(hash());
    var key = key(first);
    get(store().confirm(Map.of(key, confirmed(first)), Set.of()));
    // The commitment too, which stands on the ledger, is anybody's to use.
    get(store().confirm(Map.of(key, confirmedElsewhere(first)), Set.of()));
    for (int each = 0; each < 3; each++) {
      var again = new IntentKey(id(first), new SenderCommitment(hash()));
      get(store().confirm(Map.of(again, confirmedElsewhere(first)), Set.of()));
      get(store().confirm(Map.of(again, confirmed(first)), Set.of()));
    }

    var found = firstOfOthers(id(first));
    assertThat(found).extracting(NumberedReceipt::sequence).containsExactlyInAnyOrder(1L, 2L);
    assertThat(get(store().firstOfOthers(id(first), Optional.empty(), 1)))
        .isEqualTo(found.subList(0, 1));
    assertThat(
            get(
                store()
                    .firstOfOthers(
                        id(first), Optional.of(found.getFirst().receipt().contract()), 9)))
        .isEqualTo(found.subList(1, 2));
    assertThat(firstOfOthers(id(intent(hash())))).isEmpty();
    assertThat(get(store().receipts(0, 10))).as("a listener is told all").hasSize(8);
  }

  private List<NumberedReceipt> firstOfOthers(TransactionId id) {
    return get(store().firstOfOthers(id, Optional.empty(), 9));
  }

  @Test
  public void aRevertAfterARevertKeepsTheFirst() {
    var intent = intent(hash());
    var first = get(store().complete(List.of(reverted(intent))));

    assertThat(get(store().complete(List.of(reverted(intent))))).isEmpty();
    assertThat(get(store().receipts(0, 10))).isEqualTo(first);
  }

  /** CNF-11. */
  @Test
  public void aConfirmationAtAnotherPlaceTakesThePlaceOfTheFirst() {
    var own = intent(hash());
    var others = intent(hash());
    var key = others.privately().orElseThrow().key();
    accepted(own);
    get(store().complete(List.of(confirmed(own))));
    get(store().confirm(Map.of(key, confirmed(others)), Set.of()));
    var ownElsewhere = confirmed(own);
    var othersElsewhere = confirmed(others);
    var elsewhere =
        new LinkedHashMap<IntentKey, Receipt>(
            Map.of(own.privately().orElseThrow().key(), ownElsewhere));
    elsewhere.put(key, othersElsewhere);

    assertThat(get(store().confirm(elsewhere, Set.of())))
        .extracting(NumberedReceipt::receipt)
        .containsExactly(ownElsewhere);
    assertThat(get(store().confirm(elsewhere, Set.of()))).as("once").isEmpty();

    assertThat(get(store().receipt(id(own))).orElseThrow().receipt()).isEqualTo(ownElsewhere);
    assertThat(firstOfOthers(id(others)))
        .extracting(NumberedReceipt::receipt)
        .containsExactly(othersElsewhere);
    assertThat(get(store().receipts(0, 10)))
        .as("whoever listens is told of all, and whose they are")
        .extracting(NumberedReceipt::own)
        .containsExactly(true, false, true, false);
  }

  /** CNF-4: anybody can fulfil the pair of a finished intent in a group that it has made. */
  @Test
  public void whatIsFulfilledInAnotherContractTakesThePlaceOfNothing() {
    var confirmed = intent(hash());
    var reverted = intent(hash());
    var others = intent(hash());
    accepted(confirmed, reverted);
    get(store().complete(List.of(confirmed(confirmed), reverted(reverted))));
    get(store().confirm(Map.of(key(others), confirmed(others)), Set.of()));
    var before = get(store().receipts(0, 9));
    var elsewhere = new LinkedHashMap<IntentKey, Receipt>();
    for (var intent : List.of(confirmed, reverted, others)) {
      elsewhere.put(key(intent), confirmedElsewhere(intent));
    }

    assertThat(get(store().confirm(elsewhere, Set.of()))).isEmpty();

    assertThat(get(store().receipts(0, 3))).isEqualTo(before).hasSize(3);
    assertThat(get(store().receipts(3, 9)))
        .as("of another's, each contract has its own")
        .extracting(NumberedReceipt::receipt)
        .containsExactly(elsewhere.get(key(others)));
    assertThat(get(store().receipt(id(confirmed)))).contains(before.get(0));
    assertThat(get(store().receipt(id(reverted)))).contains(before.get(1));
    assertThat(firstOfOthers(id(others))).contains(before.get(2)).hasSize(2);
  }

  private static IntentKey key(Intent intent) {
    return intent.privately().orElseThrow().key();
  }

  private Receipt confirmedElsewhere(Intent intent) {
    return new Receipt(
        id(intent),
        new ContractAddress("0x" + "ee".repeat(20)),
        "token",
        true,
        Optional.of(arbitrary.next(Receipt.OnLedger.class)),
        Optional.empty(),
        NOW);
  }

  /** CNF-11. */
  @Test
  public void aCorrectionTakesThePlaceOfWhatHoldsAndALaterConfirmationThatOfTheCorrection() {
    var own = intent(hash());
    var others = intent(hash());
    var key = others.privately().orElseThrow().key();
    accepted(own);
    get(store().complete(List.of(confirmed(own))));
    get(store().confirm(Map.of(key, confirmed(others)), Set.of()));
    var corrections =
        List.of(
            new NumberedReceipt(1, reverted(own)), new NumberedReceipt(2, reverted(others), false));

    assertThat(get(store().correct(corrections)))
        .containsExactly(new NumberedReceipt(3, reverted(own)));
    assertThat(get(store().correct(corrections))).as("once").isEmpty();

    assertThat(get(store().receipt(id(own))).orElseThrow().receipt().success()).isFalse();
    assertThat(firstOfOthers(id(others)))
        .containsExactly(new NumberedReceipt(4, reverted(others), false));
    assertThat(get(store().receipts(0, 10))).hasSize(4);
    var late = confirmed(own);
    assertThat(
            get(
                store()
                    .confirm(
                        Map.of(key, confirmed(others), own.privately().orElseThrow().key(), late),
                        Set.of())))
        .extracting(NumberedReceipt::receipt)
        .containsExactly(late);
    assertThat(firstOfOthers(id(others)).getFirst().receipt().success()).isTrue();
    assertThat(get(store().receipts(0, 10)))
        .extracting(NumberedReceipt::sequence)
        .containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
  }

  /** CNF-11. */
  @Test
  public void ofAnIdThatSeveralSendersHaveUsedThatOfOneIsCorrected() {
    var first = intent(hash());
    get(store().confirm(Map.of(first.privately().orElseThrow().key(), confirmed(first)), Set.of()));
    var other = Map.of(new IntentKey(id(first), new SenderCommitment(hash())), confirmed(first));
    get(store().confirm(other, Set.of()));

    get(store().correct(List.of(new NumberedReceipt(1, reverted(first), false))));
    get(store().confirm(other, Set.of()));

    assertThat(get(store().receiptsOfOthers(id(first), 9)))
        .as("of each sender the one that holds, by their numbers")
        .containsExactly(
            new NumberedReceipt(2, other.values().iterator().next(), false),
            new NumberedReceipt(3, reverted(first), false));
    assertThat(firstOfOthers(id(first)))
        .as("who was the first there stays so")
        .containsExactly(new NumberedReceipt(3, reverted(first), false));
    assertThat(get(store().receipts(0, 9))).hasSize(3);
  }

  /** CNF-4, CNF-11. */
  @Test
  public void anothersReceiptUnderTheSameIdTakesThePlaceOfNoOwnOne() {
    var own = intent(hash());
    accepted(own);
    get(store().complete(List.of(confirmed(own))));
    var others = new IntentKey(id(own), new SenderCommitment(hash()));
    get(store().confirm(Map.of(others, confirmed(own)), Set.of()));

    var corrected = get(store().correct(List.of(new NumberedReceipt(1, reverted(own)))));

    assertThat(corrected).containsExactly(new NumberedReceipt(3, reverted(own)));
    assertThat(get(store().receipt(id(own)))).contains(corrected.getFirst());
    assertThat(get(store().receiptsOfOthers(id(own), 9)))
        .extracting(NumberedReceipt::sequence)
        .containsExactly(2L);
  }

  @Test
  public void oneTransactionTwiceInABatchGetsOneNumber() {
    var intent = intent(hash());

    var confirmed = confirmed(intent);
    var numbered = get(store().complete(List.of(confirmed, confirmed)));

    assertThat(numbered).extracting(NumberedReceipt::sequence).containsExactly(1L);
    assertThat(get(store().receipts(0, 10))).isEqualTo(numbered);
  }

  @Test
  public void aPublicTransactionIsFoundByTheNonceThatItHasUsedAndByItsHash() {
    var intents = List.of(publicIntent(ALICE), publicIntent(ALICE), publicIntent(ALICE));
    accepted(intents.toArray(Intent[]::new));
    var signer = new LedgerAddress("0x" + "0a".repeat(20));
    var nonce = new Receipt.Nonce(signer, 7);
    var filled = new Receipt.Nonce(signer, 8);
    var place = arbitrary.next(Receipt.OnLedger.class);
    get(
        store()
            .complete(
                List.of(
                    ended(intents.get(0), Optional.of(place), Optional.of(nonce)),
                    ended(intents.get(1), Optional.empty(), Optional.of(filled)),
                    ended(intents.get(2), Optional.empty(), Optional.empty()))));

    assertThat(get(store().publicByNonce(nonce))).contains(id(intents.get(0)));
    assertThat(get(store().publicByNonce(filled))).contains(id(intents.get(1)));
    assertThat(get(store().publicByNonce(new Receipt.Nonce(signer, 9)))).isEmpty();
    assertThat(
            get(
                store()
                    .publicByNonce(
                        new Receipt.Nonce(new LedgerAddress("0x" + "0b".repeat(20)), 7))))
        .isEmpty();
    assertThat(get(store().publicByHash(place.hash()))).contains(id(intents.get(0)));
  }

  /** A base-ledger transaction may carry several private ones. */
  @Test
  public void aPrivateTransactionIsNotFoundByTheHashThatItSharesWithOthers() {
    var receipt = confirmed(intent(hash()));
    get(store().complete(List.of(receipt)));

    assertThat(get(store().publicByHash(receipt.onLedger().orElseThrow().hash()))).isEmpty();
  }

  @Test
  public void fromManyThreadsAtOnceNumbersAreUniqueAndWithoutGap() {
    var intents = IntStream.range(0, 100).mapToObj(i -> intent(hash())).toList();

    // Each transaction ends twice, from two threads perhaps.
    var confirmed = intents.stream().map(this::confirmed).toList();
    concurrently(200, i -> store().complete(List.of(confirmed.get(i % 100))));

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
}
