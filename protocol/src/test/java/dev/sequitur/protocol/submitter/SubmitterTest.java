package dev.sequitur.protocol.submitter;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.BlockRange;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction.Invoke;
import dev.sequitur.protocol.ledger.LedgerTransaction.UseNonce;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.message.TransactionRevertedAcknowledgement;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.submitter.SubmitterEffect.Counted;
import dev.sequitur.protocol.submitter.SubmitterEffect.Distribute;
import dev.sequitur.protocol.submitter.SubmitterEffect.Submit;
import dev.sequitur.protocol.submitter.SubmitterEffect.TellSettled;
import dev.sequitur.protocol.submitter.SubmitterInput.BlockIndexed;
import dev.sequitur.protocol.submitter.SubmitterInput.DispatchReceived;
import dev.sequitur.protocol.submitter.SubmitterInput.NonceKnown;
import dev.sequitur.protocol.submitter.SubmitterInput.OutputsStored;
import dev.sequitur.protocol.submitter.SubmitterInput.Started;
import dev.sequitur.protocol.submitter.SubmitterInput.SubmitAnswered;
import dev.sequitur.protocol.submitter.SubmitterInput.Tick;
import dev.sequitur.protocol.submitter.SubmitterInput.UsedKnown;
import dev.sequitur.protocol.submitter.SubmitterTable.CarrierState;
import dev.sequitur.protocol.submitter.SubmitterTable.SubmissionState;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.Proof;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A submitter of node a; the transactions are of node b. */
class SubmitterTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final TransactionHash HASH = new TransactionHash(Contract.hash("submitted"));
  private static final LedgerAddress SIGNER = new LedgerAddress("0x" + "01".repeat(20));

  private PrivacyGroup group = Contract.GROUP;
  private final Submitter submitter =
      new Submitter(
          new SubmitterSetup(
              A,
              address -> Optional.of(group),
              SequencerSettings.DEFAULT,
              SubmitterSetup.Gas.DEFAULT));
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
  void nothingIsSubmittedBeforeTheStateStoreHasItsOutputs() {
    var dispatch = dispatch(1);

    tell(new DispatchReceived(List.of(dispatch)));

    assertThat(last.effects()).contains(new Distribute(List.of(dispatch)));
    assertThat(submitted()).isEmpty();

    tell(new OutputsStored(List.of(key(1))));

    assertThat(submitted()).containsExactly(Invoke.of(dispatch.prepared()));
  }

  @Test
  void theStateStoreIsAskedAgainUntilItAnswers() {
    var dispatch = dispatch(1);
    tell(new DispatchReceived(List.of(dispatch)));

    tell(new Tick());
    assertThat(last.effects()).doesNotHaveAnyElementsOfTypes(Distribute.class, Submit.class);

    later(LONG);
    assertThat(last.effects()).contains(new Distribute(List.of(dispatch)));
    assertThat(submitted()).isEmpty();

    tell(new OutputsStored(List.of(key(1))));
    later(LONG);
    assertThat(last.effects()).doesNotHaveAnyElementsOfTypes(Distribute.class);
  }

  @Test
  void afterARestartTheStateStoreIsAskedBeforeAnythingIsSubmitted() {
    tell(new DispatchReceived(List.of(dispatch(1))));
    tell(new OutputsStored(List.of(key(1))));

    restart();
    assertThat(last.effects()).contains(new Distribute(List.of(dispatch(1))));
    tell(new NonceKnown(0));
    assertThat(submitted()).isEmpty();

    tell(new OutputsStored(List.of(key(1))));
    assertThat(submitted()).containsExactly(Invoke.of(dispatch(1).prepared()));
  }

  /** CHN-3. */
  @Test
  void aNonceBelowThoseThatFinalBlocksHaveUsedIsCountedAndNotTaken() {
    tell(new NonceKnown(5));
    assertThat(counted()).isEmpty();

    restart();
    tell(new NonceKnown(5));
    assertThat(counted()).isEmpty();
    tell(new NonceKnown(4));

    assertThat(counted()).containsExactly(Counted.LEDGER_FELL_BACK);
    assertThat(state.nextNonce()).isEqualTo(5);
  }

  /** RCV-8: another life has used it, of which these records know nothing. */
  @Test
  void aNonceThatThePoolHasAndTheRecordsHaveNotIsNotGivenAgain() {
    restart();
    tell(new DispatchReceived(List.of(dispatch(1))));
    tell(new OutputsStored(List.of(key(1))));

    tell(new NonceKnown(5, 7));
    assertThat(submitted()).isEmpty();
    assertThat(state.trouble().orElseThrow().why()).contains("this node's records do not have");
    tell(new SubmitterInput.Tick());
    assertThat(last.effects()).contains(new SubmitterEffect.QueryNonce());
    assertThat(submitted()).isEmpty();
    assertThat(state.trouble().orElseThrow().why()).contains("this node's records do not have");

    tell(new NonceKnown(7, 7));
    assertThat(submitted()).containsExactly(Invoke.of(dispatch(1).prepared()));
    assertThat(state.carriers()).containsOnlyKeys(7L);
  }

  /** CNF-12. */
  @Test
  void whatTheLedgerHasTakenBackIsGivenAgainIfNothingIsUnderWay() {
    tell(new NonceKnown(5));

    tell(new SubmitterInput.NonceFell(3));
    assertThat(state.nextNonce()).isEqualTo(3);
    tell(new SubmitterInput.NonceFell(9));

    assertThat(state.nextNonce()).as("what is above was never given").isEqualTo(3);
    assertThat(state.given()).as("blocks may show what was given before (RCV-7)").isEqualTo(5);
    tell(new SubmitterInput.NonceFell(1));
    assertThat(state.given()).isEqualTo(5);
    tell(new NonceKnown(8));
    assertThat(state.given()).isEqualTo(8);
    tell(new SubmitterInput.NonceFell(3));
    assertThat(state.carriers()).isEmpty();
  }

  /** CNF-12: the ledger takes no later nonce before these are used. */
  @Test
  void whatTheLedgerHasTakenBackIsUsedForNothingBeforeWhatIsUnderWay() {
    tell(new NonceKnown(5));
    tell(new DispatchReceived(List.of(dispatch(1))));
    tell(new OutputsStored(List.of(key(1))));

    tell(new SubmitterInput.NonceFell(3));

    assertThat(state.carriers()).containsOnlyKeys(3L, 4L, 5L);
    assertThat(state.nextNonce()).isEqualTo(6);
    assertThat(state.carriers().get(3L).orders()).isEmpty();
    tell(new SubmitterInput.NonceFell(3));
    assertThat(state.carriers()).as("once").hasSize(3);
  }

  /** Whoever replays may have forgotten it with a snapshot. */
  @Test
  void anEventOfANonceThatIsGoneChangesNothing() {
    assertThat(
            Stream.of(
                new SubmitterEvent.Abandoned(9),
                new SubmitterEvent.Settled(List.of(9L), GasPaid.NONE),
                new SubmitterEvent.Refused(9, "no"),
                new SubmitterEvent.PublicNonceLost(9, GasPaid.NONE)))
        .allSatisfy(event -> assertThat(submitter.evolve(state, event)).isEqualTo(state));
  }

  private List<Counted> counted() {
    return last.effects().stream()
        .filter(SubmitterEffect.Count.class::isInstance)
        .map(effect -> ((SubmitterEffect.Count) effect).what())
        .toList();
  }

  @Test
  void theNonceOfWhatCanNeverBeTakenIsUsedByATransactionThatDoesNothing() {
    dispatchTwoOfWhichTheFirstIsInvalid();

    assertThat(submitted()).containsExactly(new UseNonce());
    assertThat(reverted()).as("a block may have it still").isEmpty();
    assertThat(state.carriers().get(0L).state()).isEqualTo(CarrierState.FILLING);
    assertThat(state.live().get(0L).state()).isEqualTo(SubmissionState.REFUSED);
  }

  /**
   * At the price that it was offered at first, which its refusal at a higher one says nothing of.
   */
  @Test
  void whatIsRefusedAtAHigherPriceIsFulfilledIfABlockHasItsFirstVersion() {
    refusedAtAHigherPrice();

    tell(block(receipt(0, fulfilled(key(1)))));

    assertThat(last.effects())
        .contains(new TellSettled(new BlockHeight(7), Map.of(ADDRESS, List.of(key(1)))));
    assertThat(reverted()).isEmpty();
    assertThat(state.owed()).isEmpty();
    assertThat(state.live()).isEmpty();
  }

  @Test
  void soItIsAfterARestart() {
    refusedAtAHigherPrice();
    restart();
    tell(new NonceKnown(0));
    assertThat(submitted()).containsExactly(new UseNonce());

    tell(block(receipt(0, fulfilled(key(1)))));

    assertThat(last.effects())
        .contains(new TellSettled(new BlockHeight(7), Map.of(ADDRESS, List.of(key(1)))));
    assertThat(state.owed()).isEmpty();
  }

  @Test
  void whatTheLedgerRefusesOfItsFirstVersionIsToldInItsWords() {
    refusedAtAHigherPrice();

    tell(block(receipt(0, refused(LedgerReceipt.RevertReason.STATE_SPENT))));

    assertThat(reverted())
        .singleElement()
        .matches(TransactionReverted::retryable)
        .matches(told -> told.reason().contains("STATE_SPENT"));
    assertThat(state.live()).isEmpty();
  }

  @Test
  void ifAnotherDispatchHasFulfilledWhatThePoolRefusesOnlyTheCoordinatorIsTold() {
    refusedAtAHigherPrice();

    tell(block(receipt(0, refused(LedgerReceipt.RevertReason.INTENT_FULFILLED))));

    assertThat(last.effects()).contains(new SubmitterEffect.TellReverted(ADDRESS, key(1)));
    assertThat(reverted()).isEmpty();
    assertThat(state.live()).isEmpty();
  }

  private void refusedAtAHigherPrice() {
    stored(1);
    tell(new SubmitAnswered(Map.of(0L, new SubmitOutcome.Pooled(HASH))));
    later(LONG);
    assertThat(submitted()).containsExactly(Invoke.of(dispatch(1).prepared()));
    assertThat(state.carriers().get(0L).fees()).isEqualTo(Fees.flat(1_200));
    tell(new SubmitAnswered(Map.of(0L, new SubmitOutcome.Invalid(HASH, "no"))));
    assertThat(submitted()).containsExactly(new UseNonce());
    assertThat(reverted()).isEmpty();
  }

  @Test
  void itsNonceIsStillUsedAfterARestart() {
    dispatchTwoOfWhichTheFirstIsInvalid();

    restart();
    tell(new NonceKnown(0));

    assertThat(submitted()).containsExactly(new UseNonce());
    assertThat(last.effects()).doesNotHaveAnyElementsOfTypes(Distribute.class);
  }

  @Test
  void whenItsNonceIsUsedNothingIsLeftOfIt() {
    dispatchTwoOfWhichTheFirstIsInvalid();
    tell(new SubmitAnswered(Map.of(0L, new SubmitOutcome.Pooled(HASH))));

    tell(block(receipt(0, new LedgerReceipt.NonceUsed())));

    assertThat(state.live()).containsOnlyKeys(1L);
    assertThat(last.effects()).contains(new TellSettled(new BlockHeight(7), Map.of()));
    assertThat(reverted())
        .singleElement()
        .matches(told -> !told.retryable() && told.transactionHash().isEmpty())
        .matches(told -> told.reason().equals("Refused by the pool: too large"));
  }

  /** Its sender would send it anew else, and a block may have it still. */
  @Test
  void heartbeatsNameWhatIsRefusedUntilItsNonceIsUsed() {
    dispatchTwoOfWhichTheFirstIsInvalid();

    later(LONG);
    assertThat(beats()).isNotEmpty();
    assertThat(beats().values())
        .allSatisfy(
            beat ->
                assertThat(beat.transactions())
                    .containsExactly(key(1).transaction(), key(2).transaction()));

    tell(block(receipt(0, new LedgerReceipt.NonceUsed())));
    later(LONG);
    assertThat(beats()).isNotEmpty();
    assertThat(beats().values())
        .allSatisfy(beat -> assertThat(beat.transactions()).containsExactly(key(2).transaction()));
  }

  @Test
  void whatOnlyUsesANonceIsPaidMoreWhenNoBlockTakesIt() {
    dispatchTwoOfWhichTheFirstIsInvalid();
    tell(new SubmitAnswered(Map.of(0L, new SubmitOutcome.Pooled(HASH))));

    later(LONG);

    assertThat(submitted()).contains(new UseNonce());
    assertThat(state.carriers().get(0L).fees()).isEqualTo(Fees.flat(1_200));
  }

  @Test
  void whatOnlyUsesANonceIsTriedAgainWhenThePoolHasNoRoomOrRefusesIt() {
    dispatchTwoOfWhichTheFirstIsInvalid();

    tell(new SubmitAnswered(Map.of(0L, new SubmitOutcome.PoolFull(HASH))));
    later(LONG);
    assertThat(submitted()).contains(new UseNonce());

    tell(new SubmitAnswered(Map.of(0L, new SubmitOutcome.Invalid(HASH, "no"))));
    later(LONG);
    assertThat(submitted()).contains(new UseNonce());
  }

  @Test
  void whenAFinalBlockHasUsedItsNonceNothingIsLeftOfIt() {
    dispatchTwoOfWhichTheFirstIsInvalid();

    tell(new SubmitAnswered(Map.of(0L, new SubmitOutcome.NonceTooLow(HASH, 1))));
    assertThat(state.carriers()).containsKey(0L);
    tell(new UsedKnown(1));

    assertThat(state.carriers()).doesNotContainKey(0L);
    assertThat(state.live()).containsOnlyKeys(1L);
    assertThat(reverted())
        .singleElement()
        .matches(told -> !told.retryable())
        .matches(told -> told.reason().equals("Refused by the pool: too large"));
  }

  @Test
  void theSameIntentMayComeAgainOnceItsOldNonceIsUsed() {
    dispatchTwoOfWhichTheFirstIsInvalid();

    tell(new DispatchReceived(List.of(dispatch(1))));
    assertThat(state.byTransaction()).containsEntry(key(1), 0L);
    tell(block(receipt(0, new LedgerReceipt.NonceUsed())));
    assertThat(state.byTransaction()).doesNotContainKey(key(1));
    tell(new DispatchReceived(List.of(dispatch(1))));

    assertThat(state.byTransaction()).containsEntry(key(1), 2L);
  }

  @Test
  void aNonceThatSomethingElseUsedIsToldToTheSenderAsWorthAnotherTry() {
    stored(1);
    var strange = key(99);

    tell(
        block(
            receipt(
                0,
                new LedgerReceipt.Fulfilled(ADDRESS, strange, List.of(), List.of(), List.of()))));

    assertThat(reverted()).singleElement().matches(TransactionReverted::retryable);
    assertThat(last.effects()).contains(new TellSettled(new BlockHeight(7), Map.of()));
  }

  /** Ids are no secret in the group: of different senders, two intents may have the same. */
  @Test
  void twoIntentsOfOneIdEachHaveTheirPlaceAndTheirOwnEnd() {
    var one = dispatch(1);
    var intent = ofAnother(1);
    var other = dispatch(intent, C, 9);

    tell(new DispatchReceived(List.of(one, other)));
    tell(new DispatchReceived(List.of(other, one)));
    assertThat(state.byTransaction()).containsOnly(Map.entry(key(1), 0L), Map.entry(intent, 1L));
    restart();
    tell(new NonceKnown(0));
    tell(new OutputsStored(List.of(intent)));
    assertThat(submitted()).as("the first may be what it builds upon").isEmpty();
    tell(new OutputsStored(List.of(key(1))));
    assertThat(submitted()).containsExactly(new Invoke(List.of(one.prepared(), other.prepared())));

    tell(
        block(
            receipt(
                0,
                new LedgerReceipt.Fulfilled(ADDRESS, key(1), List.of(), List.of(), List.of()),
                new LedgerReceipt.Reverted(
                    ADDRESS, intent, LedgerReceipt.RevertReason.STATE_SPENT, "spent"))));

    assertThat(last.effects())
        .contains(
            new TellSettled(new BlockHeight(7), Map.of(ADDRESS, List.of(key(1)))),
            new SubmitterEffect.TellReverted(ADDRESS, intent));
    assertThat(last.messages())
        .filteredOn(outgoing -> outgoing.message() instanceof TransactionReverted)
        .singleElement()
        .satisfies(told -> assertThat(told.to()).isEqualTo(C));
    assertThat(state.live()).isEmpty();
  }

  @Test
  void theSecondIntentOfAnIdHasANonceAndAnEndOfItsOwnThoughTheFirstIsOnItsWay() {
    var other = dispatch(ofAnother(1), C, 9);
    stored(1);
    tell(new SubmitAnswered(Map.of(0L, new SubmitOutcome.Pooled(HASH))));

    tell(new DispatchReceived(List.of(other)));
    tell(new OutputsStored(List.of(ofAnother(1))));

    assertThat(submitted()).containsExactly(Invoke.of(other.prepared()));
    assertThat(state.carriers().keySet()).containsExactly(0L, 1L);

    tell(block(receipt(0, fulfilled(key(1)))));

    assertThat(state.byTransaction()).containsOnlyKeys(ofAnother(1));

    tell(block(receipt(1, fulfilled(ofAnother(1)))));

    assertThat(last.effects())
        .contains(new TellSettled(new BlockHeight(7), Map.of(ADDRESS, List.of(ofAnother(1)))));
    assertThat(state.live()).isEmpty();
  }

  @Test
  void whatASenderIsOwedItIsOwedUntilItAcknowledgesItItself() {
    dispatchTwoOfWhichTheFirstIsGone();
    var owed = reverted().get(0).notificationId();
    var acknowledgement = new TransactionRevertedAcknowledgement(owed, ADDRESS);

    tell(new SubmitterInput.Acknowledged(Contract.from(C, acknowledgement)));
    assertThat(state.owed()).containsOnlyKeys(owed);
    assertThat(state.exchanges().get(owed)).isPresent();

    tell(new SubmitterInput.Acknowledged(Contract.from(B, acknowledgement)));
    assertThat(state.owed()).isEmpty();
    assertThat(state.exchanges().open()).isEmpty();
  }

  /** CMT-8: neither hears the other; what a node owes its own sender it owes on. */
  @Test
  void whatASenderIsOwedEndsOnceItOrThisNodeHasLeftLongAgo() {
    dispatchTwoOfWhichTheFirstIsGone();
    group = Contract.without(B, new BlockHeight(7));
    tell(new Tick());
    assertThat(state.owed()).as("of the committee before").hasSize(1);

    group = Contract.longWithout(B, new BlockHeight(7));
    tell(new Tick());
    assertThat(state.owed()).isEmpty();
    assertThat(state.exchanges().open()).isEmpty();
    assertThat(last.events()).hasOnlyElementsOfType(SubmitterEvent.Notified.class);
  }

  /** CMT-8: it wakes since it owes something, and tells nobody who has left meanwhile. */
  @Test
  void aSubmitterThatStartsAfterAChangeOfMembersTellsNobodyWhoHasLeft() {
    dispatchTwoOfWhichTheFirstIsGone();

    group = Contract.longWithout(B, new BlockHeight(7));
    restart();

    assertThat(reverted()).isEmpty();
    assertThat(state.owed()).isEmpty();
    assertThat(state.exchanges().open()).isEmpty();
  }

  @Test
  void nothingIsOwedAnewToWhoHasLeftLongAgo() {
    group = Contract.longWithout(B, new BlockHeight(7));

    dispatchTwoOfWhichTheFirstIsGone();

    assertThat(reverted()).isEmpty();
    assertThat(state.owed()).isEmpty();
  }

  /** It goes by the whole intent, not by the id that another sender may use too. */
  @Test
  void aNonceThatFulfilledAnIntentOfTheSameIdHasNotFulfilledThisOne() {
    stored(1);
    var other =
        new IntentKey(
            key(1).transaction(),
            SenderCommitment.of(
                ADDRESS, key(1).transaction(), Contract.party(C), Contract.hash("salt")));

    tell(
        block(
            receipt(
                0, new LedgerReceipt.Fulfilled(ADDRESS, other, List.of(), List.of(), List.of()))));

    assertThat(reverted()).singleElement().matches(TransactionReverted::retryable);
  }

  @Test
  void noNonceIsUsedTwiceThoughTheLedgerKnowsMoreOfTheKey() {
    tell(new NonceKnown(5));
    stored(1);
    assertThat(state.carriers()).containsOnlyKeys(5L);

    restart();
    tell(new NonceKnown(3));
    stored(2);
    assertThat(state.carriers()).containsOnlyKeys(5L, 6L);
  }

  @Test
  void aCoordinatorIsToldEachTimeThatItsDispatchIsTaken() {
    for (int i = 0; i < 2; i++) {
      tell(new DispatchReceived(List.of(dispatch(1))));
      assertThat(last.effects())
          .contains(new SubmitterEffect.TellCommitted(Map.of(ADDRESS, List.of(key(1)))));
    }
    assertThat(state.live()).containsOnlyKeys(0L);
  }

  @Test
  void theCommitteeIsToldAtOnceOfTheFirstDispatchAndThatNothingIsLeft() {
    tell(new DispatchReceived(List.of(dispatch(1))));

    assertThat(beats().keySet()).containsExactlyInAnyOrder(A, B, C);
    assertThat(beats().values())
        .allMatch(beat -> beat.transactions().contains(key(1).transaction()));
    assertThat(beats().get(B).details()).hasSize(1);
    assertThat(List.of(beats().get(A), beats().get(C)))
        .as("what its sender alone is told")
        .allMatch(beat -> beat.details().isEmpty());
    tell(new Tick());
    assertThat(beats()).isEmpty();

    tell(new OutputsStored(List.of(key(1))));
    tell(block(receipt(0, fulfilled(key(1)))));
    assertThat(beats().keySet()).containsExactlyInAnyOrder(A, B, C);
    assertThat(beats().values()).allMatch(beat -> beat.pending().isEmpty());
    assertThat(beats().values())
        .as("who goes on after it is to have read that block")
        .allMatch(beat -> beat.settledIn().equals(Optional.of(new BlockHeight(7))));
    later(LONG);
    assertThat(beats()).isEmpty();
  }

  @Test
  void nothingIsSubmittedBeforeTheLedgerHasSaidWhichNonceIsNext() {
    restart();
    tell(new DispatchReceived(List.of(dispatch(1))));
    tell(new OutputsStored(List.of(key(1))));
    assertThat(submitted()).isEmpty();

    tell(new Tick());
    assertThat(submitted()).isEmpty();
    assertThat(last.effects()).contains(new SubmitterEffect.QueryNonce());

    tell(new NonceKnown(0));
    assertThat(submitted()).hasSize(1);
    later(LONG);
    assertThat(submitted()).as("while the ledger has not answered").isEmpty();
  }

  @Test
  void neverMoreThanTheMostIsPaid() {
    var most = SubmitterSetup.Gas.DEFAULT.ceiling();
    tell(new DispatchReceived(List.of(dispatch(1))));
    tell(new OutputsStored(List.of(key(1))));

    tell(new SubmitAnswered(Map.of(0L, new SubmitOutcome.Underpriced(HASH, most.toReplace()))));
    assertThat(state.carriers().get(0L).fees()).matches(most::cover);
    tell(new SubmitAnswered(Map.of(0L, new SubmitOutcome.Underpriced(HASH, most))));
    assertThat(state.carriers().get(0L).fees()).isEqualTo(most);

    later(LONG);
    tell(new SubmitAnswered(Map.of(0L, new SubmitOutcome.Pooled(HASH))));
    later(LONG);
    assertThat(submitted()).hasSize(1);
    assertThat(state.carriers().get(0L).fees()).isEqualTo(most);
  }

  @Test
  void whatNoBlockTakesIsSubmittedAgainForMore() {
    tell(new DispatchReceived(List.of(dispatch(1))));
    tell(new OutputsStored(List.of(key(1))));
    tell(new SubmitAnswered(Map.of(0L, new SubmitOutcome.Pooled(HASH))));

    tell(new Tick());
    assertThat(submitted()).isEmpty();
    later(LONG);

    assertThat(submitted()).containsExactly(Invoke.of(dispatch(1).prepared()));
    assertThat(state.carriers().get(0L).fees()).isEqualTo(Fees.flat(1_200));
  }

  /** Its receipt may be in a block that this node has not read yet, or that is not final. */
  @Test
  void whatTheLedgerSaysIsUsedIsGivenUpOnlyWhenFinalBlocksSaySoAndDoNotTellOfIt() {
    tell(new DispatchReceived(List.of(dispatch(1))));
    tell(new OutputsStored(List.of(key(1))));

    for (int i = 0; i < 20; i++) {
      tell(new SubmitAnswered(Map.of(0L, new SubmitOutcome.NonceTooLow(HASH, 1))));
    }
    tell(new UsedKnown(0));
    assertThat(state.live()).containsOnlyKeys(0L);
    assertThat(reverted()).isEmpty();

    tell(new UsedKnown(1));
    assertThat(state.live()).isEmpty();
    assertThat(state.owed().values()).hasSize(1);
  }

  /** Its sender sees the confirmation; the locks of this dispatch have to go (SUB-4). */
  @Test
  void ofWhatAnotherDispatchHasFulfilledOnlyTheCoordinatorIsTold() {
    stored(1);

    tell(
        block(
            receipt(
                0,
                new LedgerReceipt.Reverted(
                    ADDRESS, key(1), LedgerReceipt.RevertReason.INTENT_FULFILLED, "fulfilled"))));

    assertThat(last.effects()).contains(new SubmitterEffect.TellReverted(ADDRESS, key(1)));
    assertThat(reverted()).isEmpty();
    assertThat(state.owed()).isEmpty();
  }

  @Test
  void afterARestartASenderIsToldAtOnceOfWhatItIsOwedAndAgain() {
    dispatchTwoOfWhichTheFirstIsGone();
    var owed = reverted();
    assertThat(owed).hasSize(1);

    restart();
    assertThat(reverted()).isEqualTo(owed);
    later(LONG);
    assertThat(reverted()).isEqualTo(owed);
  }

  /** The state store is asked again after a restart, and a block may come before its answer. */
  private void acceptedAgain() {
    stored(1);
    tell(new SubmitAnswered(Map.of(0L, new SubmitOutcome.Pooled(HASH))));
    restart();
    assertThat(state.live().get(0L).state()).isEqualTo(SubmissionState.ACCEPTED);
  }

  @Test
  void whatABlockFulfilsIsSettledThoughItsOutputsAreNotKnownToBeStored() {
    acceptedAgain();

    tell(block(receipt(0, fulfilled(key(1)))));

    assertThat(last.effects())
        .contains(
            new SubmitterEffect.TellSettled(new BlockHeight(7), Map.of(ADDRESS, List.of(key(1)))));
    assertThat(state.live()).isEmpty();
  }

  @Test
  void whatABlockRefusesIsToldThoughItsOutputsAreNotKnownToBeStored() {
    acceptedAgain();

    tell(block(receipt(0, refused(LedgerReceipt.RevertReason.STATE_SPENT))));

    assertThat(reverted()).singleElement().matches(TransactionReverted::retryable);
    assertThat(state.live()).isEmpty();
  }

  @Test
  void ofWhatAnotherDispatchHasFulfilledNoSenderIsToldThoughItsOutputsAreNotKnownToBeStored() {
    acceptedAgain();

    tell(block(receipt(0, refused(LedgerReceipt.RevertReason.INTENT_FULFILLED))));

    assertThat(last.effects()).contains(new SubmitterEffect.TellReverted(ADDRESS, key(1)));
    assertThat(reverted()).isEmpty();
    assertThat(state.live()).isEmpty();
  }

  @Test
  void whatHasLostItsNonceIsToldThoughItsOutputsAreNotKnownToBeStored() {
    acceptedAgain();

    tell(block(receipt(0, new LedgerReceipt.NonceUsed())));

    assertThat(reverted()).singleElement().matches(TransactionReverted::retryable);
    assertThat(state.live()).isEmpty();
  }

  private static LedgerReceipt.Reverted refused(LedgerReceipt.RevertReason reason) {
    return new LedgerReceipt.Reverted(ADDRESS, key(1), reason, "refused");
  }

  /**
   * Two submissions of one are out after a failed call, and the answers may overtake each other.
   */
  @Test
  void aRefusalThatComesAfterItWasPooledIsTheNewestWord() {
    stored(1);
    tell(new SubmitAnswered(Map.of(0L, new SubmitOutcome.Pooled(HASH))));

    tell(new SubmitAnswered(Map.of(0L, new SubmitOutcome.PoolFull(HASH))));
    assertThat(state.carriers().get(0L).state()).isEqualTo(CarrierState.READY);
    later(LONG);
    assertThat(submitted()).containsExactly(Invoke.of(dispatch(1).prepared()));

    tell(new SubmitAnswered(Map.of(0L, new SubmitOutcome.Pooled(HASH))));
    tell(new SubmitAnswered(Map.of(0L, new SubmitOutcome.Invalid(HASH, "too large"))));
    assertThat(state.carriers().get(0L).state()).isEqualTo(CarrierState.FILLING);
    assertThat(submitted()).containsExactly(new UseNonce());
  }

  private Map<NodeName, SubmitterHeartbeatNotification> beats() {
    var beats = new HashMap<NodeName, SubmitterHeartbeatNotification>();
    for (var outgoing : last.messages()) {
      if (outgoing.message() instanceof SubmitterHeartbeatNotification beat) {
        beats.put(outgoing.to(), beat);
      }
    }
    return beats;
  }

  private static LedgerReceipt.Fulfilled fulfilled(IntentKey intent) {
    return new LedgerReceipt.Fulfilled(ADDRESS, intent, List.of(), List.of(), List.of());
  }

  private void dispatchTwoOfWhichTheFirstIsInvalid() {
    tell(new DispatchReceived(List.of(dispatch(1), dispatch(2))));
    tell(new OutputsStored(List.of(key(1))));
    tell(new SubmitAnswered(Map.of(0L, new SubmitOutcome.Invalid(HASH, "too large"))));
  }

  private void dispatchTwoOfWhichTheFirstIsGone() {
    dispatchTwoOfWhichTheFirstIsInvalid();
    tell(block(receipt(0, new LedgerReceipt.NonceUsed())));
  }

  private void stored(long number) {
    tell(new DispatchReceived(List.of(dispatch(number))));
    tell(new OutputsStored(List.of(key(number))));
  }

  private void tell(SubmitterInput input) {
    last = submitter.decide(state, input, now);
    state = last.state();
    journal.addAll(last.events());
  }

  private void later(Duration by) {
    now = now.plus(by);
    tell(new Tick());
  }

  private void restart() {
    state = SubmitterState.initial();
    journal.forEach(event -> state = submitter.evolve(state, event));
    tell(new Started(2));
  }

  private List<Object> submitted() {
    return last.effects().stream()
        .filter(Submit.class::isInstance)
        .flatMap(effect -> ((Submit) effect).items().stream())
        .<Object>map(SubmitterEffect.Item::call)
        .toList();
  }

  private List<TransactionReverted> reverted() {
    return last.messages().stream()
        .map(outgoing -> outgoing.message())
        .filter(TransactionReverted.class::isInstance)
        .map(TransactionReverted.class::cast)
        .toList();
  }

  private static BlockIndexed block(LedgerReceipt... own) {
    return new BlockIndexed(new BlockHeight(7), List.of(own));
  }

  private static LedgerReceipt receipt(long nonce, LedgerReceipt.Result... results) {
    return new LedgerReceipt(HASH, SIGNER, nonce, new BlockHeight(7), 0, List.of(results));
  }

  private static IntentKey key(long number) {
    var id = new TransactionId(new UUID(0, number));
    return new IntentKey(
        id, SenderCommitment.of(ADDRESS, id, Contract.party(B), Contract.hash("salt")));
  }

  /** C's intent of the id that B has used. */
  private static IntentKey ofAnother(long number) {
    var id = key(number).transaction();
    return new IntentKey(
        id, SenderCommitment.of(ADDRESS, id, Contract.party(C), Contract.hash("salt")));
  }

  private static Dispatch dispatch(long number) {
    return dispatch(key(number), B, number);
  }

  private static Dispatch dispatch(IntentKey intent, NodeName sender, long number) {
    var output = Contract.state("output " + number, A, B);
    var prepared =
        new PreparedTransaction(
            intent, ADDRESS, List.of(), List.of(), List.of(output.id()), Proof.NONE);
    return new Dispatch(
        new RequestId("dispatch-" + number),
        ADDRESS,
        sender,
        new DelegationId(sender, 1, number),
        new BlockRange(0),
        prepared,
        List.of(output));
  }
}
