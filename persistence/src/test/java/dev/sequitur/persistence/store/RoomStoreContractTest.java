package dev.sequitur.persistence.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Acceptance.Accepted;
import dev.sequitur.protocol.port.NodeStore.Acceptance.IdempotencyConflict;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.port.NodeStore.Prepared;
import dev.sequitur.protocol.port.RoomStore.Bound;
import dev.sequitur.protocol.port.RoomStore.Freed;
import dev.sequitur.protocol.room.Room.Forgotten;
import dev.sequitur.protocol.room.Room.Kept;
import dev.sequitur.protocol.room.Room.Row;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.Receipt;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What holds for every {@link NodeStore} that makes room. */
abstract class RoomStoreContractTest extends NodeStoreFixture {
  private static final Optional<Long> ON = Optional.empty();

  /** Forgets so much of the oldest. */
  private Freed forget(Kept kept, int rows) {
    var page = get(store().ended(kept, ON, rows));
    return get(store().forget(kept, page, page.rows().size()));
  }

  private StateId stored(ContractAddress contract) {
    var id = new StateId(hash());
    get(
        store()
            .putStates(
                List.of(
                    new PrivateState(id, contract, "coin", "alice", Bytes.utf8("{}"), List.of()))));
    return id;
  }

  private Receipt confirmed(Intent intent, List<StateId> spent, List<StateId> made) {
    var transaction = intent.privately().orElseThrow();
    return new Receipt(
        transaction.id(),
        transaction.contract(),
        transaction.domain(),
        true,
        Optional.of(
            new Receipt.OnLedger(
                new TransactionHash(hash()), new BlockHeight(7), 0, spent, List.of(), made)),
        Optional.empty(),
        NOW);
  }

  private static Forgotten left(Intent intent, boolean own, boolean success) {
    var transaction = intent.privately().orElseThrow();
    return new Forgotten(transaction.id(), transaction.contract(), own, success, NOW);
  }

  private List<PrivateState> states(Intent intent, StateId id) {
    return get(store().states(intent.privately().orElseThrow().contract(), List.of(id)));
  }

  @Test
  public void whatHasEndedIsForgottenWithAllThatIsOfItAndWithWhatItSpent() {
    var body = hash();
    var intent = intent("k", body);
    var open = intent("l", hash());
    accepted(intent, open);
    var contract = intent.privately().orElseThrow().contract();
    var spent = stored(contract);
    var made = stored(contract);
    var any = arbitrary.next(Prepared.class);
    var proposed = any.prepared();
    var prepared =
        new PreparedTransaction(
            intent.privately().orElseThrow().key(),
            contract,
            List.of(spent),
            List.of(),
            List.of(made),
            proposed.proof());
    get(store().putPrepared(new Prepared(prepared, List.of(), NOW)));
    get(store().complete(List.of(confirmed(intent, List.of(spent), List.of(made)))));
    assertThat(get(store().ended(Kept.CONTENTS, ON, 9)).rows())
        .containsExactly(new Row(1, NOW, false));

    var freed = forget(Kept.CONTENTS, 1);

    assertThat(freed.receipts()).isEqualTo(1);
    assertThat(freed.bytes()).isPositive();
    assertThat(get(store().intent(id(intent)))).isEmpty();
    assertThat(get(store().receipt(id(intent)))).isEmpty();
    assertThat(get(store().prepared(id(intent)))).isEmpty();
    assertThat(get(store().intents(Optional.empty(), 9))).containsExactly(at(2, open));
    assertThat(get(store().receipts(0, 9))).isEmpty();
    assertThat(states(intent, spent)).isEmpty();
    assertThat(states(intent, made)).as("nobody has spent it").hasSize(1);
    assertThat(get(store().forgotten(id(intent)))).contains(left(intent, true, true));
    assertThat(get(store().forgotten(id(open)))).isEmpty();
    assertThat(get(store().intentsByKeyName("k", 9))).isEmpty();
    assertThat(get(store().forgottenUpTo(Kept.CONTENTS))).contains(new Bound(2, NOW));
    assertThat(get(store().ended(Kept.CONTENTS, ON, 9)).rows()).isEmpty();
  }

  /** SND-3: nobody's call is done twice because it was long ago. */
  @Test
  public void asLongAsItsIdIsKeptItsIdempotencyKeyIsTaken() {
    var body = hash();
    var intent = intent("k", body);
    accepted(intent);
    get(store().complete(List.of(reverted(intent))));
    forget(Kept.CONTENTS, 1);

    assertThat(accepted(intent("k", body)).ids()).containsExactly(id(intent));
    assertThat(accepted(intent("k", body)).fresh()).isEmpty();
    assertThat(accepted(intent).fresh()).as("nor is its id").isEmpty();
    assertThat(get(store().accept(List.of(intent("k", hash())))))
        .isEqualTo(new IdempotencyConflict("k", id(intent)));
    assertThat(get(store().ended(Kept.IDS, ON, 9)).rows()).containsExactly(new Row(1, NOW, false));

    assertThat(forget(Kept.IDS, 1).receipts()).isEqualTo(1);

    assertThat(get(store().forgotten(id(intent)))).isEmpty();
    assertThat(((Accepted) get(store().accept(List.of(intent("k", hash()))))).fresh()).hasSize(1);
    assertThat(accepted(intent(hash())).fresh().getFirst().order())
        .as("its order is not given again")
        .isEqualTo(3);
  }

  /** CNF-2: a late confirmation wins, however late. */
  @Test
  public void whatIsForgottenAsRevertedAndConfirmedLaterHasItsReceipt() {
    var intent = intent(hash());
    accepted(intent);
    get(store().complete(List.of(reverted(intent))));
    forget(Kept.CONTENTS, 1);
    var late = confirmed(intent);
    var key = intent.privately().orElseThrow().key();

    assertThat(get(store().confirm(Map.of(key, late), Set.of())))
        .containsExactly(new NumberedReceipt(2, late));
    assertThat(get(store().receipt(id(intent)))).contains(new NumberedReceipt(2, late));

    assertThat(forget(Kept.IDS, 1).receipts()).isEqualTo(1);
    assertThat(get(store().receipt(id(intent)))).as("another one holds").isPresent();
    forget(Kept.CONTENTS, 1);
    assertThat(get(store().forgotten(id(intent)))).contains(left(intent, true, true));
    forget(Kept.IDS, 1);
    assertThat(get(store().forgotten(id(intent)))).isEmpty();
  }

  @Test
  public void whatIsForgottenIsToldByNoBlockThatIsReadAgain() {
    var own = intent(hash());
    var others = intent(hash());
    accepted(own);
    var block =
        Map.of(
            own.privately().orElseThrow().key(), confirmed(own),
            others.privately().orElseThrow().key(), confirmed(others));
    get(store().confirm(block, Set.of(own.privately().orElseThrow().key())));
    assertThat(forget(Kept.CONTENTS, 2).receipts()).isEqualTo(2);

    assertThat(get(store().confirm(block, Set.of()))).isEmpty();
    assertThat(get(store().confirm(block, Set.of(own.privately().orElseThrow().key())))).isEmpty();
    assertThat(get(store().complete(List.of(reverted(own))))).isEmpty();

    assertThat(get(store().receipts(0, 9))).isEmpty();
  }

  @Test
  public void othersAreForgottenWithWhatTheySpentAndOnlyTheIdIsLeft() {
    var others = intent(hash());
    var contract = others.privately().orElseThrow().contract();
    var spent = stored(contract);
    var key = others.privately().orElseThrow().key();
    var receipt = confirmed(others, List.of(spent), List.of());
    get(store().confirm(Map.of(key, receipt), Set.of()));
    var second = new IntentKey(id(others), new SenderCommitment(hash()));
    get(store().confirm(Map.of(second, confirmed(others)), Set.of()));

    forget(Kept.CONTENTS, 1);

    assertThat(states(others, spent)).isEmpty();
    assertThat(get(store().receiptsOfOthers(id(others), 9))).hasSize(1);
    assertThat(get(store().firstOfOthers(id(others), Optional.empty(), 9))).isEmpty();
    forget(Kept.CONTENTS, 1);
    assertThat(get(store().forgotten(id(others)))).contains(left(others, false, true));
    forget(Kept.IDS, 2);
    assertThat(get(store().forgotten(id(others)))).isEmpty();
  }

  @Test
  public void ofTwoReceiptsTheOneThatWasReplacedLeavesNothing() {
    var intent = intent("k", hash());
    accepted(intent);
    get(store().complete(List.of(reverted(intent))));
    var late = get(store().complete(List.of(confirmed(intent)))).getFirst();

    assertThat(forget(Kept.CONTENTS, 1).receipts()).isEqualTo(1);

    assertThat(get(store().receipt(id(intent)))).contains(late);
    assertThat(get(store().intent(id(intent)))).isPresent();
    assertThat(get(store().ended(Kept.IDS, ON, 9)).rows()).isEmpty();
    assertThat(get(store().receipts(0, 9))).containsExactly(late);
  }

  @Test
  public void whatIsFoundByNonceAndHashIsSoNoMore() {
    var intent = publicIntent(Identity.parse("alice@node1"));
    accepted(intent);
    var nonce = new Receipt.Nonce(new LedgerAddress("0x" + "ab".repeat(20)), 3);
    var place = arbitrary.next(Receipt.OnLedger.class);
    get(store().complete(List.of(ended(intent, Optional.of(place), Optional.of(nonce)))));
    assertThat(get(store().publicByNonce(nonce))).contains(id(intent));

    forget(Kept.CONTENTS, 1);

    assertThat(get(store().publicByNonce(nonce))).isEmpty();
    assertThat(get(store().publicByHash(place.hash()))).isEmpty();
    assertThat(get(store().publics(Optional.empty(), 9))).isEmpty();
    assertThat(get(store().forgotten(id(intent)))).isPresent();
  }

  /** On a node of several JVMs another one may just have done it. */
  @Test
  public void aPageIsForgottenOnce() {
    var intents = List.of(intent(hash()), intent(hash()), intent(hash()));
    get(store().accept(intents));
    get(store().complete(intents.stream().map(this::reverted).toList()));
    var page = get(store().ended(Kept.CONTENTS, ON, 9));

    assertThat(get(store().forget(Kept.CONTENTS, page, 2)).receipts()).isEqualTo(2);
    assertThat(get(store().forget(Kept.CONTENTS, page, 3))).isEqualTo(Freed.NOTHING);

    assertThat(get(store().receipts(0, 9)))
        .extracting(NumberedReceipt::sequence)
        .containsExactly(3L);
    assertThat(get(store().ended(Kept.CONTENTS, ON, 9)).from()).isEqualTo(3);
    assertThat(get(store().ended(Kept.CONTENTS, Optional.of(4L), 9)).rows()).isEmpty();
  }

  @Test
  public void whatWouldBeForgottenIsCountedAsItWillBeAndStays() {
    var intent = intent("k", hash());
    var spent = stored(intent.privately().orElseThrow().contract());
    accepted(intent);
    get(store().complete(List.of(confirmed(intent, List.of(spent), List.of()))));
    var page = get(store().ended(Kept.CONTENTS, ON, 9));

    var would = get(store().wouldForget(Kept.CONTENTS, page, 1));

    assertThat(get(store().receipts(0, 9))).hasSize(1);
    assertThat(get(store().forgottenUpTo(Kept.CONTENTS))).isEmpty();
    assertThat(forget(Kept.CONTENTS, 1)).isEqualTo(would);
  }

  /** ROM-6: what is written before it is forgotten is all that goes. */
  @Test
  public void allThatGoesWithAReceiptIsRead() {
    var intent = intent("k", hash());
    var contract = intent.privately().orElseThrow().contract();
    var spent = stored(contract);
    var others = intent(contract);
    accepted(intent);
    var prepared =
        new Prepared(
            new PreparedTransaction(
                intent.privately().orElseThrow().key(),
                contract,
                List.of(spent),
                List.of(),
                List.of(),
                arbitrary.next(Prepared.class).prepared().proof()),
            List.of(),
            NOW);
    get(store().putPrepared(prepared));
    get(store().complete(List.of(reverted(intent))));
    get(store().complete(List.of(confirmed(intent, List.of(spent), List.of()))));
    var key = others.privately().orElseThrow().key();
    get(store().confirm(Map.of(key, confirmed(others)), Set.of()));
    var page = get(store().ended(Kept.CONTENTS, ON, 9));

    var whole = get(store().whole(page, 3));

    assertThat(whole).extracting(each -> each.receipt().sequence()).containsExactly(1L, 2L, 3L);
    assertThat(whole.get(0).intent()).as("of one that was replaced").isEmpty();
    assertThat(whole.get(0).spent()).isEmpty();
    assertThat(whole.get(1).intent()).contains(at(1, intent));
    assertThat(whole.get(1).prepared()).contains(prepared);
    assertThat(whole.get(1).spent()).extracting(PrivateState::id).containsExactly(spent);
    assertThat(whole.get(2).sender()).contains(key.commitment());
    assertThat(whole.get(2).receipt().own()).isFalse();
    assertThat(get(store().receipts(0, 9))).as("nothing is forgotten by it").hasSize(3);
  }

  /** SND-6: whoever waits has to learn how it ended. */
  @Test
  public void anIdThatAnOpenTransactionWaitsForIsToldSo() {
    var first = intent(hash());
    var transaction = first.privately().orElseThrow();
    var other = intent(transaction.contract());
    var waits =
        new Intent(
            0,
            NOW,
            Optional.empty(),
            hash(),
            other.privately().orElseThrow().withDependsOn(List.of(transaction.id())));
    accepted(first, waits);
    get(store().complete(List.of(reverted(first))));
    forget(Kept.CONTENTS, 1);

    assertThat(get(store().ended(Kept.IDS, ON, 9)).rows()).containsExactly(new Row(1, NOW, true));
    get(store().complete(List.of(reverted(waits))));
    assertThat(get(store().ended(Kept.IDS, ON, 9)).rows()).containsExactly(new Row(1, NOW, false));
  }

  /** Of what is forgotten a key has no other body. */
  @Test
  public void aReceiptThatIsLongGoneIsNoReceipt() {
    assertThat(get(store().forgotten(id(intent(new Hash(1, 2, 3, 4)))))).isEmpty();
    assertThat(get(store().forgottenUpTo(Kept.IDS))).isEmpty();
    assertThat(forget(Kept.CONTENTS, 1)).isEqualTo(Freed.NOTHING);
  }
}
