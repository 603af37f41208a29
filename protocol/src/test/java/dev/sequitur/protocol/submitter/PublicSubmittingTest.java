package dev.sequitur.protocol.submitter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.AboveCeiling;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction.PublicCall;
import dev.sequitur.protocol.ledger.LedgerTransaction.UseNonce;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.submitter.Submitter.ChangeRefusal;
import dev.sequitur.protocol.submitter.SubmitterEvent.Accepted;
import dev.sequitur.protocol.submitter.SubmitterInput.BalanceKnown;
import dev.sequitur.protocol.submitter.SubmitterInput.BlockIndexed;
import dev.sequitur.protocol.submitter.SubmitterInput.NonceKnown;
import dev.sequitur.protocol.submitter.SubmitterInput.PublicCancelled;
import dev.sequitur.protocol.submitter.SubmitterInput.PublicReplaced;
import dev.sequitur.protocol.submitter.SubmitterInput.PublicsNotRead;
import dev.sequitur.protocol.submitter.SubmitterInput.PublicsRead;
import dev.sequitur.protocol.submitter.SubmitterInput.PublicsWaiting;
import dev.sequitur.protocol.submitter.SubmitterInput.Started;
import dev.sequitur.protocol.submitter.SubmitterInput.SubmitAnswered;
import dev.sequitur.protocol.submitter.SubmitterInput.Tick;
import dev.sequitur.protocol.submitter.SubmitterInput.UsedKnown;
import dev.sequitur.protocol.submitter.SubmitterTable.CarrierState;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a submitter does with public transactions, from the node store and back (PUB-2 to PUB-5).
 */
class PublicSubmittingTest {
  private static final ContractAddress CONTRACT = new ContractAddress("0x" + "ab".repeat(20));
  private static final LedgerAddress SIGNER = new LedgerAddress("0x" + "cd".repeat(20));
  private static final long GAS = 77_000;
  private static final long COST = SubmitterSetup.Gas.DEFAULT.initial().cost(GAS).longValueExact();
  private static final TransactionHash HASH = new TransactionHash(new Hash(1, 2, 3, 4));

  private final List<SubmitterEvent> journal = new ArrayList<>();
  private final Submitter submitter =
      new Submitter(
          new SubmitterSetup(
              new NodeName("a"),
              contract -> Optional.empty(),
              SequencerSettings.DEFAULT,
              SubmitterSetup.Gas.DEFAULT));
  private SubmitterState state = SubmitterState.initial();
  private Instant now = Instant.parse("2030-01-01T00:00:00Z");
  private Decision<SubmitterState, SubmitterEvent, SubmitterEffect> last;

  @BeforeEach
  void start() {
    tell(new Started(1));
    tell(new NonceKnown(0));
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
    tell(new PublicsWaiting());
  }

  private void later(Duration time) {
    now = now.plus(time);
    tell(new Tick());
  }

  private static Accepted accepted(long order) {
    return accepted(order, BigInteger.ZERO);
  }

  private static Accepted accepted(long order, BigInteger value) {
    return new Accepted(
        order,
        new PublicTransaction(
            new TransactionId(new UUID(0, order)),
            Identity.parse("alice@a"),
            Optional.of(CONTRACT),
            Bytes.utf8("call " + order),
            value,
            GAS,
            PublicTransaction.Source.NONE));
  }

  /** The node store is read, and has these. */
  private void read(long... orders) {
    read(Arrays.stream(orders).mapToObj(o -> accepted(o)).toList());
  }

  private void read(List<Accepted> found) {
    tell(new PublicsWaiting());
    tell(new PublicsRead(found));
    tell(new NonceKnown(state.nextNonce()));
  }

  private <T extends SubmitterEffect> List<T> effects(Class<T> type) {
    return last.effects().stream().filter(type::isInstance).map(type::cast).toList();
  }

  private List<SubmitterEffect.Item> submitted() {
    return effects(SubmitterEffect.Submit.class).stream().flatMap(e -> e.items().stream()).toList();
  }

  private void pooled(long nonce) {
    tell(new SubmitAnswered(Map.of(nonce, new SubmitOutcome.Pooled(HASH))));
  }

  private void block(long nonce, LedgerReceipt.Result result) {
    block(nonce, result, 0);
  }

  private void block(long nonce, LedgerReceipt.Result result, long paid) {
    block(nonce, List.of(result), paid);
  }

  private void block(long nonce, List<LedgerReceipt.Result> results, long paid) {
    var height = new BlockHeight(9);
    tell(
        new BlockIndexed(
            height,
            List.of(
                new LedgerReceipt(
                    HASH, SIGNER, nonce, height, 3, results, BigInteger.valueOf(paid)))));
  }

  private static LedgerReceipt.Called called(long order, Optional<String> failure) {
    var call = PublicCall.of(accepted(order).transaction());
    return new LedgerReceipt.Called(call.hash(), Optional.empty(), Bytes.EMPTY, failure);
  }

  private List<Receipt> told() {
    return effects(SubmitterEffect.StoreReceipts.class).stream()
        .flatMap(effect -> effect.receipts().stream())
        .toList();
  }

  private static TransactionId id(long order) {
    return accepted(order).transaction().id();
  }

  @Test
  void eachIsCarriedAloneInOrderWithTheGasThatItHas() {
    read(4, 7);

    assertThat(submitted()).extracting(SubmitterEffect.Item::nonce).containsExactly(0L, 1L);
    assertThat(submitted())
        .extracting(SubmitterEffect.Item::call)
        .containsExactly(
            PublicCall.of(accepted(4).transaction()), PublicCall.of(accepted(7).transaction()));
    assertThat(submitted()).extracting(SubmitterEffect.Item::gasLimit).containsOnly(GAS);
  }

  @Test
  void itLooksForMoreAboveTheLastThatItTook() {
    read(4, 7);
    tell(new PublicsRead(List.of()));
    tell(new PublicsWaiting());

    assertThat(effects(SubmitterEffect.ReadPublics.class))
        .containsExactly(new SubmitterEffect.ReadPublics(7, PublicSubmitting.MOST - 2));
  }

  @Test
  void whatWasTakenIsNotTakenAgainThoughTheStoreShowsIt() {
    read(4);
    pooled(0);
    block(0, called(4, Optional.empty()));
    restart();
    tell(new PublicsRead(List.of(accepted(4), accepted(5))));

    assertThat(last.events())
        .containsExactly(new SubmitterEvent.PublicsTaken(List.of(accepted(5))));
    tell(new NonceKnown(1));
    assertThat(submitted()).extracting(SubmitterEffect.Item::nonce).containsExactly(1L);
  }

  @Test
  void whatIsAcceptedWhileTheStoreIsReadIsLookedForAgain() {
    tell(new PublicsWaiting());
    tell(new PublicsWaiting());
    assertThat(effects(SubmitterEffect.ReadPublics.class)).isEmpty();

    tell(new PublicsRead(List.of()));

    assertThat(effects(SubmitterEffect.ReadPublics.class)).hasSize(1);
  }

  @Test
  void aStoreThatCannotBeReadIsReadAgain() {
    tell(new PublicsWaiting());
    tell(new PublicsNotRead());
    later(Duration.ofMillis(100));

    assertThat(effects(SubmitterEffect.ReadPublics.class)).hasSize(1);
    assertThat(state.isIdle()).isFalse();
  }

  @Test
  void noMoreAreHeldThanThereIsRoomFor() {
    read(LongStream.rangeClosed(1, PublicSubmitting.MOST).toArray());
    tell(new PublicsWaiting());
    assertThat(effects(SubmitterEffect.ReadPublics.class)).isEmpty();

    block(0, called(1, Optional.empty()));
    tell(new SubmitterInput.ReceiptsStored(List.of(id(1))));

    assertThat(effects(SubmitterEffect.ReadPublics.class))
        .containsExactly(new SubmitterEffect.ReadPublics(PublicSubmitting.MOST, 1));
  }

  /** Others may have used the key meanwhile. */
  @Test
  void theNonceIsAskedForAnewWhenNothingIsOnItsWay() {
    tell(new PublicsWaiting());
    tell(new PublicsRead(List.of(accepted(1))));
    assertThat(submitted()).isEmpty();
    assertThat(effects(SubmitterEffect.QueryNonce.class)).hasSize(1);

    tell(new NonceKnown(6));

    assertThat(submitted()).extracting(SubmitterEffect.Item::nonce).containsExactly(6L);
  }

  /** Its receipt is written until the node store has it (PUB-6). */
  @Test
  void anEndIsStoredUntilTheNodeStoreHasIt() {
    read(4);
    pooled(0);
    block(0, called(4, Optional.of("no")));

    assertThat(told()).extracting(Receipt::transaction).containsExactly(id(4));
    assertThat(told().getFirst().failureMessage()).contains("no");
    assertThat(told().getFirst().onLedger().orElseThrow().index()).isEqualTo(3);
    assertThat(told().getFirst().called().orElseThrow().nonce())
        .contains(new Receipt.Nonce(SIGNER, 0));
    restart();
    assertThat(state.isIdle()).isFalse();
    later(Duration.ofSeconds(30));
    assertThat(told()).extracting(Receipt::transaction).containsExactly(id(4));
    tell(new SubmitterInput.ReceiptsStored(List.of(id(4))));
    later(Duration.ofSeconds(30));
    assertThat(told()).isEmpty();
    tell(new PublicsRead(List.of()));
    assertThat(state.isIdle()).isTrue();
    assertThat(state.publics()).isEmpty();
  }

  @Test
  void aNonceThatIsTooLowIsWaitedForAndNeverGivenUp() {
    read(4);
    for (int i = 0; i < 50; i++) {
      tell(new SubmitAnswered(Map.of(0L, new SubmitOutcome.NonceTooLow(HASH, 1))));
      later(Duration.ofMinutes(1));
    }

    assertThat(state.carriers().keySet()).containsExactly(0L);
    block(0, called(4, Optional.empty()));
    assertThat(told()).extracting(Receipt::success).containsExactly(true);
  }

  @Test
  void whatLostItsNonceToAnotherIsCarriedAnew() {
    read(4);
    pooled(0);
    block(0, called(99, Optional.empty()));

    assertThat(told()).isEmpty();
    assertThat(state.carriers()).isEmpty();
    later(Duration.ofSeconds(1));
    assertThat(submitted()).extracting(SubmitterEffect.Item::nonce).containsExactly(1L);
    restart();
    assertThat(state.carriers().keySet()).containsExactly(1L);
  }

  /** A block has them before a call has any of them: no block tells of them again. */
  @Test
  void noncesThatSomebodyElseHasUsedAreGivenToNoCall() {
    read(4);
    pooled(0);
    var height = new BlockHeight(9);
    tell(
        new BlockIndexed(
            height, List.of(byAnother(height, 0), byAnother(height, 1), byAnother(height, 2))));

    later(Duration.ofSeconds(1));
    assertThat(submitted()).extracting(SubmitterEffect.Item::nonce).containsExactly(3L);
    restart();
    assertThat(state.carriers().keySet()).containsExactly(3L);
  }

  /**
   * The key was used elsewhere while nothing of it was on its way, and the node of the chain that
   * was asked for the nonce lay behind. Those blocks were read before, and tell nobody.
   */
  @Test
  void noncesThatWereUsedBeforeItsSignerWasWatchedAreGivenToNoCall() {
    read(4, 5, 6);
    tooLow(0, 1);
    assertThat(effects(SubmitterEffect.QueryUsed.class)).hasSize(1);

    tell(new UsedKnown(2));

    assertThat(submitted())
        .extracting(SubmitterEffect.Item::nonce, SubmitterEffect.Item::call)
        .containsExactly(
            tuple(3L, PublicCall.of(accepted(4).transaction())),
            tuple(4L, PublicCall.of(accepted(5).transaction())));
    restart();
    assertThat(state.carriers().keySet()).containsExactly(2L, 3L, 4L);
    assertThat(state.nextNonce()).isEqualTo(5);
  }

  @Test
  void whatIsUsedBeyondAllThatItHasIsPassedOver() {
    read(4);
    tooLow(0);

    tell(new UsedKnown(7));

    assertThat(submitted()).extracting(SubmitterEffect.Item::nonce).containsExactly(7L);
    restart();
    assertThat(state.carriers().keySet()).containsExactly(7L);
  }

  /** The block that has it may not be final yet, or its receipt not told. */
  @Test
  void whatNoFinalBlockShowsAsUsedKeepsItsNonce() {
    read(4);
    pooled(0);
    later(Duration.ofMinutes(2));
    tooLow(0);

    tell(new UsedKnown(0));

    assertThat(last.events()).isEmpty();
    block(0, called(4, Optional.empty()));
    assertThat(told()).extracting(Receipt::success).containsExactly(true);
    tell(new UsedKnown(1));
    assertThat(last.events()).isEmpty();
  }

  @Test
  void whatThePoolNeverTakesEndsWithANonceThatWasUsedBefore() {
    read(4);
    tell(new SubmitAnswered(Map.of(0L, new SubmitOutcome.Invalid(HASH, "too much gas"))));
    tooLow(0);
    assertThat(effects(SubmitterEffect.QueryUsed.class)).hasSize(1);

    tell(new UsedKnown(1));

    assertThat(told().getFirst().failureMessage()).contains("Refused by the pool: too much gas");
    assertThat(told().getFirst().called().orElseThrow().nonce()).isEmpty();
    assertThat(state.paid()).isEqualTo(GasPaid.NONE);
    assertThat(state.carriers()).isEmpty();
  }

  private void tooLow(long... nonces) {
    Map<Long, SubmitOutcome> answers = new HashMap<>();
    for (long nonce : nonces) {
      answers.put(nonce, new SubmitOutcome.NonceTooLow(HASH, nonce + 1));
    }
    tell(new SubmitAnswered(answers));
  }

  private static LedgerReceipt byAnother(BlockHeight height, long nonce) {
    return new LedgerReceipt(HASH, SIGNER, nonce, height, 3, List.of(called(99, Optional.empty())));
  }

  @Test
  void whatThePoolNeverTakesEndsWhenItsNonceIsUsed() {
    read(4);
    tell(new SubmitAnswered(Map.of(0L, new SubmitOutcome.Invalid(HASH, "too much gas"))));
    assertThat(told()).isEmpty();
    assertThat(submitted()).extracting(SubmitterEffect.Item::call).containsExactly(new UseNonce());
    restart();
    tell(new NonceKnown(0));
    assertThat(submitted()).extracting(SubmitterEffect.Item::call).containsExactly(new UseNonce());

    block(0, new LedgerReceipt.NonceUsed());

    assertThat(told().getFirst().failureMessage()).contains("Refused by the pool: too much gas");
    assertThat(told().getFirst().onLedger()).isEmpty();
    assertThat(told().getFirst().called().orElseThrow().nonce())
        .as("by nothing but that")
        .contains(new Receipt.Nonce(SIGNER, 0));
  }

  /** An earlier one of the same nonce was pooled before, and won. */
  @Test
  void whatThePoolRefusedAndABlockHasAllTheSameHasSucceeded() {
    read(4);
    pooled(0);
    later(Duration.ofMinutes(2));
    tell(new SubmitAnswered(Map.of(0L, new SubmitOutcome.Invalid(HASH, "too much gas"))));

    block(0, called(4, Optional.empty()));

    assertThat(told()).extracting(Receipt::success).containsExactly(true);
  }

  @Test
  void aBlockThatComesTwiceEndsNothingTwice() {
    read(4, 5);
    block(0, called(4, Optional.empty()));
    block(0, called(4, Optional.empty()));

    assertThat(last.events()).isEmpty();
    assertThat(state.carriers().keySet()).containsExactly(1L);
  }

  /** FND-1: its own limit of gas, not what the call would use at least. */
  @Test
  void whoSeesToItsMoneyIsToldOfTheGasThatItHas() {
    read(4, 7);
    assertThat(uses())
        .containsExactly(
            new SubmitterEffect.UseGas(
                BigInteger.valueOf(2 * COST),
                BigInteger.valueOf(0),
                false,
                false,
                AboveCeiling.NOTHING));

    tell(
        new SubmitAnswered(
            Map.of(
                0L,
                new SubmitOutcome.InsufficientFunds(HASH),
                1L,
                new SubmitOutcome.InsufficientFunds(HASH))));

    assertThat(uses())
        .containsExactly(
            new SubmitterEffect.UseGas(
                BigInteger.valueOf(2 * COST),
                BigInteger.valueOf(0),
                true,
                false,
                AboveCeiling.NOTHING));
  }

  /** FND-6: that money is the key's own. */
  @Test
  void whoSeesToItsMoneyIsToldWhatGoesAlong() {
    tell(new PublicsWaiting());
    var more = BigInteger.TWO.pow(200);
    tell(new PublicsRead(List.of(accepted(4, BigInteger.TEN), accepted(7, BigInteger.TWO))));
    tell(new NonceKnown(0));
    tell(new BalanceKnown(BigInteger.valueOf(2 * COST + 12), 0));
    assertThat(uses())
        .contains(
            new SubmitterEffect.UseGas(
                BigInteger.valueOf(2 * COST),
                BigInteger.valueOf(12),
                false,
                false,
                AboveCeiling.NOTHING));

    tell(new SubmitAnswered(Map.of()));
    tell(new PublicsRead(List.of(accepted(8, more))));
    tell(new BalanceKnown(more.add(BigInteger.valueOf(3 * COST + 12)), 0));
    assertThat(uses())
        .contains(
            new SubmitterEffect.UseGas(
                BigInteger.valueOf(3 * COST),
                more.add(BigInteger.valueOf(12)),
                false,
                false,
                AboveCeiling.NOTHING));
  }

  /** PUB-7: nobody waits behind it, and it waits as long as it has to. */
  @Test
  void whatTheKeyHasNotTheValueForHasNoNonceAndHoldsNobody() {
    read(List.of(accepted(4, BigInteger.TEN), accepted(5)));
    assertThat(effects(SubmitterEffect.QueryBalance.class)).isEmpty();
    assertThat(submitted()).extracting(SubmitterEffect.Item::call).containsExactly(call(5));
    assertThat(submitted()).extracting(SubmitterEffect.Item::nonce).containsExactly(0L);
    pooled(0);

    balance(9 + COST, 0);
    assertThat(uses())
        .containsExactly(
            new SubmitterEffect.UseGas(
                BigInteger.valueOf(COST),
                BigInteger.valueOf(0),
                false,
                true,
                AboveCeiling.NOTHING));
    assertThat(submitted()).isEmpty();
    block(0, called(5, Optional.empty()));
    assertThat(uses())
        .containsExactly(
            new SubmitterEffect.UseGas(
                BigInteger.valueOf(0), BigInteger.valueOf(0), false, true, AboveCeiling.NOTHING));
    assertThat(state.isIdle()).isFalse();

    later(PublicSubmitting.BALANCE_INTERVAL);
    assertThat(effects(SubmitterEffect.QueryBalance.class)).hasSize(1);
    later(Duration.ofSeconds(1));
    assertThat(effects(SubmitterEffect.QueryBalance.class)).as("asked already").isEmpty();
    balance(10 + COST, 1);
    assertThat(submitted())
        .extracting(SubmitterEffect.Item::nonce, SubmitterEffect.Item::call)
        .containsExactly(tuple(1L, PublicCall.of(accepted(4, BigInteger.TEN).transaction())));
    assertThat(uses())
        .contains(
            new SubmitterEffect.UseGas(
                BigInteger.valueOf(COST),
                BigInteger.valueOf(10),
                false,
                false,
                AboveCeiling.NOTHING));
  }

  /** FND-1: whoever sees to the gas sends what is missing; the value is there. */
  @Test
  void whatLacksOnlyItsGasIsToldToWhoSeesToTheMoney() {
    read(List.of(accepted(4, BigInteger.TEN), accepted(5, BigInteger.ONE)));
    balance(10, 0);

    assertThat(submitted()).isEmpty();
    assertThat(uses())
        .containsExactly(
            new SubmitterEffect.UseGas(
                BigInteger.valueOf(COST),
                BigInteger.valueOf(10),
                true,
                true,
                AboveCeiling.NOTHING));
    balance(11 + 2 * COST, 0);
    assertThat(submitted()).extracting(SubmitterEffect.Item::nonce).containsExactly(0L, 1L);
  }

  /** What is on its way pays first, but for what the newest block has paid. */
  @Test
  void whatHasANonceComesFirst() {
    read(List.of(accepted(4, BigInteger.TEN)));
    balance(10 + COST, 0);
    pooled(0);
    tell(new PublicsRead(List.of(accepted(5, BigInteger.TEN))));

    balance(19 + 2 * COST, 0);
    assertThat(submitted()).isEmpty();
    balance(10 + COST, 1);
    assertThat(submitted()).extracting(SubmitterEffect.Item::nonce).containsExactly(1L);
  }

  /** PUB-7: the money has gone elsewhere since. */
  @Test
  void aNonceIsUsedForNothingIfTheMoneyThatGoesAlongIsGone() {
    read(List.of(accepted(4, BigInteger.TEN)));
    balance(10 + COST, 0);
    tell(new PublicsRead(List.of(accepted(5))));
    tell(new SubmitAnswered(Map.of(0L, new SubmitOutcome.InsufficientFunds(HASH))));
    later(PublicSubmitting.BALANCE_INTERVAL);
    assertThat(effects(SubmitterEffect.QueryBalance.class)).hasSize(1);

    balance(9 + COST, 0);
    later(Duration.ofMinutes(1));
    assertThat(state.carriers().get(0L).state()).isEqualTo(CarrierState.FILLING);
    pooled(0);
    block(0, new LedgerReceipt.NonceUsed(), 21);

    assertThat(told()).isEmpty();
    assertThat(state.paid()).isEqualTo(new GasPaid(BigInteger.valueOf(21), BigInteger.valueOf(0)));
    later(Duration.ofSeconds(1));
    assertThat(submitted()).isEmpty();
    assertThat(state.carriers().keySet()).as("the other goes on").containsExactly(1L);
    balance(10 + 2 * COST, 1);
    assertThat(state.carriers().keySet()).containsExactly(1L, 2L);
    restart();
    assertThat(state.carriers().keySet()).containsExactly(1L, 2L);
    assertThat(state.paid()).isEqualTo(new GasPaid(BigInteger.valueOf(21), BigInteger.valueOf(0)));
  }

  /** A pool may have had it all the same. */
  @Test
  void whatGaveItsNonceUpEndsByABlockThatHasIt() {
    read(List.of(accepted(4, BigInteger.TEN)));
    balance(10 + COST, 0);
    tell(new SubmitAnswered(Map.of(0L, new SubmitOutcome.InsufficientFunds(HASH))));
    balance(9, 0);
    var call = PublicCall.of(accepted(4, BigInteger.TEN).transaction()).hash();
    block(0, new LedgerReceipt.Called(call, Optional.empty(), Bytes.EMPTY, Optional.empty()));

    assertThat(told()).extracting(Receipt::success).containsExactly(true);
  }

  @Test
  void whatWaitsForItsGasKeepsItsNonceIfItHasTheMoneyToSend() {
    read(List.of(accepted(4, BigInteger.TEN)));
    balance(10 + COST, 0);
    tell(new SubmitAnswered(Map.of(0L, new SubmitOutcome.InsufficientFunds(HASH))));
    balance(10 + COST, 0);

    assertThat(state.carriers().get(0L).state()).isEqualTo(CarrierState.UNFUNDED);
  }

  /** PUB-7: else the others of the key would find no room. */
  @Test
  void tooManyThatLackWhatTheySendEndAndTheFirstOnesWait() {
    int more = PublicSubmitting.MOST_LACKING + 2;
    read(
        LongStream.rangeClosed(1, more)
            .mapToObj(order -> accepted(order, BigInteger.TEN))
            .toList());
    balance(9, 0);

    assertThat(told()).extracting(Receipt::transaction).containsExactly(id(more - 1), id(more));
    assertThat(told().getFirst().failureMessage().orElseThrow())
        .contains("sends 10, the key has 9", "Send it again");
    assertThat(told().getFirst().onLedger()).isEmpty();
    restart();
    later(Duration.ofSeconds(30));
    assertThat(told()).hasSize(2);
    tell(new SubmitterInput.ReceiptsStored(List.of(id(more - 1), id(more))));
    assertThat(state.publics()).hasSize(PublicSubmitting.MOST_LACKING);
  }

  private static PublicCall call(long order) {
    return PublicCall.of(accepted(order).transaction());
  }

  private void balance(long balance, long next) {
    tell(new BalanceKnown(BigInteger.valueOf(balance), next));
  }

  /** FND-5. */
  @Test
  void whatItsTransactionsHaveCostIsAddedUpAndWhatFailedOfIt() {
    read(4, 5, 6);
    block(0, called(4, Optional.empty()), 100);
    assertThat(effects(SubmitterEffect.CountPaid.class))
        .containsExactly(
            new SubmitterEffect.CountPaid(
                new GasPaid(BigInteger.valueOf(100), BigInteger.valueOf(0))));
    block(1, called(5, Optional.of("no")), 30);
    tell(new SubmitAnswered(Map.of(2L, new SubmitOutcome.Invalid(HASH, "too much gas"))));
    block(2, new LedgerReceipt.NonceUsed(), 7);

    assertThat(state.paid())
        .isEqualTo(new GasPaid(BigInteger.valueOf(137), BigInteger.valueOf(30)));
    restart();
    assertThat(state.paid())
        .isEqualTo(new GasPaid(BigInteger.valueOf(137), BigInteger.valueOf(30)));
    block(2, new LedgerReceipt.NonceUsed(), 7);
    assertThat(state.paid())
        .as("once")
        .isEqualTo(new GasPaid(BigInteger.valueOf(137), BigInteger.valueOf(30)));
  }

  /** What the contract made of its transitions is the group's. */
  @Test
  void aCallOfAGroupEndsByWhatBecameOfTheCall() {
    var transition =
        new LedgerReceipt.Reverted(
            CONTRACT,
            new IntentKey(id(9), new SenderCommitment(new Hash(1, 1, 1, 1))),
            LedgerReceipt.RevertReason.STATE_SPENT,
            "spent");
    read(4);

    block(0, List.of(transition, called(4, Optional.empty())), 100);

    assertThat(told()).singleElement().extracting(Receipt::success).isEqualTo(true);
    assertThat(state.paid()).isEqualTo(new GasPaid(BigInteger.valueOf(100), BigInteger.valueOf(0)));
  }

  /** Whoever comes to the end is told nothing. */
  @Test
  void theStoreIsReadUntilItShowsNothingNew() {
    tell(new PublicsWaiting());
    tell(new PublicsRead(List.of(accepted(4), accepted(7))));
    assertThat(effects(SubmitterEffect.ReadPublics.class))
        .containsExactly(new SubmitterEffect.ReadPublics(7, PublicSubmitting.MOST - 2));

    tell(new PublicsRead(List.of(accepted(7))));

    assertThat(effects(SubmitterEffect.ReadPublics.class)).isEmpty();
  }

  @Test
  void whatIsReadWhileTheKeyIsInUseIsSubmittedAtOnce() {
    read(4);
    pooled(0);
    assertThat(effects(SubmitterEffect.QueryUsed.class)).as("only if it is too low").isEmpty();

    tell(new PublicsRead(List.of(accepted(5))));

    assertThat(submitted()).extracting(SubmitterEffect.Item::nonce).containsExactly(1L);
  }

  @Test
  void anEndIsHandedOverAgainAfterAWhileAndAtOnceAfterARestart() {
    read(4);
    block(0, called(4, Optional.empty()));
    assertThat(told()).hasSize(1);
    tell(new Tick());
    assertThat(told()).isEmpty();
    later(Duration.ofMinutes(1));
    assertThat(told()).hasSize(1);

    state = SubmitterState.initial();
    journal.forEach(event -> state = submitter.evolve(state, event));
    tell(new Started(2));

    assertThat(told()).hasSize(1);
  }

  /** A node store that does not answer is not asked ever as often. */
  @Test
  void anEndThatIsNotStoredIsHandedOverEverLessOften() {
    read(4);
    block(0, called(4, Optional.empty()));
    var resend = SequencerSettings.DEFAULT.delivery().resend();
    var handed = new ArrayList<Instant>(List.of(now));
    for (int tick = 0; tick < 600; tick++) {
      later(Duration.ofMillis(100));
      if (!told().isEmpty()) {
        handed.add(now);
      }
    }

    int newest = handed.size() - 1;
    assertThat(Duration.between(handed.get(newest - 1), handed.get(newest)))
        .isGreaterThan(resend.initial().multipliedBy(2));
  }

  /** Its receipt is the submitter's until the node store has it (PUB-6). */
  @Test
  void onlyWhatHasEndedAndIsStoredIsForgotten() {
    read(4, 5, 6);
    block(0, called(4, Optional.empty()));
    block(1, called(5, Optional.empty()));

    tell(new SubmitterInput.ReceiptsStored(List.of(id(4), id(6))));

    assertThat(last.events()).containsExactly(new SubmitterEvent.ReceiptsStored(List.of(id(4))));
    assertThat(state.publics().values())
        .extracting(SubmitterState.Public::accepted)
        .containsExactly(5L, 6L);
  }

  @Test
  void whatIsRefusedIsCountedAndNothingElse() {
    read(4, 5, 6);
    tell(new SubmitAnswered(Map.of(0L, new SubmitOutcome.Invalid(HASH, "too much gas"))));
    assertThat(effects(SubmitterEffect.Count.class))
        .containsExactly(new SubmitterEffect.Count(SubmitterEffect.Counted.ABANDONED));

    block(1, called(5, Optional.of("no")));
    assertThat(effects(SubmitterEffect.Count.class))
        .containsExactly(new SubmitterEffect.Count(SubmitterEffect.Counted.LEDGER_REVERT));

    block(2, called(6, Optional.empty()));
    assertThat(effects(SubmitterEffect.Count.class)).isEmpty();
  }

  @Test
  void whoAsksIsToldWhatHasANonceAndWhatPoolsHaveTakenOfIt() {
    read(4, 5);
    pooled(0);

    assertThat(state.underway())
        .extracting(
            SubmitterState.Underway::transaction,
            SubmitterState.Underway::nonce,
            underway -> underway.submissions().size())
        .containsExactly(tuple(id(4), Optional.of(0L), 1), tuple(id(5), Optional.of(1L), 0));
  }

  @Test
  void whoAsksIsToldWhatAPublicTransactionWaitsFor() {
    read(List.of(accepted(4, BigInteger.TEN), accepted(5, BigInteger.TWO), accepted(6)));
    assertThat(waitsFor())
        .containsExactly(
            "The base ledger is asked what its key has.",
            "The base ledger is asked what its key has.",
            "");
    assertThat(state.underway())
        .extracting(SubmitterState.Underway::nonce)
        .contains(Optional.of(0L));
    balance(2 + COST, 0);
    tell(new SubmitAnswered(Map.of(0L, new SubmitOutcome.InsufficientFunds(HASH))));

    assertThat(waitsFor())
        .containsExactly(
            "Its key has not the 10 that it sends along.",
            "Its key has not the money for its gas.",
            "Its key has not the money for it and its gas.");
  }

  private List<String> waitsFor() {
    return state.underway().stream().map(each -> each.waitsFor().orElse("")).toList();
  }

  /** PUB-8. */
  @Test
  void whatIsReplacedKeepsItsNonceAndOffersMoreThanWhatThePoolHas() {
    read(4);
    pooled(0);

    tell(new PublicReplaced(other(4), Optional.empty()));

    assertThat(submitted())
        .extracting(SubmitterEffect.Item::nonce, SubmitterEffect.Item::call)
        .containsExactly(tuple(0L, PublicCall.of(other(4))));
    assertThat(submitted().getFirst().fees())
        .isEqualTo(SubmitterSetup.Gas.DEFAULT.increased(SubmitterSetup.Gas.DEFAULT.initial()));
    restart();
    assertThat(state.publics().get(0L).transaction()).isEqualTo(other(4));
    tell(new NonceKnown(0));
    block(0, executed(other(4)));
    assertThat(told()).extracting(Receipt::success).containsExactly(true);
  }

  @Test
  void itsCallerSaysWhatItOffersAtLeastButNoMoreThanTheNodeEverPays() {
    read(4);
    pooled(0);
    var most = SubmitterSetup.Gas.DEFAULT.ceiling();
    assertThat(refusal(4, Optional.of(new Fees(most.max() + 1, 1))))
        .contains(ChangeRefusal.TOO_DEAR);
    tell(new PublicReplaced(other(4), Optional.of(new Fees(most.max() + 1, 1))));
    assertThat(last.events()).isEmpty();

    tell(new PublicReplaced(accepted(4).transaction(), Optional.of(most)));

    assertThat(submitted()).extracting(SubmitterEffect.Item::fees).containsExactly(most);
    assertThat(state.publics().get(0L).former()).as("the same call").isEmpty();
  }

  /** What the pool is handed now is not what it is to have. */
  @Test
  void whatIsReplacedWhileThePoolIsAskedIsHandedInAfterItsAnswer() {
    for (var answer :
        List.of(
            new SubmitAnswered(Map.of(0L, new SubmitOutcome.Pooled(HASH))),
            new SubmitAnswered(Map.of(0L, new SubmitOutcome.Invalid(HASH, "no"))),
            new SubmitterInput.SubmitFailed(List.of(0L)))) {
      state = SubmitterState.initial();
      start();
      read(4);
      tell(new PublicReplaced(other(4), Optional.empty()));
      assertThat(submitted()).isEmpty();

      tell(answer);

      assertThat(submitted())
          .extracting(SubmitterEffect.Item::call)
          .containsExactly(PublicCall.of(other(4)));
    }
  }

  /** What was carried out is the end, and who changed it learns that it was too late. */
  @Test
  void aBlockThatHasWhatItWasBeforeEndsItAndItsReceiptSaysSo() {
    read(4);
    pooled(0);
    tell(new PublicReplaced(other(4), Optional.empty()));
    restart();
    block(0, called(4, Optional.empty()));

    assertThat(told()).extracting(Receipt::success).containsExactly(false);
    assertThat(told().getFirst().failureMessage().orElseThrow()).contains("before it was changed");
    assertThat(told().getFirst().onLedger()).isPresent();
  }

  @Test
  void whatWaitsForItsMoneyGoesOnIfItSendsLess() {
    read(List.of(accepted(4, BigInteger.TEN)));
    balance(COST, 0);
    assertThat(submitted()).isEmpty();

    tell(new PublicReplaced(accepted(4).transaction(), Optional.empty()));

    assertThat(submitted()).extracting(SubmitterEffect.Item::nonce).containsExactly(0L);
  }

  @Test
  void whatIsCancelledWithoutANonceEndsAtOnce() {
    read(List.of(accepted(4, BigInteger.TEN)));
    balance(9, 0);
    assertThat(uses())
        .containsExactly(
            new SubmitterEffect.UseGas(
                BigInteger.valueOf(0), BigInteger.valueOf(0), false, true, AboveCeiling.NOTHING));
    tell(new PublicCancelled(id(4)));

    assertThat(told()).extracting(Receipt::success).containsExactly(false);
    assertThat(told().getFirst().failureMessage()).contains("It was cancelled.");
    assertThat(uses())
        .containsExactly(
            new SubmitterEffect.UseGas(
                BigInteger.valueOf(0), BigInteger.valueOf(0), false, false, AboveCeiling.NOTHING));
    restart();
    assertThat(refusal(4, Optional.empty())).contains(ChangeRefusal.ENDING);
    tell(new PublicCancelled(id(4)));
    assertThat(last.events()).isEmpty();
  }

  @Test
  void whatIsCancelledUsesItsNonceForNothing() {
    read(4, 5);
    tell(new PublicCancelled(id(4)));
    assertThat(submitted()).as("the pool is asked").isEmpty();
    tell(
        new SubmitAnswered(
            Map.of(0L, new SubmitOutcome.Pooled(HASH), 1L, new SubmitOutcome.Pooled(HASH))));

    assertThat(submitted())
        .extracting(SubmitterEffect.Item::nonce, SubmitterEffect.Item::call)
        .containsExactly(tuple(0L, new UseNonce()));
    assertThat(refusal(4, Optional.empty())).contains(ChangeRefusal.ENDING);
    restart();
    block(0, new LedgerReceipt.NonceUsed());
    assertThat(told().getFirst().failureMessage().orElseThrow()).startsWith("It was cancelled");
  }

  @Test
  void aBlockThatHasWhatWasCancelledEndsItAsThatSays() {
    read(4);
    pooled(0);
    tell(new PublicCancelled(id(4)));
    block(0, called(4, Optional.empty()));

    assertThat(told()).extracting(Receipt::success).containsExactly(true);
  }

  @Test
  void nobodyChangesWhatIsNotHereNorOneTransactionForEver() {
    read(4);
    assertThat(refusal(9, Optional.empty())).contains(ChangeRefusal.NOT_HERE);
    tell(new PublicReplaced(other(9), Optional.empty()));
    tell(new PublicCancelled(id(9)));
    assertThat(last.events()).isEmpty();
    for (int i = 0; i < PublicSubmitting.MOST_CHANGES; i++) {
      assertThat(refusal(4, Optional.empty())).isEmpty();
      tell(new PublicReplaced(i % 2 == 0 ? other(4) : accepted(4).transaction(), Optional.empty()));
    }

    assertThat(refusal(4, Optional.empty())).contains(ChangeRefusal.TOO_OFTEN);
  }

  private Optional<ChangeRefusal> refusal(long order, Optional<Fees> fees) {
    return submitter.refusal(state, id(order), fees);
  }

  private static PublicTransaction other(long order) {
    var it = accepted(order).transaction();
    return new PublicTransaction(
        it.id(),
        it.from(),
        it.to(),
        Bytes.utf8("another call"),
        BigInteger.ZERO,
        GAS,
        PublicTransaction.Source.NONE);
  }

  private static LedgerReceipt.Called executed(PublicTransaction transaction) {
    return new LedgerReceipt.Called(
        PublicCall.of(transaction).hash(), Optional.empty(), Bytes.EMPTY, Optional.empty());
  }

  private List<SubmitterEffect.UseGas> uses() {
    return effects(SubmitterEffect.UseGas.class);
  }
}
