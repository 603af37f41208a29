package dev.sequitur.protocol.submitter;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.BlockRange;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerReceipt.RevertReason;
import dev.sequitur.protocol.ledger.LedgerTransaction.Invoke;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.settings.SequencerSettings.LimitSettings.LedgerBatch;
import dev.sequitur.protocol.submitter.SubmitterInput.BlockIndexed;
import dev.sequitur.protocol.submitter.SubmitterInput.DispatchReceived;
import dev.sequitur.protocol.submitter.SubmitterInput.NonceKnown;
import dev.sequitur.protocol.submitter.SubmitterInput.OutputsStored;
import dev.sequitur.protocol.submitter.SubmitterInput.Started;
import dev.sequitur.protocol.submitter.SubmitterInput.SubmitAnswered;
import dev.sequitur.protocol.submitter.SubmitterInput.SubmitFailed;
import dev.sequitur.protocol.submitter.SubmitterInput.Tick;
import dev.sequitur.protocol.submitter.SubmitterTable.SubmissionState;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Signature;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many dispatches in one base-ledger transaction, and each with its own end (SUB-8). */
class PackingTest {
  /** The selector, and the words around the one parameter. */
  private static final int CALL_BYTES = 4 + 3 * 32;

  /** Id, commitment, three numbers, the only output; signatures, size and number of its group. */
  private static final int BYTES = 16 + 32 + 3 * 2 + 32 + 1 + 4 + 2;

  private static final long CALL_GAS = 21_000 + 21_000 + 16 * CALL_BYTES;
  private static final long STATE_GAS = 16 * 32 + 450;

  /** Call data, the intent's slot and that of the only output, reading and hashing. */
  private static final long PLAIN_GAS = 16 * BYTES + 2 * 22_100 + 2_400 + 450;

  private static final TransactionHash HASH = new TransactionHash(Contract.hash("submitted"));
  private static final LedgerAddress SIGNER = new LedgerAddress("0x" + "01".repeat(20));
  private static final ContractAddress ANOTHER = new ContractAddress("0x" + "cd".repeat(20));

  private LedgerBatch limits = LedgerBatch.DEFAULT;
  private final List<SubmitterEvent> journal = new ArrayList<>();
  private SubmitterState state = SubmitterState.initial();
  private Instant now = Instant.EPOCH;
  private Decision<SubmitterState, SubmitterEvent, SubmitterEffect> last;

  @BeforeEach
  void start() {
    tell(new Started(1));
    tell(new NonceKnown(0));
  }

  @Test
  void whatIsReadyInOneStepGoesTogetherInTheOrderOfDispatch() {
    ready(3, 1, 2);

    assertThat(calls()).containsExactly(Map.entry(0L, List.of(3L, 1L, 2L)));
    assertThat(last.events()).as("before it is submitted so").hasSize(1);
  }

  @Test
  void oneAloneGoesAtOnce() {
    ready(1);

    assertThat(calls()).containsExactly(Map.entry(0L, List.of(1L)));
  }

  @Test
  void whatBecomesReadyBeforeThePoolHasAnsweredGoesTogetherInTheNext() {
    ready(1);
    ready(2);
    assertThat(calls()).isEmpty();
    ready(3, 4);
    assertThat(calls()).isEmpty();

    answer(0, new SubmitOutcome.Pooled(HASH));

    assertThat(calls()).containsExactly(Map.entry(1L, List.of(2L, 3L, 4L)));
  }

  @Test
  void itGoesTogetherAlsoIfTheLedgerCouldNotBeReached() {
    ready(1);
    ready(2);
    ready(3);

    tell(new SubmitFailed(List.of(0L)));

    assertThat(calls()).containsExactly(Map.entry(1L, List.of(2L, 3L)));
    tell(new SubmitFailed(List.of(1L)));
    later(Duration.ofMinutes(5));
    assertThat(calls())
        .as("as they were packed")
        .containsExactly(Map.entry(0L, List.of(1L)), Map.entry(1L, List.of(2L, 3L)));
  }

  /** What comes later may build upon it. */
  @Test
  void whatIsNotStoredHoldsWhatWasDispatchedLater() {
    tell(new DispatchReceived(List.of(dispatch(1), dispatch(2), dispatch(3))));
    tell(new OutputsStored(List.of(key(1), key(3))));
    assertThat(calls()).containsExactly(Map.entry(0L, List.of(1L)));

    tell(new OutputsStored(List.of(key(2))));
    answer(0, new SubmitOutcome.Pooled(HASH));

    assertThat(calls()).containsExactly(Map.entry(1L, List.of(2L, 3L)));
  }

  @Test
  void noMoreGoTogetherThanTheSettingsSay() {
    limits = new LedgerBatch(3, Integer.MAX_VALUE, Long.MAX_VALUE);

    ready(1, 2, 3, 4, 5, 6, 7);

    assertThat(calls())
        .containsExactly(
            Map.entry(0L, List.of(1L, 2L, 3L)),
            Map.entry(1L, List.of(4L, 5L, 6L)),
            Map.entry(2L, List.of(7L)));
  }

  @Test
  void noMoreBytesGoTogetherThanTheSettingsSayAndWhatIsLargerAloneGoesAlone() {
    limits = new LedgerBatch(64, CALL_BYTES + 2 * BYTES, Long.MAX_VALUE);

    tell(
        new DispatchReceived(
            List.of(dispatch(1), dispatch(2), dispatch(3), dispatch(4), large(5), dispatch(6))));
    tell(new OutputsStored(LongStream.rangeClosed(1, 6).mapToObj(PackingTest::key).toList()));

    assertThat(calls())
        .containsExactly(
            Map.entry(0L, List.of(1L, 2L)),
            Map.entry(1L, List.of(3L, 4L)),
            Map.entry(2L, List.of(5L)),
            Map.entry(3L, List.of(6L)));
  }

  @Test
  void noMoreGasGoesTogetherThanTheSettingsSay() {
    limits = new LedgerBatch(64, Integer.MAX_VALUE, CALL_GAS + 2 * PLAIN_GAS);
    ready(1, 2, 3, 4, 5);
    assertThat(calls())
        .containsExactly(
            Map.entry(0L, List.of(1L, 2L)),
            Map.entry(1L, List.of(3L, 4L)),
            Map.entry(2L, List.of(5L)));
  }

  @Test
  void inputsReadsAndEndorsementsCountToo() {
    var plain = prepared(1, ADDRESS, 1);
    var spending =
        new PreparedTransaction(
            plain.intent(),
            ADDRESS,
            List.of(plain.outputs().get(0)),
            List.of(plain.outputs().get(0)),
            plain.outputs(),
            Proof.NONE);
    limits =
        new LedgerBatch(
            64, Integer.MAX_VALUE, CALL_GAS + 2 * PLAIN_GAS + 5_000 + 2_100 + 2 * STATE_GAS);
    tell(new DispatchReceived(List.of(of(spending, 1), dispatch(2), dispatch(3))));
    tell(new OutputsStored(List.of(key(1), key(2), key(3))));

    assertThat(calls()).containsExactly(Map.entry(0L, List.of(1L, 2L)), Map.entry(1L, List.of(3L)));
  }

  @Test
  void thoseThatWereEndorsedTogetherPayForTheirSignaturesOnce() {
    var signed = signature(A);
    var other = signature(B);
    var group = 16 * (1 + 4 + 2);
    var signature = 16 * 66 + 4_500;
    var three = CALL_GAS + 3 * (PLAIN_GAS - group);
    limits = new LedgerBatch(64, Integer.MAX_VALUE, three + group + signature);

    tell(
        new DispatchReceived(
            List.of(
                of(endorsed(1, signed), 1),
                of(endorsed(2, signed), 2),
                of(endorsed(3, signed), 3),
                of(endorsed(4, signed), 4),
                of(endorsed(5, other), 5),
                of(endorsed(6, signed), 6))));
    tell(new OutputsStored(LongStream.rangeClosed(1, 6).mapToObj(PackingTest::key).toList()));

    assertThat(calls())
        .containsExactly(
            Map.entry(0L, List.of(1L, 2L, 3L)),
            Map.entry(1L, List.of(4L, 5L)),
            Map.entry(2L, List.of(6L)));
  }

  /** Apart, each of them would bring its path in the tree. */
  @Test
  void whatWasEndorsedTogetherWaitsForTheNextRatherThanThatItIsTornApart() {
    limits = new LedgerBatch(4, Integer.MAX_VALUE, Long.MAX_VALUE);
    var first = signature(A);
    var second = signature(B);

    tell(
        new DispatchReceived(
            List.of(
                of(endorsed(1, first), 1),
                of(endorsed(2, first), 2),
                of(endorsed(3, second), 3),
                of(endorsed(4, second), 4),
                of(endorsed(5, second), 5),
                dispatch(6),
                dispatch(7))));
    tell(new OutputsStored(LongStream.rangeClosed(1, 7).mapToObj(PackingTest::key).toList()));

    assertThat(calls())
        .containsExactly(
            Map.entry(0L, List.of(1L, 2L)),
            Map.entry(1L, List.of(3L, 4L, 5L, 6L)),
            Map.entry(2L, List.of(7L)));
  }

  @Test
  void whatWasEndorsedTogetherIsTornApartIfItExceedsTheSettingsAlone() {
    limits = new LedgerBatch(2, Integer.MAX_VALUE, Long.MAX_VALUE);
    var by = signature(A);

    tell(
        new DispatchReceived(
            List.of(
                dispatch(1),
                of(endorsed(2, by), 2),
                of(endorsed(3, by), 3),
                of(endorsed(4, by), 4))));
    tell(new OutputsStored(LongStream.rangeClosed(1, 4).mapToObj(PackingTest::key).toList()));

    assertThat(calls())
        .containsExactly(
            Map.entry(0L, List.of(1L)), Map.entry(1L, List.of(2L, 3L)), Map.entry(2L, List.of(4L)));
  }

  /** Else its end would say something of them too. */
  @Test
  void whatGoesAloneEndsTheCallBeforeItAndBeginsNone() {
    var waiting = waits(waits(waits(SubmitterState.initial(), 1), 2, true), 3);

    assertThat(packed(waiting, 9)).containsExactly(List.of(1L), List.of(2L), List.of(3L));
  }

  @Test
  void soDoesAPublicOneAndItsNonceComesBetween() {
    var waiting = waits(waits(SubmitterState.initial(), 1), 3);
    var call =
        new PublicTransaction(
            new TransactionId(new UUID(0, 2)),
            Identity.parse("alice@a"),
            Optional.empty(),
            Bytes.EMPTY,
            BigInteger.ZERO,
            21_000,
            PublicTransaction.Source.NONE);
    waiting = waiting.holding(2, new SubmitterEvent.Accepted(2, call), Optional.empty(), List.of());

    var loads = Packing.pack(waiting, limits, 9);

    assertThat(loads).extracting(SubmitterEvent.Load::nonce).containsExactly(0L, 1L, 2L);
    assertThat(loads)
        .extracting(SubmitterEvent.Load::publicly)
        .containsExactly(Optional.empty(), Optional.of(2L), Optional.empty());
    assertThat(packed(waiting, 9)).containsExactly(List.of(1L), List.of(), List.of(3L));
  }

  @Test
  void noMoreArePackedThanMayBe() {
    var waiting = waits(waits(waits(SubmitterState.initial(), 1), 2), 3);

    assertThat(packed(waiting, 2)).containsExactly(List.of(1L, 2L));
  }

  /** It goes as a whole in the next call. */
  @Test
  void whatWasEndorsedTogetherIsNotTornApartByHowMuchMayBePackedAtOnce() {
    var plainFirst = endorsedTogether(waits(SubmitterState.initial(), 1), 2, 3, 4);
    assertThat(packed(plainFirst, 3)).containsExactly(List.of(1L));

    var aloneFirst = endorsedTogether(waits(SubmitterState.initial(), 1, true), 2, 3, 4);
    assertThat(packed(aloneFirst, 3)).containsExactly(List.of(1L));
  }

  @Test
  void unlessNothingElseIsPacked() {
    var alike = endorsedTogether(SubmitterState.initial(), 1, 2, 3, 4);

    assertThat(packed(alike, 3)).containsExactly(List.of(1L, 2L, 3L));
  }

  /** Nothing is gained by keeping together what nobody has endorsed. */
  @Test
  void whatHasNoSignaturesFillsTheCallThatIsOpen() {
    limits = new LedgerBatch(3, Integer.MAX_VALUE, Long.MAX_VALUE);
    var one = waits(SubmitterState.initial(), endorsed(1, signature(A)), 1, false);
    var two = waits(one, endorsed(2, signature(B)), 2, false);

    assertThat(packed(waits(waits(two, 3), 4), 9))
        .containsExactly(List.of(1L, 2L, 3L), List.of(4L));
  }

  private static SubmitterState endorsedTogether(SubmitterState before, int... numbers) {
    var state = before;
    for (int number : numbers) {
      state = waits(state, endorsed(number, signature(A)), number, false);
    }
    return state;
  }

  private static SubmitterState waits(SubmitterState state, long number) {
    return waits(state, number, false);
  }

  private static SubmitterState waits(SubmitterState state, long number, boolean alone) {
    return waits(state, prepared(number, ADDRESS, 1), number, alone);
  }

  /** What is dispatched under that number waits, and its outputs are stored. */
  private static SubmitterState waits(
      SubmitterState state, PreparedTransaction prepared, long number, boolean alone) {
    var held = state.holding(number, of(prepared, number), alone);
    return held.put(held.live().get(number).in(SubmissionState.STORED, Instant.EPOCH));
  }

  /** The numbers of each call. */
  private List<List<Long>> packed(SubmitterState state, int most) {
    return Packing.pack(state, limits, most).stream()
        .map(load -> load.transactions().stream().map(state.byTransaction()::get).toList())
        .toList();
  }

  private static Signature signature(NodeName by) {
    return new Signature(
        new Identity("party", by), new Verifier(Bytes.of(new byte[33])), Bytes.of(new byte[65]));
  }

  private static PreparedTransaction endorsed(int number, Signature by) {
    var plain = prepared(number, ADDRESS, 1);
    return new PreparedTransaction(
        plain.intent(),
        ADDRESS,
        plain.inputs(),
        plain.reads(),
        plain.outputs(),
        new Proof(plain.proof().path(), List.of(by)));
  }

  @Test
  void theyAreOfOneContract() {
    tell(
        new DispatchReceived(
            List.of(dispatch(1), of(prepared(2, ANOTHER, 1), 2), dispatch(3), dispatch(4))));
    tell(new OutputsStored(List.of(key(1), key(2), key(3), key(4))));

    assertThat(calls())
        .containsExactly(
            Map.entry(0L, List.of(1L)), Map.entry(1L, List.of(2L)), Map.entry(2L, List.of(3L, 4L)));
  }

  @Test
  void eachIsToldItsOwnEnd() {
    ready(1, 2, 3, 4);
    answer(0, new SubmitOutcome.Pooled(HASH));

    block(
        0,
        fulfilled(4),
        reverted(2, RevertReason.STATE_SPENT),
        fulfilled(1),
        reverted(3, RevertReason.INTENT_FULFILLED));

    assertThat(last.effects())
        .contains(
            new SubmitterEffect.TellSettled(
                new BlockHeight(7), Map.of(ADDRESS, List.of(key(1), key(4)))),
            new SubmitterEffect.TellReverted(ADDRESS, key(2)),
            new SubmitterEffect.TellReverted(ADDRESS, key(3)));
    assertThat(told())
        .singleElement()
        .satisfies(
            told -> {
              assertThat(told.transaction()).isEqualTo(key(2).transaction());
              assertThat(told.reason()).isEqualTo("The base ledger refused it: STATE_SPENT.");
            });
    assertThat(state.live()).isEmpty();
    assertThat(state.carriers()).isEmpty();
  }

  @Test
  void whatABlockDoesNotNameUnderItsNonceIsWorthAnotherTry() {
    ready(1, 2);

    block(0, fulfilled(1));

    assertThat(told())
        .singleElement()
        .matches(TransactionReverted::retryable)
        .extracting(TransactionReverted::transaction)
        .isEqualTo(key(2).transaction());
  }

  @Test
  void aHigherPriceIsPaidForTheSame() {
    ready(1, 2);
    answer(0, new SubmitOutcome.Pooled(HASH));

    later(Duration.ofMinutes(1));

    assertThat(calls()).containsExactly(Map.entry(0L, List.of(1L, 2L)));
    assertThat(state.carriers().get(0L).fees()).isEqualTo(Fees.flat(1_200));
  }

  /** Which one it is about the pool does not say: one bad one must not hold the others. */
  @Test
  void ofWhatThePoolRefusesTogetherEachGoesAlone() {
    ready(1, 2, 3);
    ready(4, 5);

    answer(0, new SubmitOutcome.Invalid(HASH, "no"));

    assertThat(told()).isEmpty();
    assertThat(calls())
        .containsExactly(
            Map.entry(0L, List.of()),
            Map.entry(1L, List.of(1L)),
            Map.entry(2L, List.of(2L)),
            Map.entry(3L, List.of(3L)),
            Map.entry(4L, List.of(4L, 5L)));
    answers(
        Map.of(
            0L, new SubmitOutcome.Pooled(HASH),
            1L, new SubmitOutcome.Pooled(HASH),
            2L, new SubmitOutcome.Invalid(HASH, "no"),
            3L, new SubmitOutcome.Pooled(HASH),
            4L, new SubmitOutcome.Pooled(HASH)));
    assertThat(told()).isEmpty();
    block(2, new LedgerReceipt.NonceUsed());
    assertThat(told())
        .singleElement()
        .extracting(TransactionReverted::transaction)
        .isEqualTo(key(2).transaction());
    assertThat(state.byTransaction()).containsOnlyKeys(key(1), key(3), key(4), key(5));
  }

  /** It says nothing of any of them: with less in the call they may all be fulfilled. */
  @Test
  void ofACallThatRevertsAsAWholeEachGoesAloneAndNoSenderIsTold() {
    ready(1, 2, 3);
    answer(0, new SubmitOutcome.Pooled(HASH));

    block(
        0,
        reverted(1, RevertReason.OUT_OF_GAS),
        reverted(2, RevertReason.OUT_OF_GAS),
        reverted(3, RevertReason.OUT_OF_GAS));

    assertThat(told()).isEmpty();
    assertThat(last.effects()).noneMatch(SubmitterEffect.TellReverted.class::isInstance);
    assertThat(calls())
        .as("its nonce is used")
        .containsExactly(
            Map.entry(1L, List.of(1L)), Map.entry(2L, List.of(2L)), Map.entry(3L, List.of(3L)));
  }

  @Test
  void whatRevertsAloneIsRevertedThoughItIsTheWholeCall() {
    ready(1);
    answer(0, new SubmitOutcome.Pooled(HASH));

    block(0, reverted(1, RevertReason.OUT_OF_GAS));

    assertThat(told())
        .singleElement()
        .matches(TransactionReverted::retryable)
        .extracting(TransactionReverted::transaction)
        .isEqualTo(key(1).transaction());
    assertThat(state.live()).isEmpty();
  }

  /** Its maker's one mistake must not end the transactions of others for good. */
  @Test
  void ofACallThatTheContractRejectsOnlyTheOneThatItRejectsAloneEnds() {
    ready(1, 2);
    answer(0, new SubmitOutcome.Pooled(HASH));
    block(0, reverted(1, RevertReason.CALL_REJECTED), reverted(2, RevertReason.CALL_REJECTED));
    answers(Map.of(1L, new SubmitOutcome.Pooled(HASH), 2L, new SubmitOutcome.Pooled(HASH)));

    block(1, reverted(1, RevertReason.CALL_REJECTED));
    assertThat(told())
        .singleElement()
        .matches(told -> !told.retryable())
        .extracting(TransactionReverted::transaction)
        .isEqualTo(key(1).transaction());
    block(2, fulfilled(2));

    assertThat(state.live()).isEmpty();
    assertThat(state.carriers()).isEmpty();
  }

  @Test
  void theyGoAloneAfterARevertAndARestartToo() {
    ready(1, 2);
    answer(0, new SubmitOutcome.Pooled(HASH));
    block(0, reverted(1, RevertReason.OUT_OF_GAS), reverted(2, RevertReason.OUT_OF_GAS));
    // It has crashed when it had written down how that ended, and not yet the next ones.
    journal.remove(journal.size() - 1);

    restart();
    tell(new NonceKnown(1));
    tell(new OutputsStored(List.of(key(1), key(2))));

    assertThat(calls()).containsExactly(Map.entry(1L, List.of(1L)), Map.entry(2L, List.of(2L)));
  }

  @Test
  void theyGoAloneAfterARestartToo() {
    ready(1, 2);
    tell(new SubmitAnswered(Map.of(0L, new SubmitOutcome.Invalid(HASH, "no"))));
    // It has crashed when it had written down that the batch is refused, and not yet the next ones.
    journal.remove(journal.size() - 1);

    restart();
    tell(new NonceKnown(0));
    assertThat(calls()).containsExactly(Map.entry(0L, List.of()));
    answer(0, new SubmitOutcome.Pooled(HASH));
    tell(new OutputsStored(List.of(key(1), key(2))));

    assertThat(calls()).containsExactly(Map.entry(1L, List.of(1L)), Map.entry(2L, List.of(2L)));
  }

  /** Else one might stand on the ledger twice, or under a nonce that nobody waits for. */
  @Test
  void afterARestartEachNonceCarriesWhatItCarried() {
    ready(1, 2);
    ready(3);

    restart();
    tell(new NonceKnown(0));
    tell(new OutputsStored(List.of(key(1))));
    assertThat(calls()).as("not without the other").isEmpty();
    tell(new DispatchReceived(List.of(dispatch(4))));
    tell(new OutputsStored(List.of(key(2), key(3), key(4))));

    assertThat(calls())
        .containsExactly(Map.entry(0L, List.of(1L, 2L)), Map.entry(1L, List.of(3L, 4L)));
  }

  /**
   * The points 1C and 2C of Failover, and all others: what is lost is the newest of the journal.
   */
  @Test
  void aCrashBetweenAnyTwoWritesLosesNothingThatWasAccepted() {
    ready(1, 2);
    ready(3, 4);
    answer(0, new SubmitOutcome.Invalid(HASH, "no"));
    answers(
        Map.of(
            0L, new SubmitOutcome.Pooled(HASH),
            1L, new SubmitOutcome.Pooled(HASH),
            2L, new SubmitOutcome.Pooled(HASH),
            3L, new SubmitOutcome.Pooled(HASH)));
    block(0, new LedgerReceipt.NonceUsed());
    block(1, fulfilled(1));
    var whole = List.copyOf(journal);

    for (int kept = 0; kept <= whole.size(); kept++) {
      journal.clear();
      journal.addAll(whole.subList(0, kept));
      restart();
      for (long number = 1; number <= 4; number++) {
        tell(new DispatchReceived(List.of(dispatch(number))));
      }
      var unsettled = new HashMap<Long, List<Long>>();
      tell(new NonceKnown(0));
      collect(unsettled);
      tell(new OutputsStored(LongStream.rangeClosed(1, 4).mapToObj(PackingTest::key).toList()));
      collect(unsettled);
      answers(Map.of());
      collect(unsettled);

      var carried = unsettled.values().stream().flatMap(List::stream).toList();
      assertThat(carried).as("after %s of %s", kept, whole).doesNotHaveDuplicates();
      assertThat(carried).contains(2L, 3L, 4L);
    }
  }

  private void collect(Map<Long, List<Long>> unsettled) {
    calls().forEach(call -> unsettled.put(call.getKey(), call.getValue()));
  }

  private void ready(long... numbers) {
    tell(new DispatchReceived(LongStream.of(numbers).mapToObj(PackingTest::dispatch).toList()));
    tell(new OutputsStored(LongStream.of(numbers).mapToObj(PackingTest::key).toList()));
  }

  private void answer(long nonce, SubmitOutcome outcome) {
    answers(Map.of(nonce, outcome));
  }

  private void answers(Map<Long, SubmitOutcome> outcomes) {
    tell(new SubmitAnswered(outcomes));
  }

  private void block(long nonce, LedgerReceipt.Result... results) {
    var height = new BlockHeight(7);
    tell(
        new BlockIndexed(
            height, List.of(new LedgerReceipt(HASH, SIGNER, nonce, height, 0, List.of(results)))));
  }

  private void later(Duration by) {
    now = now.plus(by);
    tell(new Tick());
  }

  private void tell(SubmitterInput input) {
    last = submitter().decide(state, input, now);
    state = last.state();
    journal.addAll(last.events());
  }

  private void restart() {
    state = SubmitterState.initial();
    journal.forEach(event -> state = submitter().evolve(state, event));
    tell(new Started(2));
  }

  private Submitter submitter() {
    var defaults = SequencerSettings.DEFAULT;
    return new Submitter(
        new SubmitterSetup(
            A,
            address -> Optional.of(Contract.GROUP),
            defaults.withLimits(defaults.limits().withLedgerBatch(limits)),
            SubmitterSetup.Gas.DEFAULT));
  }

  /** Nonce and transitions of each that is handed to the pool, in their order. */
  private List<Map.Entry<Long, List<Long>>> calls() {
    return last.effects().stream()
        .filter(SubmitterEffect.Submit.class::isInstance)
        .flatMap(effect -> ((SubmitterEffect.Submit) effect).items().stream())
        .map(item -> Map.entry(item.nonce(), numbers(item)))
        .toList();
  }

  private static List<Long> numbers(SubmitterEffect.Item item) {
    return item.call() instanceof Invoke(var transitions)
        ? transitions.stream()
            .map(
                each ->
                    LongStream.rangeClosed(1, 9)
                        .filter(number -> key(number).equals(each.intent()))
                        .findFirst()
                        .orElseThrow())
            .toList()
        : List.of();
  }

  private List<TransactionReverted> told() {
    return last.messages().stream()
        .map(Outgoing::message)
        .filter(TransactionReverted.class::isInstance)
        .map(TransactionReverted.class::cast)
        .toList();
  }

  private static LedgerReceipt.Fulfilled fulfilled(long number) {
    return new LedgerReceipt.Fulfilled(ADDRESS, key(number), List.of(), List.of(), List.of());
  }

  private static LedgerReceipt.Reverted reverted(long number, RevertReason reason) {
    return new LedgerReceipt.Reverted(ADDRESS, key(number), reason, "no");
  }

  private static IntentKey key(long number) {
    return Contract.transaction(B, number).key();
  }

  private static Dispatch dispatch(long number) {
    return of(prepared(number, ADDRESS, 1), number);
  }

  private static Dispatch large(long number) {
    return of(prepared(number, ADDRESS, 100), number);
  }

  private static PreparedTransaction prepared(long number, ContractAddress contract, int outputs) {
    List<StateId> made =
        IntStream.range(0, outputs)
            .mapToObj(i -> Contract.state("output " + number + "/" + i, A, B).id())
            .toList();
    return new PreparedTransaction(key(number), contract, List.of(), List.of(), made, Proof.NONE);
  }

  private static Dispatch of(PreparedTransaction prepared, long number) {
    return new Dispatch(
        new RequestId("dispatch-" + number),
        prepared.contract(),
        B,
        new DelegationId(B, 1, number),
        new BlockRange(3),
        prepared,
        List.of());
  }
}
