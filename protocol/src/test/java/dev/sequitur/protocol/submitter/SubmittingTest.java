package dev.sequitur.protocol.submitter;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.BlockRange;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.AboveCeiling;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification.Activity;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification.CannotSubmit;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification.DispatchedTransaction;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification.Pending;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification.Submission;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.submitter.SubmitterEffect.Count;
import dev.sequitur.protocol.submitter.SubmitterEffect.Counted;
import dev.sequitur.protocol.submitter.SubmitterEffect.QueryUsed;
import dev.sequitur.protocol.submitter.SubmitterEffect.Submit;
import dev.sequitur.protocol.submitter.SubmitterInput.BlockIndexed;
import dev.sequitur.protocol.submitter.SubmitterInput.DispatchReceived;
import dev.sequitur.protocol.submitter.SubmitterInput.NonceKnown;
import dev.sequitur.protocol.submitter.SubmitterInput.OutputsStored;
import dev.sequitur.protocol.submitter.SubmitterInput.PoolKnown;
import dev.sequitur.protocol.submitter.SubmitterInput.Started;
import dev.sequitur.protocol.submitter.SubmitterInput.SubmitAnswered;
import dev.sequitur.protocol.submitter.SubmitterInput.SubmitFailed;
import dev.sequitur.protocol.submitter.SubmitterInput.Tick;
import dev.sequitur.protocol.submitter.SubmitterInput.UsedKnown;
import dev.sequitur.protocol.submitter.SubmitterTable.CarrierState;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.Proof;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a submitter does until a dispatch is in a block, and what it tells of it (HBT-3, SUB-2). */
class SubmittingTest {
  private static final TransactionHash HASH = new TransactionHash(Contract.hash("submitted"));
  private static final TransactionHash OTHER = new TransactionHash(Contract.hash("again"));
  private static final LedgerAddress SIGNER = new LedgerAddress("0x" + "01".repeat(20));
  private static final SubmitterSetup.Gas GAS =
      new SubmitterSetup.Gas(
          new Fees(1_000, 100), new Fees(1_300, 300), 20, 150, Duration.ofSeconds(30));
  private static final Duration INTERVAL =
      SequencerSettings.DEFAULT.heartbeats().submitterInterval();
  private static final ContractAddress ANOTHER = new ContractAddress("0x" + "cd".repeat(20));
  private static final LedgerReceipt.Fulfilled DONE = fulfilled(1);
  private static final BigInteger EIGHT_OF_ETHER = BigInteger.TEN.pow(18).shiftLeft(3);

  private final Submitter submitter =
      new Submitter(
          new SubmitterSetup(
              A, address -> Optional.of(Contract.GROUP), SequencerSettings.DEFAULT, GAS));
  private final List<SubmitterEvent> journal = new ArrayList<>();
  private SubmitterState state = SubmitterState.initial();
  private Instant now = Instant.EPOCH;
  private Decision<SubmitterState, SubmitterEvent, SubmitterEffect> last;

  @BeforeEach
  void start() {
    tell(new Started(7));
    assertThat(last.effects()).containsExactly(new SubmitterEffect.QueryNonce());
    tell(new NonceKnown(0));
    assertThat(last.events()).as("it is no news").isEmpty();
  }

  @Test
  void nothingIsSubmittedBeforeTheLedgerHasToldTheKeysNextNonceWhichIsAskedForAgain() {
    restart();
    tell(new DispatchReceived(List.of(dispatch(1))));
    tell(new OutputsStored(List.of(key(1))));
    assertThat(submitted()).isEmpty();

    tell(new Tick());
    assertThat(last.effects()).contains(new SubmitterEffect.QueryNonce());

    tell(new NonceKnown(0));
    assertThat(submitted()).hasSize(1);
    tell(new Tick());
    assertThat(last.effects()).doesNotContain(new SubmitterEffect.QueryNonce());
  }

  @Test
  void howLongADispatchTookToThePoolIsToldOnce() {
    tell(new DispatchReceived(List.of(dispatch(1))));
    now = now.plusMillis(30);
    tell(new OutputsStored(List.of(key(1))));
    now = now.plusMillis(12);
    answer(0, new SubmitOutcome.Pooled(HASH));
    assertThat(took())
        .containsExactly(new SubmitterEffect.Took(key(1).transaction(), Duration.ofMillis(42)));

    later(Duration.ofMinutes(10));
    answer(0, new SubmitOutcome.Pooled(OTHER));
    assertThat(took()).isEmpty();
  }

  @Test
  void aDispatchWhoseOutputsAreHandedOverAgainTookAsLongAsBothTries() {
    tell(new DispatchReceived(List.of(dispatch(1))));
    later(Duration.ofSeconds(40));
    assertThat(state.live().values().iterator().next().tries()).as("handed over").isEqualTo(2);
    tell(new OutputsStored(List.of(key(1))));
    answer(0, new SubmitOutcome.Pooled(HASH));

    assertThat(took())
        .containsExactly(new SubmitterEffect.Took(key(1).transaction(), Duration.ofSeconds(40)));
  }

  @Test
  void withNothingToSubmitTheLedgerIsNotAskedAgain() {
    restart();

    tell(new Tick());

    assertThat(last.effects()).isEmpty();
  }

  @Test
  void whoeverDispatchesIsToldThatItIsCommittedAlsoIfItIsDispatchedAgain() {
    for (int i = 0; i < 2; i++) {
      tell(new DispatchReceived(List.of(dispatch(1), dispatch(2))));
      assertThat(last.effects())
          .contains(new SubmitterEffect.TellCommitted(Map.of(ADDRESS, List.of(key(1), key(2)))));
      assertThat(state.live()).hasSize(2);
    }
    assertThat(last.events()).isEmpty();
  }

  @Test
  void whatIsUnderwayIsNotSubmittedASecondTime() {
    stored(1);

    later(Duration.ofMinutes(10));
    assertThat(submitted()).isEmpty();

    answer(0, new SubmitOutcome.Pooled(HASH));
    assertThat(counted(Counted.SUBMITTED)).isTrue();
    answer(0, new SubmitOutcome.Pooled(HASH));
    assertThat(counted(Counted.SUBMITTED)).isFalse();
    assertThat(state.carriers().get(0L).submissions()).hasSize(1);
  }

  @Test
  void whatThePoolHasNoRoomForIsTriedAgainLessAndLessOftenAtItsPrice() {
    stored(1);
    var backoff = SequencerSettings.DEFAULT.delivery().resend();
    for (int tries = 1; tries <= 4; tries++) {
      answer(0, new SubmitOutcome.PoolFull(HASH));
      assertTriedAgainAfter(backoff.wait(tries, 0));
      assertThat(state.carriers().get(0L).fees()).isEqualTo(new Fees(1_000, 100));
    }
  }

  @Test
  void soIsWhatTheLedgerCouldNotBeReachedFor() {
    stored(1);

    tell(new SubmitFailed(List.of(0L, 99L)));

    assertThat(submitted()).isEmpty();
    assertTriedAgainAfter(SequencerSettings.DEFAULT.delivery().resend().wait(1, 0));
  }

  private void assertTriedAgainAfter(Duration wait) {
    later(wait.minusMillis(1));
    assertThat(submitted()).isEmpty();
    later(Duration.ofMillis(1));
    assertThat(submitted()).hasSize(1);
  }

  @Test
  void whatIsUnderpricedIsPaidAFifthMoreOfBothOrWhatIsNeededButNeverMoreThanTheMost() {
    stored(1);

    answer(0, underpriced(1_100, 110));
    assertPaid(1_200, 120);
    answer(0, underpriced(1_250, 120));
    assertPaid(1_300, 144);
    answer(0, underpriced(1_300, 200));
    assertPaid(1_300, 200);
    answer(0, underpriced(1_301, 200));
    assertPaid(1_300, 200);
    assertThat(last.events()).isEmpty();
    answer(0, underpriced(1_300, 301));
    assertPaid(1_300, 200);
    assertThat(last.events()).isEmpty();
  }

  @Test
  void whatIsNeededIsPaidIfItIsMoreThanAFifth() {
    stored(1);

    answer(0, underpriced(1_250, 250));

    assertPaid(1_250, 250);
  }

  @Test
  void feesSurviveARestart() {
    stored(1);
    answer(0, underpriced(1_250, 250));

    restart();

    assertThat(state.carriers().get(0L).fees()).isEqualTo(new Fees(1_250, 250));
  }

  /** SUB-9. */
  @Test
  void withoutMoneyForGasItWaitsAndSaysSoAndIsTriedAgainUntilThereIsSome() {
    stored(1);

    for (int tries = 1; tries <= 12; tries++) {
      answer(0, new SubmitOutcome.InsufficientFunds(HASH));
      assertThat(state.carriers().get(0L).state()).isEqualTo(CarrierState.UNFUNDED);
      assertThat(counted(Counted.WAITS_FOR_GAS_MONEY)).isTrue();
      assertThat(submitted()).isEmpty();
      later(Duration.ofMinutes(1));
      assertThat(submitted())
          .extracting(SubmitterEffect.Item::nonce, SubmitterEffect.Item::fees)
          .containsExactly(tuple(0L, new Fees(1_000, 100)));
    }
    answer(0, new SubmitOutcome.Pooled(HASH));

    assertThat(state.carriers().get(0L).state()).isEqualTo(CarrierState.POOLED);
    assertThat(counted(Counted.SUBMITTED)).isTrue();
  }

  /** FND-1. */
  @Test
  void whoSeesToItsMoneyIsToldWhatItNeedsBeforeItSubmitsAndWhenItWaits() {
    stored(1);
    var needs = uses().getFirst().needs();

    assertThat(needs).isEqualTo(1_000 * submitted().getFirst().gasLimit());
    assertThat(uses())
        .containsExactly(
            new SubmitterEffect.UseGas(
                needs, BigInteger.valueOf(0), false, false, AboveCeiling.NOTHING));
    answer(0, new SubmitOutcome.InsufficientFunds(HASH));
    assertThat(uses())
        .containsExactly(
            new SubmitterEffect.UseGas(
                needs, BigInteger.valueOf(0), true, false, AboveCeiling.NOTHING));
    later(Duration.ofMinutes(1));
    assertThat(uses())
        .as("still")
        .containsExactly(
            new SubmitterEffect.UseGas(
                needs, BigInteger.valueOf(0), true, false, AboveCeiling.NOTHING));
    answer(0, new SubmitOutcome.Pooled(HASH));
    assertThat(uses())
        .containsExactly(
            new SubmitterEffect.UseGas(
                needs, BigInteger.valueOf(0), false, false, AboveCeiling.NOTHING));
  }

  /** FND-1. */
  @Test
  void whoSeesToItsMoneyIsToldThatItNeedsNothingMoreOnceNothingIsOnItsWay() {
    stored(1);
    answer(0, new SubmitOutcome.Pooled(HASH));
    stored(2);
    answer(1, new SubmitOutcome.Pooled(HASH));

    block(0, DONE);
    assertThat(uses()).as("the other is on its way").isEmpty();
    block(1, fulfilled(2));
    assertThat(uses())
        .containsExactly(
            new SubmitterEffect.UseGas(
                BigInteger.ZERO, BigInteger.valueOf(0), false, false, AboveCeiling.NOTHING));
    block(2, fulfilled(3));
    assertThat(uses()).as("it is known").isEmpty();

    stored(4);
    assertThat(uses()).hasSize(1);
    tell(new UsedKnown(4));
    assertThat(uses())
        .containsExactly(
            new SubmitterEffect.UseGas(
                BigInteger.ZERO, BigInteger.valueOf(0), false, false, AboveCeiling.NOTHING));
  }

  @Test
  void whereGasCostsNothingNobodyIsTold() {
    var free = new Fees(0, 0);
    var gas = new SubmitterSetup.Gas(free, free, 20, 150, Duration.ofSeconds(30));
    var submitter =
        new Submitter(
            new SubmitterSetup(
                A, address -> Optional.of(Contract.GROUP), SequencerSettings.DEFAULT, gas));
    var height = new BlockHeight(7);
    var state = SubmitterState.initial();
    for (var input :
        List.of(
            new Started(7),
            new NonceKnown(0),
            new DispatchReceived(List.of(dispatch(1))),
            new OutputsStored(List.of(key(1))),
            new BlockIndexed(
                height, List.of(new LedgerReceipt(HASH, SIGNER, 0, height, 0, List.of(DONE)))))) {
      last = submitter.decide(state, input, now);
      state = last.state();
      assertThat(uses()).isEmpty();
    }
    assertThat(state.carriers()).isEmpty();
  }

  private List<SubmitterEffect.UseGas> uses() {
    return last.effects().stream()
        .filter(SubmitterEffect.UseGas.class::isInstance)
        .map(SubmitterEffect.UseGas.class::cast)
        .toList();
  }

  /** FND-5. */
  @Test
  void whatWasPaidIsAccountedAndSurvivesARestart() {
    stored(1);
    answer(0, new SubmitOutcome.Pooled(HASH));
    paid(0, 900, DONE);
    stored(2);
    paid(1, 500, refused(2));
    assertThat(last.effects())
        .contains(
            new SubmitterEffect.CountPaid(
                new GasPaid(BigInteger.valueOf(500), BigInteger.valueOf(500))));

    restart();

    assertThat(state.paid())
        .isEqualTo(new GasPaid(BigInteger.valueOf(1_400), BigInteger.valueOf(500)));
  }

  /** FND-5: ten transactions of a chain whose gas is dear. */
  @Test
  void whatWasPaidIsAccountedBeyondWhatALongHolds() {
    stored(1);
    answer(0, new SubmitOutcome.Pooled(HASH));
    paid(0, EIGHT_OF_ETHER, DONE, refused(2));
    stored(2);
    paid(1, EIGHT_OF_ETHER, refused(2));

    assertThat(state.paid())
        .isEqualTo(
            new GasPaid(
                EIGHT_OF_ETHER.multiply(BigInteger.TWO),
                EIGHT_OF_ETHER.add(EIGHT_OF_ETHER.divide(BigInteger.TWO))));
  }

  /** FND-1. */
  @Test
  void whatItNeedsIsToldBeyondWhatALongHolds() {
    var dear = Fees.flat(1_000_000_000_000_000L);
    var gas = new SubmitterSetup.Gas(dear, dear, 20, 150, Duration.ofSeconds(30));
    var submitter =
        new Submitter(
            new SubmitterSetup(
                A, address -> Optional.of(Contract.GROUP), SequencerSettings.DEFAULT, gas));
    var state = SubmitterState.initial();
    for (var input :
        List.of(
            new Started(7),
            new NonceKnown(0),
            new DispatchReceived(List.of(dispatch(1))),
            new OutputsStored(List.of(key(1))))) {
      last = submitter.decide(state, input, now);
      state = last.state();
    }

    assertThat(uses().getFirst().needs())
        .isEqualTo(dear.cost(submitted().getFirst().gasLimit()))
        .isGreaterThan(BigInteger.valueOf(Long.MAX_VALUE));
  }

  /** FND-5: of several, by their number. */
  @Test
  void ofATransactionThatDidSomethingTheRefusedPartIsAccounted() {
    stored(1);
    paid(0, 900, DONE, refused(2), refused(3));

    assertThat(state.paid())
        .isEqualTo(new GasPaid(BigInteger.valueOf(900), BigInteger.valueOf(600)));
  }

  /** A block that comes again, or a nonce that something else has used, costs nothing. */
  @Test
  void nothingIsAccountedTwice() {
    stored(1);
    paid(0, 900, DONE);
    paid(0, 900, DONE);

    assertThat(state.paid()).isEqualTo(new GasPaid(BigInteger.valueOf(900), BigInteger.valueOf(0)));
  }

  private void paid(long nonce, long money, LedgerReceipt.Result... results) {
    paid(nonce, BigInteger.valueOf(money), results);
  }

  private void paid(long nonce, BigInteger money, LedgerReceipt.Result... results) {
    var height = new BlockHeight(7);
    tell(
        new BlockIndexed(
            height,
            List.of(new LedgerReceipt(HASH, SIGNER, nonce, height, 0, List.of(results), money))));
  }

  private static LedgerReceipt.Reverted refused(long number) {
    return new LedgerReceipt.Reverted(
        ADDRESS, key(number), LedgerReceipt.RevertReason.STATE_SPENT, "");
  }

  /** SUB-9. */
  @Test
  void whatWaitsForMoneyTakesEveryOtherAnswerToo() {
    stored(1);
    answer(0, new SubmitOutcome.InsufficientFunds(HASH));
    later(Duration.ofMinutes(1));
    answer(0, new SubmitOutcome.PoolFull(HASH));
    assertThat(state.carriers().get(0L).state()).isEqualTo(CarrierState.READY);
    later(Duration.ofMinutes(1));
    answer(0, new SubmitOutcome.Pooled(HASH));
    // Nobody has taken it after all, and by now there is no money.
    answer(0, new SubmitOutcome.InsufficientFunds(HASH));
    assertThat(state.carriers().get(0L).state()).isEqualTo(CarrierState.UNFUNDED);

    answer(0, new SubmitOutcome.Invalid(HASH, "malformed"));
    assertThat(state.carriers().get(0L).state()).isEqualTo(CarrierState.FILLING);
    answer(0, new SubmitOutcome.InsufficientFunds(HASH));
    assertThat(state.carriers().get(0L).state()).isEqualTo(CarrierState.FILLING);
    assertThat(counted(Counted.WAITS_FOR_GAS_MONEY)).isTrue();
  }

  /** An earlier copy of it may have been paid for. */
  @Test
  void whatWaitsForMoneyEndsWhenABlockHasIt() {
    stored(1);
    answer(0, new SubmitOutcome.InsufficientFunds(HASH));

    block(0, DONE);

    assertThat(state.live()).isEmpty();
  }

  @Test
  void afterARestartWhatWaitedForMoneyIsTriedAgain() {
    stored(1);
    answer(0, new SubmitOutcome.InsufficientFunds(HASH));

    restart();

    assertThat(state.carriers().get(0L).state()).isEqualTo(CarrierState.READY);
    assertThat(state.live()).hasSize(1);
  }

  @Test
  void theGasLimitIsTheEstimateAndHalfOfItMoreAndTheSameEachTime() {
    stored(1);
    var item = submitted().get(0);

    assertThat(item.gasLimit()).isEqualTo(GasEstimate.of(item.call()) * 3 / 2);
    answer(0, underpriced(1_250, 250));
    later(Duration.ofSeconds(5));
    assertThat(submitted().get(0).gasLimit()).isEqualTo(item.gasLimit());
    assertThat(GAS.limit(new LedgerTransaction.UseNonce())).isEqualTo(31_500);
  }

  /** FND-4: it is told until the pool takes it. */
  @Test
  void whoSeesToTheMoneyIsToldThatThePoolAsksForMoreThanTheNodePays() {
    stored(1);
    answer(0, underpriced(1_301, 200));
    assertThat(uses())
        .extracting(SubmitterEffect.UseGas::above)
        .containsExactly(AboveCeiling.TRANSACTIONS);

    later(Duration.ofSeconds(5));
    assertThat(uses())
        .as("handed in again")
        .extracting(SubmitterEffect.UseGas::above)
        .containsOnly(AboveCeiling.TRANSACTIONS);
    answer(0, new SubmitOutcome.Pooled(HASH));
    assertThat(uses())
        .extracting(SubmitterEffect.UseGas::above)
        .containsExactly(AboveCeiling.NOTHING);
  }

  /** SUB-4, HBT-3: both figures, for whoever waits for it. */
  @Test
  void thatTheLedgerAsksForMoreThanTheNodePaysIsToldWithBothFigures() {
    stored(1);
    answer(0, underpriced(1_301, 200));
    later(Duration.ofMinutes(1));

    assertThat(submitting())
        .containsOnly(
            Optional.of(
                "the ledger asks for 1301 for a unit of gas, and this node pays 1300 at most (ledger.gas.max-fee)"));
    assertThat(GAS.tooDear(new Fees(1_200, 301)))
        .isEqualTo(
            "the ledger asks for 301 of a unit of gas for whoever makes the block, and this node pays 300 at most (ledger.gas.max-priority-fee)");
  }

  /** A pool may take what no block does: that is told too, until blocks charge less. */
  @Test
  void whatIsInThePoolAndPaysLessThanBlocksChargeIsToldWithBothFigures() {
    stored(1);
    answer(0, new SubmitOutcome.Pooled(HASH));
    tell(new SubmitterInput.BaseFeeKnown(1_300));
    assertThat(uses()).as("the node pays that").isEmpty();

    tell(new SubmitterInput.BaseFeeKnown(5_000));
    assertThat(uses())
        .extracting(SubmitterEffect.UseGas::above)
        .containsExactly(AboveCeiling.TRANSACTIONS);
    later(Duration.ofMinutes(1));
    assertThat(submitting())
        .containsOnly(
            Optional.of(
                "the ledger asks for 5000 for a unit of gas, and this node pays 1300 at most (ledger.gas.max-fee)"));
    answer(0, new SubmitOutcome.Pooled(OTHER));
    later(Duration.ofMinutes(1));
    assertThat(submitting()).as("in the pool again").isNotEmpty().doesNotContain(Optional.empty());

    tell(new SubmitterInput.BaseFeeKnown(1_100));
    assertThat(uses())
        .extracting(SubmitterEffect.UseGas::above)
        .containsExactly(AboveCeiling.NOTHING);
    assertThat(submitting()).containsExactly(Optional.empty());
  }

  /** What the pool has may still come into a block: only its replacement is above the ceiling. */
  @Test
  void thatOnlyAReplacementIsTooDearIsToldSo() {
    stored(1);
    answer(0, new SubmitOutcome.Pooled(HASH));
    later(Duration.ofMinutes(1));
    answer(0, underpriced(1_301, 200));
    assertThat(uses())
        .extracting(SubmitterEffect.UseGas::above)
        .containsExactly(AboveCeiling.REPLACEMENTS);
    later(Duration.ofMinutes(1));

    assertThat(submitting())
        .containsOnly(
            Optional.of(
                "a pool has it and no block takes it, and to replace it by a dearer one the ledger asks for 1301 for a unit of gas, and this node pays 1300 at most (ledger.gas.max-fee)"));
  }

  /** SUB-11: it need not fail for that. */
  @Test
  void aLedgerThatTakesACallAndDoesNotAnswerIsTroubleUntilItDoes() {
    stored(1);
    later(Duration.ofMillis(7_999));
    assertThat(submitting()).as("it may take its time").isEmpty();

    later(Duration.ofMillis(1));
    later(Duration.ofSeconds(1));
    assertThat(submitting()).containsOnly(Optional.of("the base ledger has not answered"));
    answer(0, new SubmitOutcome.Pooled(HASH));
    assertThat(submitting()).containsExactly(Optional.empty());
  }

  /** It is in no pool, though one had it: nothing is replaced. */
  @Test
  void whatThePoolHasLostAndTakesNoMoreAtTheSamePriceIsNotToldAsAReplacement() {
    stored(1);
    answer(0, new SubmitOutcome.Pooled(HASH));
    later(Duration.ofSeconds(5));
    tell(new SubmitterInput.PoolKnown(0, OptionalLong.of(0), now.plusSeconds(1)));
    answer(0, underpriced(1_301, 200));

    assertThat(uses())
        .extracting(SubmitterEffect.UseGas::above)
        .containsExactly(AboveCeiling.TRANSACTIONS);
  }

  private List<Optional<String>> submitting() {
    return last.effects().stream()
        .filter(SubmitterEffect.TellSubmitting.class::isInstance)
        .map(effect -> ((SubmitterEffect.TellSubmitting) effect).why())
        .toList();
  }

  /** SUB-9: twice what the newest block has charged, under the ceiling. */
  @Test
  void theFirstOfferFollowsWhatTheLedgerCharges() {
    var gas = GAS.following();
    assertThat(gas.first(0)).isEqualTo(new Fees(100, 100));
    assertThat(gas.first(500)).isEqualTo(new Fees(1_100, 100));
    assertThat(gas.first(600)).isEqualTo(new Fees(1_300, 100));
    assertThat(gas.first(1_200)).isEqualTo(new Fees(1_300, 100));
    assertThat(gas.first(1_201)).as("above the ceiling").isEqualTo(new Fees(1_300, 100));
    assertThat(gas.first(Long.MAX_VALUE)).isEqualTo(new Fees(1_300, 100));
    assertThat(GAS.first(500)).as("as the settings say").isEqualTo(new Fees(1_000, 100));
    assertThat(gas.more(new Fees(200, 100), 500)).isEqualTo(new Fees(1_100, 120));
    assertThat(gas.more(new Fees(1_200, 100), 500)).isEqualTo(new Fees(1_300, 120));
    assertThat(GAS.more(new Fees(200, 100), 500)).isEqualTo(new Fees(240, 120));
  }

  @Test
  void whatIsOfferedAtFirstSurvivesARestartWhateverTheLedgerChargesThen() {
    var submitter =
        new Submitter(
            new SubmitterSetup(
                A,
                address -> Optional.of(Contract.GROUP),
                SequencerSettings.DEFAULT,
                GAS.following()));
    var state = SubmitterState.initial();
    var journal = new ArrayList<SubmitterEvent>();
    for (var input :
        List.of(
            new Started(7),
            new SubmitterInput.BaseFeeKnown(500),
            new NonceKnown(0),
            new DispatchReceived(List.of(dispatch(1))),
            new OutputsStored(List.of(key(1))))) {
      last = submitter.decide(state, input, now);
      journal.addAll(last.events());
      state = last.state();
    }
    assertThat(submitted()).extracting(item -> item.fees()).containsExactly(new Fees(1_100, 100));

    var recovered = SubmitterState.initial();
    for (var event : journal) {
      recovered = submitter.evolve(recovered, event);
    }
    assertThat(recovered.carriers().get(0L).fees()).isEqualTo(new Fees(1_100, 100));
  }

  private static SubmitOutcome underpriced(long max, long priority) {
    return new SubmitOutcome.Underpriced(HASH, new Fees(max, priority));
  }

  private void assertPaid(long max, long priority) {
    later(Duration.ofSeconds(5));
    assertThat(submitted())
        .extracting(SubmitterEffect.Item::fees)
        .containsExactly(new Fees(max, priority));
  }

  @Test
  void whatNoBlockTakesIsSubmittedAgainForMore() {
    stored(1);
    answer(0, new SubmitOutcome.Pooled(HASH));

    later(GAS.overdueAfter().minusMillis(1));
    assertThat(submitted()).isEmpty();
    later(Duration.ofMillis(1));

    assertThat(counted(Counted.RESUBMITTED)).isTrue();
    assertThat(submitted())
        .extracting(SubmitterEffect.Item::nonce, SubmitterEffect.Item::fees)
        .containsExactly(tuple(0L, new Fees(1_200, 120)));
    answer(0, new SubmitOutcome.Pooled(OTHER));
    assertThat(state.carriers().get(0L).submissions())
        .extracting(SubmitterState.Submitted::hash)
        .containsExactly(HASH, OTHER);
  }

  /** SUB-10. */
  @Test
  void whileSomethingIsPooledTheLedgerIsAskedWhatItStillHasAndWithoutAnAnswerAgain() {
    later(Duration.ofMinutes(1));
    assertThat(poolAsked()).as("nothing is pooled").isFalse();
    stored(1);
    later(Duration.ofSeconds(1));
    assertThat(poolAsked()).as("nothing is pooled yet").isFalse();
    answer(0, new SubmitOutcome.Pooled(HASH));

    tell(new Tick());
    assertThat(poolAsked()).isTrue();
    later(Submitting.POOL_INTERVAL.minusMillis(1));
    assertThat(poolAsked()).isFalse();
    later(Duration.ofMillis(1));
    assertThat(poolAsked()).isTrue();
  }

  /** SUB-10. */
  @Test
  void aBlockThatHoldsOneOfTheKeyAndNotTheNextIsAReasonToAskAtOnce() {
    stored(1);
    answer(0, new SubmitOutcome.Pooled(HASH));
    stored(2);
    answer(1, new SubmitOutcome.Pooled(OTHER));
    tell(new Tick());

    block(0, DONE);

    assertThat(last.effects())
        .contains(new SubmitterEffect.QueryPool(now, new TreeMap<>(Map.of(1L, List.of(OTHER)))));
  }

  /** SUB-10. */
  @Test
  void whatThePoolHasLostIsSubmittedAgainTheVerySame() {
    stored(1);
    var first = submitted();
    answer(0, new SubmitOutcome.Pooled(HASH));
    later(Duration.ofSeconds(1));

    tell(new PoolKnown(0, OptionalLong.of(0), now));

    assertThat(counted(Counted.LOST_BY_POOL)).isTrue();
    assertThat(submitted()).isEqualTo(first);
    answer(0, new SubmitOutcome.Pooled(HASH));
    assertThat(state.carriers().get(0L).state()).isEqualTo(CarrierState.POOLED);
    assertThat(state.carriers().get(0L).submissions()).hasSize(1);
  }

  /** A figure of base-ledger transactions, not of how often each was handed to the pool. */
  @Test
  void whatIsPooledAgainIsCountedAsSubmittedOnce() {
    stored(1);
    answer(0, new SubmitOutcome.Pooled(HASH));
    assertThat(counted(Counted.SUBMITTED)).isTrue();

    later(Duration.ofSeconds(1));
    tell(new PoolKnown(0, OptionalLong.of(0), now));
    answer(0, new SubmitOutcome.Pooled(HASH));
    assertThat(counted(Counted.SUBMITTED)).as("it was lost").isFalse();

    later(GAS.overdueAfter());
    answer(0, new SubmitOutcome.Pooled(OTHER));
    assertThat(counted(Counted.SUBMITTED)).as("it was overdue").isFalse();

    answer(0, new SubmitOutcome.InsufficientFunds(HASH));
    later(Duration.ofMinutes(1));
    answer(0, new SubmitOutcome.Pooled(OTHER));
    assertThat(counted(Counted.SUBMITTED)).as("it waited for money").isFalse();
  }

  /** SUB-10. */
  @Test
  void onlyWhatWasPooledBeforeTheLedgerWasAskedAndIsNotInThePoolIsSubmittedAgain() {
    for (int number = 1; number <= 3; number++) {
      stored(number);
      answer(number - 1, new SubmitOutcome.Pooled(HASH));
    }
    later(Duration.ofSeconds(1));
    var asked = now;
    later(Duration.ofMillis(1));
    stored(4);
    answer(3, new SubmitOutcome.Pooled(OTHER));
    stored(5);

    tell(new PoolKnown(0, OptionalLong.of(1), asked));
    assertThat(submitted()).as("one call at a time").isEmpty();
    answer(4, new SubmitOutcome.Pooled(OTHER));

    assertThat(submitted()).extracting(SubmitterEffect.Item::nonce).containsExactly(1L, 2L);
  }

  /** SUB-10. */
  @Test
  void whatIsInABlockThatIsNotFinalYetIsNeitherLostNorOverdue() {
    stored(1);
    answer(0, new SubmitOutcome.Pooled(HASH));
    for (int i = 0; i < 100; i++) {
      tell(new PoolKnown(1, OptionalLong.empty(), now));
      assertThat(submitted()).isEmpty();
      later(Duration.ofSeconds(1));
      assertThat(submitted()).isEmpty();
    }
    tell(new PoolKnown(0, OptionalLong.of(0), now));
    assertThat(submitted()).as("its block was replaced").hasSize(1);
  }

  /** SUB-10: then it is tried again, and given up in the end. */
  @Test
  void whoseNonceAnotherTransactionHasBecomesOverdue() {
    stored(1);
    answer(0, new SubmitOutcome.Pooled(HASH));
    later(GAS.overdueAfter());
    answer(0, new SubmitOutcome.Pooled(OTHER));

    tell(new PoolKnown(0, OptionalLong.empty(), now));
    later(GAS.overdueAfter());

    assertThat(counted(Counted.RESUBMITTED)).isTrue();
    assertThat(submitted()).hasSize(1);
  }

  /** SUB-10. */
  @Test
  void whatOnlyUsesItsNonceIsSubmittedAgainTooIfThePoolHasLostIt() {
    stored(1);
    answer(0, new SubmitOutcome.Invalid(HASH, "malformed"));
    answer(0, new SubmitOutcome.Pooled(OTHER));
    later(Duration.ofSeconds(1));

    tell(new PoolKnown(0, OptionalLong.of(0), now));

    assertThat(submitted())
        .extracting(SubmitterEffect.Item::call)
        .containsExactly(new LedgerTransaction.UseNonce());
  }

  /** SUB-10. */
  @Test
  void whatWasNeverPooledIsNotLost() {
    stored(1);
    answer(0, new SubmitOutcome.PoolFull(HASH));

    tell(new PoolKnown(0, OptionalLong.of(0), now.plusSeconds(1)));

    assertThat(submitted()).as("its back-off goes on").isEmpty();
  }

  private boolean poolAsked() {
    return last.effects().stream().anyMatch(SubmitterEffect.QueryPool.class::isInstance);
  }

  /**
   * It was offered for more while its first version came into a block. Of that block the node hears
   * when it is final, which may take a quarter of an hour.
   */
  @Test
  void whatABlockHasAtAnEarlierPriceIsNotGivenUpBeforeThatBlockIsFinal() {
    stored(1);
    answer(0, new SubmitOutcome.Pooled(HASH));
    later(GAS.overdueAfter());
    assertThat(submitted())
        .as("the second version")
        .extracting(SubmitterEffect.Item::fees)
        .containsExactly(new Fees(1_200, 120));

    for (int tries = 0; tries < 30; tries++) {
      answer(0, new SubmitOutcome.NonceTooLow(OTHER, 1));
      assertThat(last.effects()).as("final blocks tell").contains(new QueryUsed(0));
      tell(new UsedKnown(0));
      assertThat(last.events()).isEmpty();
      later(Duration.ofMinutes(1));
    }
    block(0, DONE);

    assertThat(state.live()).isEmpty();
    assertThat(state.carriers()).isEmpty();
    assertThat(state.owed()).as("nobody was told that it had reverted").isEmpty();
    assertThat(last.effects())
        .noneMatch(SubmitterEffect.TellReverted.class::isInstance)
        .anyMatch(SubmitterEffect.TellSettled.class::isInstance);
  }

  /** A restart forgets what pools have taken, and offers what was offered last. */
  @Test
  void norIsItAfterARestart() {
    stored(1);
    answer(0, new SubmitOutcome.Pooled(HASH));
    later(GAS.overdueAfter());
    restart();
    tell(new NonceKnown(1));
    tell(new OutputsStored(List.of(key(1))));

    for (int tries = 0; tries < 30; tries++) {
      answer(0, new SubmitOutcome.NonceTooLow(OTHER, 1));
      later(Duration.ofMinutes(1));
    }

    assertThat(state.live()).containsOnlyKeys(0L);
    assertThat(state.owed()).isEmpty();
  }

  @Test
  void aNonceThatAFinalBlockHasUsedWithoutTellingOfItIsGivenUp() {
    stored(1);
    answer(0, new SubmitOutcome.NonceTooLow(HASH, 1));
    assertThat(state.live()).as("the indexer may still name it").containsKey(0L);

    tell(new UsedKnown(1));

    assertThat(state.live()).isEmpty();
    assertThat(state.byTransaction()).isEmpty();
    assertThat(state.carriers()).isEmpty();
    assertThat(reverted()).singleElement().matches(TransactionReverted::retryable);
    assertThat(last.effects()).contains(new SubmitterEffect.TellReverted(ADDRESS, key(1)));
    assertThat(state.paid()).as("what has used it is not ours").isEqualTo(GasPaid.NONE);
    restart();
    assertThat(state.carriers()).isEmpty();
    assertThat(state.nextNonce()).isEqualTo(1);
  }

  /** One question is enough: nonces are used in their order. */
  @Test
  void ofSeveralNoncesThatAreUsedTheHighestIsAskedFor() {
    stored(1);
    answer(0, new SubmitOutcome.Pooled(HASH));
    stored(2);
    answer(1, new SubmitOutcome.Pooled(OTHER));

    tell(
        new SubmitAnswered(
            Map.of(
                0L, new SubmitOutcome.NonceTooLow(HASH, 2),
                1L, new SubmitOutcome.NonceTooLow(HASH, 2))));

    assertThat(last.effects()).contains(new QueryUsed(1));
  }

  @Test
  void whatThePoolRefusesForGoodIsToldToItsSenderWithTheReasonOnceItsNonceIsUsed() {
    stored(1);

    answer(0, new SubmitOutcome.Invalid(HASH, "malformed"));
    assertThat(counted(Counted.ABANDONED)).isTrue();
    assertThat(reverted()).isEmpty();
    block(0, new LedgerReceipt.NonceUsed());

    assertThat(last.effects()).contains(new SubmitterEffect.TellReverted(ADDRESS, key(1)));
    assertThat(reverted())
        .containsExactly(
            new TransactionReverted(
                new RequestId("a-reverted-dispatch-1"),
                key(1).transaction(),
                ADDRESS,
                Optional.empty(),
                "Refused by the pool: malformed",
                false));
  }

  @Test
  void whatTheLedgerRefusesIsToldToItsSenderUntilItKnowsAcrossRestarts() {
    stored(1);
    answer(0, new SubmitOutcome.Pooled(HASH));

    block(
        0,
        new LedgerReceipt.Reverted(
            ADDRESS, key(1), LedgerReceipt.RevertReason.STATE_SPENT, "spent"));

    assertThat(counted(Counted.LEDGER_REVERT)).isTrue();
    var told = reverted().get(0);
    assertThat(told.retryable()).isTrue();
    assertThat(told.transactionHash()).contains(HASH);
    assertThat(told.reason()).isEqualTo("The base ledger refused it: STATE_SPENT.");
    later(Duration.ofSeconds(1));
    assertThat(reverted()).containsExactly(told);
    later(Duration.ofSeconds(1));
    assertThat(reverted()).as("less and less often").isEmpty();
    restart();
    assertThat(reverted()).containsExactly(told);
    assertThat(state.isIdle()).isFalse();
    later(Duration.ofSeconds(1));
    assertThat(reverted()).containsExactly(told);
  }

  /** Its sender sees the confirmation (SUB-4). */
  @Test
  void thatAnotherDispatchOfTheSameIntentCameFirstIsToldToTheCoordinatorOnly() {
    stored(1);

    block(
        0,
        new LedgerReceipt.Reverted(
            ADDRESS, key(1), LedgerReceipt.RevertReason.INTENT_FULFILLED, "before"));

    assertThat(last.effects()).contains(new SubmitterEffect.TellReverted(ADDRESS, key(1)));
    assertThat(counted(Counted.LEDGER_REVERT)).isTrue();
    assertThat(reverted()).isEmpty();
    assertThat(state.live()).isEmpty();
  }

  @Test
  void whatIsFulfilledIsToldToItsCoordinatorAndNothingIsLeftOfIt() {
    stored(1);

    block(0, DONE);

    assertThat(last.effects())
        .contains(
            new SubmitterEffect.TellSettled(new BlockHeight(7), Map.of(ADDRESS, List.of(key(1)))));
    assertThat(state.live()).isEmpty();
    assertThat(state.byTransaction()).isEmpty();
    assertThat(state.isIdle()).isTrue();
  }

  @Test
  void aBlockWithNothingNewOfTheKeyChangesNothing() {
    stored(1);
    block(0, DONE);

    block(0, DONE);

    assertThat(last.events()).isEmpty();
    assertThat(last.effects()).isEmpty();
  }

  @Test
  void aNonceThatSomethingElseHasUsedIsPassedAndEndsNothing() {
    stored(1);

    block(5, DONE);

    assertThat(last.events()).containsExactly(new SubmitterEvent.NonceMoved(6));
    assertThat(last.effects()).isEmpty();
    assertThat(state.nonceKnown()).isTrue();
  }

  /** It may have used more, in blocks that are not final. */
  @Test
  void theLedgerIsAskedForTheNonceAfterAStartWhateverABlockShows() {
    tell(new Started(2));
    block(5, DONE);

    assertThat(state.nextNonce()).isEqualTo(6);
    assertThat(state.nonceKnown()).isFalse();
  }

  /** A replay of what was stored is no answer of the ledger. */
  @Test
  void aReplayKnowsTheSameOfTheNonceAsWhoHasSeenTheBlock() {
    tell(new Started(2));
    block(5, DONE);

    var replayed = SubmitterState.initial();
    for (var event : journal) {
      replayed = submitter.evolve(replayed, event);
    }

    assertThat(replayed.nextNonce()).isEqualTo(state.nextNonce());
    assertThat(replayed.nonceKnown()).isEqualTo(state.nonceKnown());
  }

  @Test
  void whatTheLedgerSaysOfTheNonceIsBelievedAndKnownThen() {
    tell(new Started(2));
    tell(new NonceKnown(9));

    assertThat(last.events()).containsExactly(new SubmitterEvent.NonceMoved(9));
    assertThat(state.nonceKnown()).isTrue();
    tell(new NonceKnown(4));
    assertThat(state.nextNonce()).as("it never goes back").isEqualTo(9);
  }

  @Test
  void noMoreThanABatchIsHandedOutAtOnceAndTheRestFollows() {
    var many = LongStream.rangeClosed(1, 503).mapToObj(SubmittingTest::dispatch).toList();
    var keys = many.stream().map(dispatch -> dispatch.prepared().intent()).toList();
    tell(new DispatchReceived(many));
    assertThat(distributed()).isEqualTo(many.subList(0, 500));
    tell(new Tick());
    assertThat(distributed()).isEqualTo(many.subList(500, 503));

    tell(new OutputsStored(keys));
    assertThat(transitions()).isEqualTo(prepared(many.subList(0, 500)));
    var answers = new HashMap<Long, SubmitOutcome>();
    submitted().forEach(item -> answers.put(item.nonce(), new SubmitOutcome.Pooled(HASH)));
    tell(new SubmitAnswered(answers));

    assertThat(transitions()).isEqualTo(prepared(many.subList(500, 503)));

    restart();
    tell(new NonceKnown(0));
    tell(new OutputsStored(keys));
    assertThat(transitions())
        .as("so with what has a nonce")
        .isEqualTo(prepared(many.subList(0, 500)));
  }

  @Test
  void whatIsUnconfirmedIsToldOfEachContractAlone() {
    stored(1);
    tell(new DispatchReceived(List.of(ofAnotherContract(dispatch(2)))));

    assertThat(state.unconfirmed(ADDRESS)).containsExactly(dispatch(1));
  }

  @Test
  void theFirstDispatchIsToldAtOnceAndTheNextOnesEachInterval() {
    tell(new DispatchReceived(List.of(dispatch(1))));
    assertThat(beatsTo()).containsExactly(A, B, C);
    assertThat(beats().get(0).heartbeatId()).isEqualTo(new HeartbeatSequence(7, 1));

    tell(new DispatchReceived(List.of(dispatch(2))));
    assertThat(beats()).as("it is known to be busy").isEmpty();
    later(INTERVAL.minusMillis(1));
    assertThat(beats()).isEmpty();
    later(Duration.ofMillis(1));

    assertThat(beats()).hasSize(3);
    assertThat(beats().get(0).heartbeatId()).isEqualTo(new HeartbeatSequence(7, 2));
    assertThat(beats().get(0).pending())
        .containsExactly(
            new Pending(key(1).transaction(), new BlockRange(3)),
            new Pending(key(2).transaction(), new BlockRange(3)));
  }

  /** SUB-11: one call that is lost is no trouble. */
  @Test
  void thatNothingGetsToTheLedgerIsToldOnceItHasLastedAndTakenBackAtOnce() {
    stored(1);
    tell(new SubmitFailed(List.of(0L)));
    var since = now;
    var lasting = SequencerSettings.DEFAULT.heartbeats().coordinatorFailureThreshold();

    later(lasting.minusMillis(1));
    assertThat(beats()).isNotEmpty().allSatisfy(beat -> assertThat(beat.cannotSubmit()).isEmpty());
    assertThat(toldCoordinator()).isEmpty();

    later(INTERVAL);
    assertThat(beats())
        .isNotEmpty()
        .allSatisfy(
            beat -> assertThat(beat.cannotSubmit().map(CannotSubmit::since)).contains(since));
    assertThat(toldCoordinator())
        .singleElement()
        .satisfies(told -> assertThat(told.why()).isPresent());

    answer(0, new SubmitOutcome.Pooled(HASH));
    assertThat(toldCoordinator())
        .containsExactly(new SubmitterEffect.TellSubmitting(ADDRESS, Optional.empty()));
    later(INTERVAL);
    assertThat(beats()).isNotEmpty().allSatisfy(beat -> assertThat(beat.cannotSubmit()).isEmpty());
  }

  private List<SubmitterEffect.TellSubmitting> toldCoordinator() {
    return last.effects().stream()
        .filter(SubmitterEffect.TellSubmitting.class::isInstance)
        .map(SubmitterEffect.TellSubmitting.class::cast)
        .toList();
  }

  @Test
  void whenNothingIsLeftOneLastHeartbeatSaysSoAtOnce() {
    stored(1);

    block(0, DONE);

    assertThat(beatsTo()).containsExactly(A, B, C);
    assertThat(beats()).allSatisfy(beat -> assertThat(beat.pending()).isEmpty());
    later(Duration.ofMinutes(1));
    assertThat(beats()).isEmpty();
  }

  @Test
  void whileSomethingIsLeftABlockIsNoReasonForAHeartbeat() {
    stored(1);
    tell(new DispatchReceived(List.of(dispatch(2))));

    block(0, DONE);

    assertThat(beats()).isEmpty();
  }

  @Test
  void thatNothingIsLeftOfOneContractIsToldAtOnceThoughAnotherGoesOn() {
    stored(1);
    tell(new DispatchReceived(List.of(ofAnotherContract(dispatch(2)))));

    block(0, DONE);

    assertThat(beats())
        .filteredOn(beat -> beat.contract().equals(ADDRESS))
        .hasSize(3)
        .allSatisfy(beat -> assertThat(beat.pending()).isEmpty());
    assertThat(beats())
        .filteredOn(beat -> beat.contract().equals(ANOTHER))
        .hasSize(3)
        .allSatisfy(beat -> assertThat(beat.pending()).hasSize(1));
  }

  private static Dispatch ofAnotherContract(Dispatch like) {
    return new Dispatch(
        like.dispatchId(),
        ANOTHER,
        like.sender(),
        like.delegationId(),
        like.range(),
        like.prepared(),
        like.outputs());
  }

  /** It may be out of reach for long. */
  @Test
  void theStateStoreIsAskedLessAndLessOften() {
    tell(new DispatchReceived(List.of(dispatch(1))));
    int asked = 0;
    for (int i = 0; i < 60; i++) {
      later(Duration.ofSeconds(1));
      asked += distributed().size();
    }

    assertThat(asked).isBetween(12, 20);
  }

  @Test
  void theSendersNodeIsToldInDetailAndTheOthersAreNot() {
    stored(1);
    answer(0, new SubmitOutcome.Pooled(HASH));
    var pooled = now;
    later(INTERVAL);

    assertThat(beats().get(0).details()).isEmpty();
    assertThat(beats().get(2).details()).isEmpty();
    assertThat(beats().get(1).details())
        .containsExactly(
            new DispatchedTransaction(
                key(1).transaction(),
                List.of(new Submission(pooled, HASH, new Fees(1_000, 100))),
                List.of()));
  }

  @Test
  void theSendersNodeIsToldHowOftenItWasTried() {
    later(Duration.ofSeconds(9));
    stored(1);
    answer(0, new SubmitOutcome.PoolFull(HASH));
    var tried = now;
    later(INTERVAL);

    assertThat(beats().get(1).details())
        .containsExactly(
            new DispatchedTransaction(
                key(1).transaction(),
                List.of(),
                List.of(new Activity(tried, "tried 1 times, trying again"))));
  }

  private void stored(long number) {
    tell(new DispatchReceived(List.of(dispatch(number))));
    tell(new OutputsStored(List.of(key(number))));
    assertThat(submitted()).hasSize(1);
  }

  private void answer(long nonce, SubmitOutcome outcome) {
    tell(new SubmitAnswered(Map.of(nonce, outcome)));
  }

  private void block(long nonce, LedgerReceipt.Result result) {
    var height = new BlockHeight(7);
    tell(
        new BlockIndexed(
            height, List.of(new LedgerReceipt(HASH, SIGNER, nonce, height, 0, List.of(result)))));
  }

  private static LedgerReceipt.Fulfilled fulfilled(long number) {
    return new LedgerReceipt.Fulfilled(ADDRESS, key(number), List.of(), List.of(), List.of());
  }

  private void later(Duration by) {
    now = now.plus(by);
    tell(new Tick());
  }

  private void restart() {
    state = SubmitterState.initial();
    journal.forEach(event -> state = submitter.evolve(state, event));
    tell(new Started(8));
  }

  private void tell(SubmitterInput input) {
    last = submitter.decide(state, input, now);
    state = last.state();
    journal.addAll(last.events());
  }

  private List<SubmitterEffect.Took> took() {
    return last.effects().stream()
        .filter(SubmitterEffect.Took.class::isInstance)
        .map(SubmitterEffect.Took.class::cast)
        .toList();
  }

  private boolean counted(Counted what) {
    return last.effects().contains(new Count(what));
  }

  private List<SubmitterEffect.Item> submitted() {
    return last.effects().stream()
        .filter(Submit.class::isInstance)
        .flatMap(effect -> ((Submit) effect).items().stream())
        .toList();
  }

  private List<PreparedTransaction> transitions() {
    return submitted().stream()
        .flatMap(item -> ((LedgerTransaction.Invoke) item.call()).transitions().stream())
        .toList();
  }

  private static List<PreparedTransaction> prepared(List<Dispatch> dispatches) {
    return dispatches.stream().map(Dispatch::prepared).toList();
  }

  private List<Dispatch> distributed() {
    return last.effects().stream()
        .filter(SubmitterEffect.Distribute.class::isInstance)
        .flatMap(effect -> ((SubmitterEffect.Distribute) effect).dispatches().stream())
        .toList();
  }

  private List<TransactionReverted> reverted() {
    return sent(TransactionReverted.class);
  }

  private List<SubmitterHeartbeatNotification> beats() {
    return sent(SubmitterHeartbeatNotification.class);
  }

  private List<NodeName> beatsTo() {
    return last.messages().stream()
        .filter(outgoing -> outgoing.message() instanceof SubmitterHeartbeatNotification)
        .map(Outgoing::to)
        .toList();
  }

  private <M> List<M> sent(Class<M> kind) {
    return last.messages().stream()
        .map(Outgoing::message)
        .filter(kind::isInstance)
        .map(kind::cast)
        .toList();
  }

  private static IntentKey key(long number) {
    return Contract.transaction(B, number).key();
  }

  private static Dispatch dispatch(long number) {
    var output = Contract.state("output " + number, A, B);
    return new Dispatch(
        new RequestId("dispatch-" + number),
        ADDRESS,
        B,
        new DelegationId(B, 1, number),
        new BlockRange(3),
        new PreparedTransaction(
            key(number), ADDRESS, List.of(), List.of(), List.of(output.id()), Proof.NONE),
        List.of(output));
  }
}
