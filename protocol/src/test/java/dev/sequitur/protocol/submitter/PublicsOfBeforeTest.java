package dev.sequitur.protocol.submitter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction.PublicCall;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.submitter.Submitter.ChangeRefusal;
import dev.sequitur.protocol.submitter.SubmitterEvent.Accepted;
import dev.sequitur.protocol.submitter.SubmitterInput.BalanceKnown;
import dev.sequitur.protocol.submitter.SubmitterInput.BlockIndexed;
import dev.sequitur.protocol.submitter.SubmitterInput.NonceKnown;
import dev.sequitur.protocol.submitter.SubmitterInput.PublicCancelled;
import dev.sequitur.protocol.submitter.SubmitterInput.PublicsRead;
import dev.sequitur.protocol.submitter.SubmitterInput.PublicsWaiting;
import dev.sequitur.protocol.submitter.SubmitterInput.Started;
import dev.sequitur.protocol.submitter.SubmitterInput.Tick;
import dev.sequitur.protocol.submitter.SubmitterInput.UsedKnown;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a node whose records are an older copy had carried out is not carried out again (PUB-9). */
class PublicsOfBeforeTest {
  private static final ContractAddress CONTRACT = new ContractAddress("0x" + "ab".repeat(20));
  private static final LedgerAddress SIGNER = new LedgerAddress("0x" + "cd".repeat(20));
  private static final BlockHeight HEIGHT = new BlockHeight(9);

  private final List<SubmitterEvent> journal = new ArrayList<>();
  private final Submitter submitter =
      new Submitter(
          new SubmitterSetup(
              new NodeName("a"),
              contract -> Optional.empty(),
              SequencerSettings.DEFAULT,
              SubmitterSetup.Gas.DEFAULT));
  private SubmitterState state = SubmitterState.initial();
  private final Instant now = Instant.parse("2030-01-01T00:00:00Z");
  private Decision<SubmitterState, SubmitterEvent, SubmitterEffect> last;

  @BeforeEach
  void start() {
    tell(new Started(1));
    tell(new PublicsWaiting());
  }

  @Test
  void blocksEndWhatIsWaitingBeforeAnyNonceIsGiven() {
    tell(read(4, 5));
    tell(new NonceKnown(1));
    assertThat(submitted()).isEmpty();

    block(0, called(4));
    assertThat(told()).extracting(Receipt::transaction).containsExactly(id(4));
    assertThat(told().getFirst().success()).isTrue();
    assertThat(told().getFirst().called().orElseThrow().nonce())
        .contains(new Receipt.Nonce(SIGNER, 0));
    tell(new Tick());
    assertThat(effects(SubmitterEffect.QueryNonce.class)).hasSize(1);
    tell(new NonceKnown(1));

    assertThat(submitted())
        .extracting(SubmitterEffect.Item::nonce, SubmitterEffect.Item::call)
        .containsExactly(tuple(1L, PublicCall.of(accepted(5).transaction())));
    restart();
    assertThat(state.publics().values())
        .extracting(each -> each.transaction().id(), each -> each.receipt().isPresent())
        .containsExactlyInAnyOrder(tuple(id(4), true), tuple(id(5), false));
  }

  /** There may be more of them than are taken at a time, and a store may be slow. */
  @Test
  void aBlockThatComesBeforeTheStoreIsReadIsRemembered() {
    block(0, called(4));
    block(1, called(99));
    restart();
    tell(new PublicsWaiting());
    tell(read(4, 5));

    assertThat(told()).extracting(Receipt::transaction).containsExactly(id(4));
    tell(new NonceKnown(2));
    assertThat(submitted()).extracting(SubmitterEffect.Item::nonce).containsExactly(2L);
    tell(read());
    assertThat(state.shown()).isEmpty();
    restart();
    assertThat(state.shown()).isEmpty();
  }

  @Test
  void oneBlockEndsOneOfTwoThatAreTheSame() {
    tell(new PublicsRead(List.of(accepted(4), same(5, 4), same(6, 4))));
    block(0, called(4));
    block(0, called(4));
    assertThat(ended()).containsExactly(id(4));

    restart();
    tell(new PublicsWaiting());
    block(1, called(4));
    assertThat(ended()).containsExactlyInAnyOrder(id(4), id(5));
  }

  @Test
  void whatThePoolHasIsWaitedForUntilItLosesIt() {
    tell(read(4));
    tell(new NonceKnown(0, 1));
    assertThat(submitted()).isEmpty();
    tell(new Tick());
    assertThat(submitted()).isEmpty();

    tell(new NonceKnown(0, 0));

    assertThat(submitted()).extracting(SubmitterEffect.Item::nonce).containsExactly(0L);
  }

  /** Its signer was watched by nobody then: all that was told is what is to be told. */
  @Test
  void blocksThatTellNobodyOfTheKeyAreWaitedForToo() {
    tell(read(4));
    tell(new NonceKnown(3));
    assertThat(effects(SubmitterEffect.QueryUsed.class))
        .containsExactly(new SubmitterEffect.QueryUsed(2));
    tell(new UsedKnown(2));
    tell(new NonceKnown(3));
    assertThat(submitted()).isEmpty();

    tell(new UsedKnown(3));
    tell(new NonceKnown(3));

    assertThat(submitted()).extracting(SubmitterEffect.Item::nonce).containsExactly(3L);
  }

  /** Or somebody who uses the key all the time would hold it up for ever. */
  @Test
  void whatOthersDoWithTheKeyLaterHoldsNothingUp() {
    tell(read(4));
    tell(new NonceKnown(1));
    block(0, called(99));

    tell(new NonceKnown(7));

    assertThat(submitted()).extracting(SubmitterEffect.Item::nonce).containsExactly(7L);
  }

  @Test
  void whatIsAcceptedInThisLifeIsNeitherHeldUpNorEndedByTheSameCall() {
    tell(read());
    tell(new PublicsWaiting());
    tell(read(4));
    tell(new NonceKnown(0));
    restart();
    tell(new PublicsWaiting());
    tell(read());
    tell(new PublicsWaiting());
    tell(new PublicsRead(List.of(same(5, 4))));

    block(1, called(4));

    assertThat(ended()).isEmpty();
  }

  @Test
  void nobodyCancelsWhatMayBeSentAlready() {
    tell(read(4));
    tell(new NonceKnown(1));
    assertThat(submitter.refusal(state, id(4), Optional.empty()))
        .contains(ChangeRefusal.MAYBE_SENT);
    tell(new PublicCancelled(id(4)));
    assertThat(last.events()).isEmpty();

    block(0, called(99));
    tell(new NonceKnown(1));

    assertThat(submitter.refusal(state, id(4), Optional.empty())).isEmpty();
  }

  @Test
  void whatHasNoMoneyIsNotGivenUpWhileItMayBeSentAlready() {
    var many =
        LongStream.rangeClosed(1, PublicSubmitting.MOST_LACKING + 1)
            .mapToObj(order -> accepted(order, BigInteger.TEN))
            .toList();
    tell(new PublicsRead(many));
    tell(new NonceKnown(1));
    tell(new BalanceKnown(BigInteger.ZERO, 1));
    assertThat(told()).isEmpty();

    block(0, called(99));
    tell(new NonceKnown(1));
    tell(new BalanceKnown(BigInteger.ZERO, 1));

    assertThat(told()).hasSize(1);
  }

  /**
   * A nonce that the records have given is no sign: who lost it waits, and its call is another's.
   */
  @Test
  void whatLosesItsNonceToTheCallOfAnotherEndsThat() {
    tell(read(4));
    tell(new NonceKnown(0));
    restart();
    tell(new PublicsWaiting());
    tell(read(5));

    block(0, called(5));

    assertThat(ended()).containsExactly(id(5));
    assertThat(state.waiting()).hasSize(1);
  }

  /** A life with newer records lost it as well, and gave it the next one. */
  @Test
  void whatLosesItsNonceToAnothersCallWaitsForTheBlocksOfAllOthers() {
    tell(read(4));
    tell(new NonceKnown(0));
    restart();
    tell(new PublicsWaiting());
    tell(read());
    tell(new NonceKnown(2));
    assertThat(submitter.refusal(state, id(4), Optional.empty()))
        .as("nor is it changed or cancelled")
        .contains(ChangeRefusal.MAYBE_SENT);

    block(0, called(99));
    assertThat(submitted()).isEmpty();
    tell(new Tick());
    tell(new NonceKnown(2));
    assertThat(submitted()).isEmpty();

    block(1, called(4));
    assertThat(ended()).containsExactly(id(4));
  }

  /** Of two that are the same: whichever has it is told of its own block. */
  @Test
  void whatHasANonceIsEndedByWhatABlockHasOfThatOne() {
    tell(read(4));
    tell(new NonceKnown(0));
    restart();
    tell(new PublicsWaiting());
    tell(new PublicsRead(List.of(same(5, 4))));
    tell(new NonceKnown(2));

    block(1, called(4));
    assertThat(ended()).containsExactly(id(5));
    block(0, called(4));
    assertThat(ended()).containsExactlyInAnyOrder(id(4), id(5));
  }

  private void tell(SubmitterInput input) {
    last = submitter.decide(state, input, now);
    state = last.state();
    journal.addAll(last.events());
  }

  private void restart() {
    state = SubmitterState.initial();
    journal.forEach(event -> state = submitter.evolve(state, event));
    tell(new Started(2));
  }

  private static PublicsRead read(long... orders) {
    return new PublicsRead(LongStream.of(orders).mapToObj(order -> accepted(order)).toList());
  }

  private static Accepted accepted(long order) {
    return accepted(order, BigInteger.ZERO);
  }

  private static Accepted accepted(long order, BigInteger value) {
    return accepted(order, order, value);
  }

  private static Accepted same(long order, long as) {
    return accepted(order, as, BigInteger.ZERO);
  }

  private static Accepted accepted(long order, long call, BigInteger value) {
    return new Accepted(
        order,
        new PublicTransaction(
            new TransactionId(new UUID(0, order)),
            Identity.parse("alice@a"),
            Optional.of(CONTRACT),
            Bytes.utf8("call " + call),
            value,
            77_000,
            PublicTransaction.Source.NONE));
  }

  private static TransactionId id(long order) {
    return accepted(order).transaction().id();
  }

  private static LedgerReceipt.Called called(long order) {
    var call = PublicCall.of(accepted(order).transaction());
    return new LedgerReceipt.Called(call.hash(), Optional.empty(), Bytes.EMPTY, Optional.empty());
  }

  private void block(long nonce, LedgerReceipt.Called call) {
    var hash = new TransactionHash(new Hash(1, 2, 3, nonce));
    tell(
        new BlockIndexed(
            HEIGHT, List.of(new LedgerReceipt(hash, SIGNER, nonce, HEIGHT, 3, List.of(call)))));
  }

  private <T extends SubmitterEffect> List<T> effects(Class<T> type) {
    return last.effects().stream().filter(type::isInstance).map(type::cast).toList();
  }

  private List<SubmitterEffect.Item> submitted() {
    return effects(SubmitterEffect.Submit.class).stream().flatMap(e -> e.items().stream()).toList();
  }

  private List<Receipt> told() {
    return effects(SubmitterEffect.StoreReceipts.class).stream()
        .flatMap(effect -> effect.receipts().stream())
        .toList();
  }

  private List<TransactionId> ended() {
    return state.publics().values().stream()
        .filter(each -> each.receipt().isPresent())
        .map(each -> each.transaction().id())
        .toList();
  }
}
