package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.ledger.GasPrice;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.Verdict;
import dev.sequitur.schedule.abi.EvmAddress;
import dev.sequitur.schedule.chainexecution.Advance;
import dev.sequitur.schedule.chainexecution.ChainExecutionTerms;
import dev.sequitur.schedule.chainexecution.ChainExecutions;
import dev.sequitur.schedule.chainexecution.ExecutionGas;
import dev.sequitur.schedule.chainexecution.PlanChain.Pooling;
import dev.sequitur.schedule.chainexecution.Providing;
import dev.sequitur.schedule.chainexecution.Reading;
import dev.sequitur.schedule.chainexecution.ServedContract;
import dev.sequitur.schedule.chainexecution.ToDo;
import dev.sequitur.schedule.family.Forecast;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The provider's rounds, a queue, and a contract whose blocks the test makes. */
class ChainExecutionsTest {
  private static final long START = 1_000;
  private static final long WINDOW = 5;
  private static final int AT_ONCE = 4;
  private static final Providing.Settings SETTINGS =
      new Providing.Settings(
          0,
          new GasPrice(100, 1),
          AT_ONCE,
          3,
          3,
          ExecutionGas.DEFAULT,
          Duration.ofMillis(200),
          new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(4)));

  private final PlanContract chain = new PlanContract(WINDOW, START);
  private final ProviderUnderTest provider = new ProviderUnderTest(SETTINGS, chain);
  private final QueueUnderTest queue = provider.queue;

  /** Rounds, and a block each second, up to a block of this time. */
  private void until(long time) {
    while (chain.now() < time) {
      round();
      chain.mine();
    }
    round();
  }

  private void untilFinal() {
    until(chain.now() + PlanContract.CONFIRMATIONS);
  }

  private void round() {
    provider.round();
  }

  private String why(ScheduleId id) {
    return provider.why(id);
  }

  private Outcome outcome(ScheduleId id) {
    return provider.outcome(id).orElseThrow().outcome();
  }

  private ToDo.Known known() {
    return provider.known();
  }

  @Test
  void anExecutionRunsInTheFirstBlockOfTheRequestedTime() {
    var id = chain.request(START + 20);
    until(START + 19);
    assertThat(chain.executedByUs).isEmpty();
    assertThat(chain.pool).hasSize(1);

    until(START + 20);
    assertThat(chain.executedByUs).containsExactly(id);
    assertThat(queue.outcome(id)).isEmpty();
    assertThat(why(id)).contains("was executed in block").contains("0 blocks");

    untilFinal();
    assertThat(outcome(id)).isEqualTo(Outcome.RUN);
    assertThat(chain.executedByUs).hasSize(1);
    assertThat(known().dispatches()).isEmpty();
  }

  @Test
  void aCallThatFailsIsAFailedExecutionWithItsReasonAndIsNotRepeated() {
    chain.callsFail = true;
    var id = chain.request(START + 20);
    until(START + 40);

    assertThat(outcome(id)).isEqualTo(Outcome.FAILED);
    assertThat(queue.outcome(id).orElseThrow().note()).isEqualTo("It failed.");
    assertThat(chain.executedByUs).hasSize(1);
  }

  @Test
  void anExecutionByACompetitorIsASuccess() {
    var id = chain.request(START + 20);
    until(START + 19);
    chain.executeByOther(id);
    until(START + 30);

    assertThat(chain.executedByUs).isEmpty();
    assertThat(outcome(id)).isEqualTo(Outcome.RUN);
    assertThat(known().dispatches()).isEmpty();
  }

  @Test
  void aCancelJustBeforeIsSeenAndNothingIsSentAgain() {
    var id = chain.request(START + 20);
    until(START + 19);
    chain.cancel(id);
    until(START + 30);

    assertThat(outcome(id)).isEqualTo(Outcome.CANCELLED);
    assertThat(chain.executedByUs).isEmpty();
    assertThat(chain.pool).isEmpty();
  }

  @Test
  void aPausedContractIsAwaitedAndSaidSo() {
    var id = chain.request(START + 20);
    until(START + 10);
    chain.pause(true);
    until(START + 22);
    assertThat(chain.pool).isEmpty();
    assertThat(why(id)).contains("The contract is paused");

    chain.pause(false);
    until(START + 25);
    assertThat(chain.executedByUs).containsExactly(id);
  }

  @Test
  void whatWasSentIntoAPauseIsTriedAgainWhileItsWindowIsOpen() {
    var id = chain.request(START + 20);
    until(START + 19);
    chain.pause(true);
    until(START + 20);
    assertThat(why(id)).contains("paused");
    chain.pause(false);
    until(START + 25);

    assertThat(chain.executedByUs).containsExactly(id);
  }

  @Test
  void anOverdueExecutionIsParkedAndItsRefundIsSeen() {
    var id = chain.request(START + 20);
    until(START + 10);
    chain.pause(true);
    until(START + 40);
    assertThat(why(id)).contains("It is overdue: its window ended at");
    assertThat(known().waiting()).isEmpty();

    chain.refund(id);
    until(START + 50);
    assertThat(outcome(id)).isEqualTo(Outcome.REFUNDED);
  }

  @Test
  void whatAReorganisationTakesBackIsExecutedAgainAndHasOneOutcome() {
    var id = chain.request(START + 20);
    until(START + 21);
    assertThat(chain.executedByUs).hasSize(1);

    chain.takeBack(2, START + 20);
    chain.mine();
    chain.mine();
    until(START + 30);

    assertThat(chain.executedByUs).hasSizeGreaterThan(1);
    assertThat(outcome(id)).isEqualTo(Outcome.RUN);
    assertThat(queue.state.history().of(id)).hasSize(1);
  }

  @Test
  void aRequestThatAReorganisationTakesAwayEndsAndComesAgainWithTheNextOne() {
    until(START + 5);
    var id = chain.request(START + 30);
    until(START + 6);
    chain.takeBack(1, START + 6);
    chain.mine();
    chain.mine();
    round();
    assertThat(outcome(id)).isEqualTo(Outcome.CANCELLED);
    assertThat(queue.outcome(id).orElseThrow().note()).contains("reorganisation");

    chain.request(id, START + 30);
    until(START + 40);
    assertThat(outcome(id)).isEqualTo(Outcome.RUN);
  }

  /** A node that tells of an end and not of its request is believed in neither. */
  @Test
  void theEndOfWhatAReorganisationTookAwayIsNotKept() {
    until(START + 5);
    var id = chain.request(START + 30);
    until(START + 6);
    var seen = new Reading.Seen(7, id, new Reading.End.Executed(Optional.empty()));
    var first = new Reading.Point(7, new Hash(9, 9, 9, 1), START + 7);
    var second = new Reading.Point(8, new Hash(9, 9, 9, 2), START + 8);

    read(known().settled(), List.of(seen), first);
    assertThat(outcome(id)).isEqualTo(Outcome.CANCELLED);
    read(Optional.of(first), List.of(), second);

    assertThat(queue.state.history().of(id)).hasSize(1);
  }

  /** What is read is final at once. */
  private void read(Optional<Reading.Point> after, List<Reading.Logged> logs, Reading.Point to) {
    queue.accepted(OPERATOR, reading(after, logs, to, to));
  }

  private static Operation.Perform reading(
      Optional<Reading.Point> after,
      List<Reading.Logged> logs,
      Reading.Point to,
      Reading.Point settled) {
    return advance(
        Optional.of(new Reading(after, logs, to, Optional.of(settled), Map.of())), List.of());
  }

  private static Operation.Perform advance(Optional<Reading> reading, List<ScheduleId> gone) {
    return new Operation.Perform(
        new Advance(PlanContract.SERVED, reading, gone, List.of(), Map.of(), List.of(), false, ""));
  }

  private static Reading.Point point(long number) {
    return new Reading.Point(number, new Hash(9, 9, 9, number), START + number);
  }

  @Test
  void theEndOfWhatWasNeverRequestedIsNotTaken() {
    until(START + 5);
    var unknown = new ScheduleId(FamilyKind.CHAIN_EXECUTION, new Hash(9, 9, 9, 9));
    var seen = new Reading.Seen(6, unknown, new Reading.End.Cancelled());

    read(known().read(), List.of(seen), point(6));

    assertThat(queue.outcome(unknown)).isEmpty();
  }

  @Test
  void whatIsRequestedAndEndsInBlocksThatAreReadTogetherHasItsOutcome() {
    until(START + 5);
    var id = new ScheduleId(FamilyKind.CHAIN_EXECUTION, new Hash(9, 9, 9, 9));
    var requested = new Reading.Requested(6, id, PlanContract.REQUESTOR, terms(START + 30));
    var seen = new Reading.Seen(7, id, new Reading.End.Cancelled());

    read(known().read(), List.of(requested, seen), point(7));

    assertThat(outcome(id)).isEqualTo(Outcome.CANCELLED);
  }

  private static ChainExecutionTerms terms(long timestamp) {
    return new ChainExecutionTerms(0, EvmAddress.ZERO, 0, timestamp, BigInteger.ZERO);
  }

  /** Of two readings that begin at the same block the second one knows less than the queue. */
  @Test
  void whatIsReadBehindABlockThatIsNeitherTheLastNorFinalIsRefused() {
    until(START + 5);

    assertThat(
            queue.refused(OPERATOR, reading(Optional.of(point(4)), List.of(), point(6), point(3))))
        .isEqualTo(Refusal.Code.BAD_STATE);
  }

  /** It leaves with the next block; until then its place is taken. */
  @Test
  void whatIsRequestedAnewIsReadWhenTheOneThatHasEndedHasLeft() {
    var id = chain.request(START + 30);
    until(START + 5);
    var seen = new Reading.Seen(6, id, new Reading.End.Executed(Optional.empty()));
    read(known().read(), List.of(seen), point(6));
    var again = new Reading.Requested(7, id, PlanContract.REQUESTOR, terms(START + 40));
    var anew = reading(Optional.of(point(6)), List.of(again), point(7), point(7));

    assertThat(queue.refused(OPERATOR, anew)).isEqualTo(Refusal.Code.BUSY);

    queue.block();
    queue.accepted(OPERATOR, anew);
    assertThat(known().waiting()).extracting(ToDo.Waiting::id).containsExactly(id);
  }

  @Test
  void whatTheContractDoesNotKnowAnyMoreEndsOnce() {
    var id = chain.request(START + 30);
    var twice = chain.request(START + 30);
    var other = chain.request(START + 30);
    until(START + 5);
    var unknown = new ScheduleId(FamilyKind.CHAIN_EXECUTION, new Hash(9, 9, 9, 9));

    queue.accepted(OPERATOR, advance(Optional.empty(), List.of(id, unknown, twice, twice)));

    assertThat(outcome(id)).isEqualTo(Outcome.CANCELLED);
    assertThat(queue.state.history().of(twice)).hasSize(1);
    assertThat(queue.outcome(other)).isEmpty();
  }

  /** PRV-2. */
  @Test
  void aPlanThatIsRemovedIsNotSoldAndWhatWasBoughtOfItIsExecuted() {
    var id = chain.request(START + 20);
    until(START + 5);
    var removed = new Reading.PlanRemoved(6, 0);
    var unknown = new Reading.PlanRemoved(6, 77);
    read(known().read(), List.of(removed, unknown), point(6));

    assertThat(known().waiting())
        .singleElement()
        .satisfies(waiting -> assertThat(waiting.id()).isEqualTo(id))
        .satisfies(waiting -> assertThat(waiting.plan().active()).isFalse())
        .satisfies(waiting -> assertThat(waiting.plan().window()).isEqualTo(WINDOW));
    until(START + 25);
    assertThat(chain.executedByUs).containsExactly(id);
  }

  /** It has an end, though it may still be undone. */
  @Test
  void whatHasAnEndIsNotParkedThoughItsWindowIsOver() {
    var id = chain.request(START + 20);
    until(START + 5);
    var refunded = new Reading.Seen(40, id, new Reading.End.Refunded());
    queue.accepted(OPERATOR, reading(known().read(), List.of(refunded), point(40), point(35)));

    assertThat(queue.state.entries().schedules().get(id).due().isParked()).isFalse();
    read(known().read(), List.of(), point(41));
    assertThat(outcome(id)).isEqualTo(Outcome.REFUNDED);
  }

  @Test
  void whatIsStillInItsWindowIsNotParked() {
    var id = chain.request(START + 20);
    until(START + 10);
    chain.pause(true);
    until(START + 20 + WINDOW + PlanContract.CONFIRMATIONS);
    assertThat(known().waiting()).as("the last block of it is final").hasSize(1);

    until(START + 20 + WINDOW + PlanContract.CONFIRMATIONS + 1);
    assertThat(known().waiting()).isEmpty();
    assertThat(queue.state.entries().schedules().get(id).due().isParked()).isTrue();
  }

  @Test
  void aReorganisationDeeperThanWhatIsFinalIsReadAgainFromTheStart() {
    var id = chain.request(START + 20);
    until(START + 22);
    chain.takeBack(8, START + 15);
    for (int i = 0; i < 10; i++) {
      chain.mine();
    }
    until(START + 40);

    assertThat(outcome(id)).isEqualTo(Outcome.RUN);
  }

  @Test
  void aMissedLogIsMadeGoodByTheContractsState() {
    var id = chain.request(START + 20);
    until(START + 19);
    chain.executeWithoutLog(id);
    until(START + 30);

    assertThat(outcome(id)).isEqualTo(Outcome.RUN);
  }

  /** Whatever was asked for last before the process was killed. */
  @Test
  void aProviderThatIsKilledAtAnyPlaceExecutesEachOnceAndLeavesNoGap() {
    for (int place = 1; place <= 5; place++) {
      var test = new ChainExecutionsTest();
      var ids = new ArrayList<ScheduleId>();
      for (int i = 0; i < 3; i++) {
        ids.add(test.chain.request(START + 20));
      }
      test.until(START + 18);
      test.chain.mine();
      test.provider.killedAfter(place);
      test.round();
      test.until(START + 30);

      assertThat(test.chain.executedByUs).as("%d", place).containsExactlyInAnyOrderElementsOf(ids);
      assertThat(ids).allSatisfy(id -> assertThat(test.outcome(id)).isEqualTo(Outcome.RUN));
    }
  }

  @Test
  void whatANodeHasLostIsSentAgainUnderTheSameNonce() {
    var id = chain.request(START + 20);
    until(START + 19);
    var sent = chain.pool.remove(0L);
    chain.mine();
    round();

    assertThat(chain.pool.get(0L)).isEqualTo(sent);
    chain.mine();
    assertThat(chain.executedByUs).containsExactly(id);
  }

  /** It would be refused, and paid for. */
  @Test
  void whatIsInABlockThatIsBeingMadeIsNotSentUnderAnotherNonce() {
    var id = chain.request(START + 20);
    until(START + 19);
    chain.making = true;
    round();
    round();
    chain.making = false;
    chain.mine();
    untilFinal();

    assertThat(chain.executedByUs).containsExactly(id);
    assertThat(chain.sent()).isEqualTo(1);
    assertThat(outcome(id)).isEqualTo(Outcome.RUN);
    assertThat(known().dispatches()).isEmpty();
  }

  @Test
  void aNonceThatSomethingElseHasUsedIsNoGapAndTheExecutionGoesOn() {
    var id = chain.request(START + 20);
    until(START + 19);
    chain.pool.clear();
    chain.anotherTransactionOfTheAccount();
    until(START + 25);

    assertThat(chain.executedByUs).containsExactly(id);
  }

  @Test
  void whatNoBlockTakesIsOfferedMoreFor() {
    chain.request(START + 20);
    until(START + 19);
    var first = chain.pool.get(0L).newest().fees();
    for (int i = 0; i < 4; i++) {
      chain.pool.clear();
      chain.mine();
      round();
    }

    assertThat(chain.pool.get(0L).newest().fees().max()).isGreaterThan(first.max());
    assertThat(chain.pool.get(0L).nonce()).isZero();
  }

  @Test
  void whatTheNodeNeverTakesFreesItsNonceForTheNext() {
    var id = chain.request(START + 20);
    chain.pooling = Pooling.INVALID;
    until(START + 20);
    assertThat(why(id)).contains("does not take it");
    chain.pooling = Pooling.POOLED;
    until(START + 25);

    assertThat(chain.executedByUs).containsExactly(id);
  }

  @Test
  void whatTheNodeNeverTakesKeepsNobodyBehindItWaiting() {
    var refused = chain.request(START + 20);
    var next = chain.request(START + 20);
    chain.neverTakes(refused);
    until(START + 40);

    assertThat(chain.executedByUs).contains(next);
    assertThat(outcome(next)).isEqualTo(Outcome.RUN);
    assertThat(why(refused)).contains("It is overdue").contains("does not take it");
  }

  /** As many as a round asks for, and they come first. */
  @Test
  void noMoreDoManyThatTheNodeNeverTakes() {
    for (int i = 0; i < 2 * AT_ONCE; i++) {
      chain.neverTakes(chain.request(START + 20));
    }
    var next = chain.request(START + 21);
    until(START + 40);

    assertThat(chain.executedByUs).containsExactly(next);
    assertThat(outcome(next)).isEqualTo(Outcome.RUN);
  }

  /** They are parked as soon as the end of their window is final, and not before. */
  @Test
  void norDoManyThatAreOverdue() {
    for (int i = 0; i < 2 * AT_ONCE; i++) {
      chain.request(START + 20);
    }
    var next = chain.request(START + 22);
    until(START + 18);
    chain.pause(true);
    until(START + 20 + WINDOW);
    chain.pause(false);
    until(START + 40);

    assertThat(chain.executedByUs).containsExactly(next);
  }

  @Test
  void whatHasNoRoomInABlockIsNotSentAndSaysSo() {
    chain.blockGas = 250_000;
    var id = chain.request(START + 20);
    until(START + 21);

    assertThat(why(id))
        .isEqualTo("It cannot be sent: It needs 301588 gas, and a block may use 250000.");
    assertThat(chain.pool).isEmpty();
  }

  @Test
  void thoseWhoseWindowsEndFirstGoFirstAndNoMoreThanAllowedAtOnce() {
    var later = new ArrayList<ScheduleId>();
    for (int i = 0; i < 6; i++) {
      later.add(chain.request(START + 20));
    }
    var first = chain.request(START + 19);
    until(START + 18);
    chain.pool.clear();
    chain.mine();
    chain.mine();
    round();

    assertThat(chain.pool).hasSize(AT_ONCE);
    until(START + 26);
    assertThat(chain.executedByUs).hasSize(7).startsWith(first).containsAll(later);
  }

  @Test
  void anAccountWithoutMoneyIsSaidAndServesAgainOnceItIsFunded() {
    chain.baseFee = 10;
    chain.balance = BigInteger.ZERO;
    var id = chain.request(START + 20);
    until(START + 20);
    assertThat(why(id)).contains("too little money for gas: fund it");
    assertThat(provider.reports()).anyMatch(report -> report.contains("fund it"));

    chain.balance = BigInteger.TEN.pow(18);
    until(START + 23);
    assertThat(chain.executedByUs).containsExactly(id);
  }

  @Test
  void aChainThatChargesTooMuchIsSaid() {
    chain.baseFee = 100;
    var id = chain.request(START + 20);
    until(START + 20);

    assertThat(why(id)).contains("charges more for gas than may be paid");
  }

  @Test
  void aChainThatDoesNotAnswerIsSaidAndServedAgainLater() {
    var id = chain.request(START + 20);
    until(START + 10);
    chain.unreachable = true;
    round();
    assertThat(why(id)).startsWith("The chain does not answer.");

    chain.unreachable = false;
    until(START + 22);
    assertThat(chain.executedByUs).containsExactly(id);
    assertThat(why(id)).doesNotContain("does not answer");
  }

  @Test
  void anExecutionBeforeItsTimeSaysWhenItRuns() {
    var id = chain.request(START + 20);
    until(START + 3);

    assertThat(why(id))
        .isEqualTo(
            "It is not due yet: it is executed from 1970-01-01T00:17:00Z on, at the latest at"
                + " 1970-01-01T00:17:05Z. The chain's newest block is of 1970-01-01T00:16:43Z.");
  }

  @Test
  void aFamilyThatIsPausedSendsNothing() {
    var id = chain.request(START + 20);
    until(START + 10);
    queue.accepted(OPERATOR, new Operation.Pause(FamilyKind.CHAIN_EXECUTION));
    until(START + 22);
    assertThat(chain.executedByUs).isEmpty();

    queue.accepted(OPERATOR, new Operation.Resume(FamilyKind.CHAIN_EXECUTION));
    until(START + 25);
    assertThat(chain.executedByUs).containsExactly(id);
  }

  /** One queue, one contract (PRV-1). */
  @Test
  void aQueueServesOneContractAndNobodyElseSpeaksForTheProvider() {
    until(START + 1);
    var other = new ServedContract(1, PlanContract.SERVED.address());
    var advance = new Operation.Perform(advance(other));

    assertThat(queue.refused(OPERATOR, advance)).isEqualTo(Refusal.Code.BAD_STATE);
    assertThat(
            queue.refused(
                QueueUnderTest.ALICE, new Operation.Perform(advance(PlanContract.SERVED))))
        .isEqualTo(Refusal.Code.NOT_ALLOWED);
  }

  private static Advance advance(ServedContract contract) {
    return new Advance(
        contract, Optional.empty(), List.of(), List.of(), Map.of(), List.of(), true, "");
  }

  /** Only the contract schedules (PRV-1). */
  @Test
  void nobodySchedulesItHere() {
    until(START + 2);
    var target = new Target.Transfer(QueueUnderTest.BOB, new Amount(1));
    var proposal = Proposal.of(PlanContract.REQUESTOR, terms(START + 20), target);

    assertThat(queue.refused(PlanContract.REQUESTOR, new Operation.Propose(proposal)))
        .isEqualTo(Refusal.Code.NOT_ALLOWED);
  }

  /** Its time is the chain's. */
  @Test
  void noBlockOfTheQueueServesIt() {
    var id = chain.request(START + 20);
    until(START + 2);
    var family = new ChainExecutions(SETTINGS.gas());
    var view = queue.queue.view(queue.state, FamilyKind.CHAIN_EXECUTION, queue.wall());
    var schedule = queue.state.entries().schedules().get(id);

    assertThat(family.dueNanos(schedule.due())).isEqualTo(Long.MAX_VALUE);
    assertThat(family.onDue(view, schedule)).isEqualTo(Verdict.WAIT);
    assertThat(family.price(view, List.of(schedule, schedule))).containsExactly(0L, 0L);
    assertThat(family.gasLimit(view, schedule))
        .isEqualTo(SETTINGS.gas().limit(PlanContract.GAS, 0));
  }

  @Test
  void aForecastTellsHowManyAreRequestedForThatSecondAndThatNobodyIsTakenHere() {
    chain.request(START + 20);
    chain.request(START + 20);
    chain.request(START + 21);
    until(START + 2);
    var at = ConsensusTime.ofMillis((START + 20) * 1_000 + 500);

    assertThat(queue.queue.forecast(queue.state, FamilyKind.CHAIN_EXECUTION, at, queue.wall()))
        .contains(new Forecast(ConsensusTime.ofSeconds(START + 20), 2, 0, 0, true));
  }

  /** Only the contract cancels (PRV-1). */
  @Test
  void nobodyCancelsItHere() {
    var id = chain.request(START + 20);
    until(START + 2);

    assertThat(queue.refused(PlanContract.REQUESTOR, new Operation.Cancel(id)))
        .isEqualTo(Refusal.Code.NOT_ALLOWED);
  }
}
