package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.PlansUnderTest.CONTRACT;
import static dev.sequitur.schedule.queue.PlansUnderTest.GAS;
import static dev.sequitur.schedule.queue.PlansUnderTest.MONEY;
import static dev.sequitur.schedule.queue.PlansUnderTest.PRICE;
import static dev.sequitur.schedule.queue.PlansUnderTest.START;
import static dev.sequitur.schedule.queue.PlansUnderTest.WINDOW;
import static dev.sequitur.schedule.queue.PlansUnderTest.call;
import static dev.sequitur.schedule.queue.PlansUnderTest.pay;
import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.Refusal.Code;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.plan.Plan;
import dev.sequitur.schedule.plan.PlanExecution;
import dev.sequitur.schedule.plan.PlanExecutionState;
import dev.sequitur.schedule.plan.PlanOperation;
import dev.sequitur.schedule.plan.PlanQuery;
import dev.sequitur.schedule.plan.PlanResult;
import dev.sequitur.schedule.plan.PlanTerms;
import dev.sequitur.schedule.queue.QueueInput.Answered;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The module Scheduling: schedule, batchSchedule, cancelScheduling, and asking. */
class PlanSchedulingTest {
  private final PlansUnderTest plans = PlansUnderTest.withBought(3);

  @Test
  void schedulingTakesOneOfThePurchasedAndHoldsTheValue() {
    var id = plans.schedule(15, 40);

    assertThat(plans.stateOf(id)).isEqualTo(PlanExecutionState.SCHEDULED);
    assertThat(plans.remaining(0)).isEqualTo(2);
    assertThat(plans.queue.balance(ALICE)).isEqualTo(MONEY - 3 * PRICE - 40);
    assertThat(plans.queue.balance(BOB)).isZero();
  }

  @Test
  void theSameIsProposedAsAnyOtherSchedule() {
    var execution = pay(0, 15, 40);
    var proposal = Proposal.of(ALICE, execution.terms(), execution.target());

    var id = plans.queue.insert(proposal);

    assertThat(plans.stateOf(id)).isEqualTo(PlanExecutionState.SCHEDULED);
    assertThat(plans.refused(ALICE, execution)).isEqualTo(Code.DUPLICATE);
    assertThat(plans.queue.refused(BOB, new Operation.Propose(proposal)))
        .isEqualTo(Code.NOT_ALLOWED);
  }

  @Test
  void onlyWhatWasPurchasedOfThisPlanCanBeScheduled() {
    assertThat(plans.refused(BOB, pay(0, 15, 0))).isEqualTo(Code.NO_EXECUTION_LEFT);
    assertThat(plans.refused(ALICE, pay(1, 15, 0))).isEqualTo(Code.NO_EXECUTION_LEFT);
    for (int i = 0; i < 3; i++) {
      plans.schedule(15 + i, 0);
    }
    assertThat(plans.refused(ALICE, pay(0, 20, 0))).isEqualTo(Code.NO_EXECUTION_LEFT);
  }

  @Test
  void itIsScheduledFifteenSecondsAheadAtLeast() {
    assertThat(plans.refused(ALICE, pay(0, 14, 0))).isEqualTo(Code.TIME_NOT_IN_FUTURE);
    plans.schedule(15, 0);
  }

  @Test
  void theValueMustBeThere() {
    assertThat(plans.refused(ALICE, pay(0, 15, MONEY))).isEqualTo(Code.INSUFFICIENT_BALANCE);
  }

  @Test
  void itSendsJustWhatItSays() {
    var terms = new PlanTerms(0, START + 15, new Amount(5));
    var other = new Target.Transfer(BOB, new Amount(6));
    assertThat(plans.refused(ALICE, new PlanOperation.Schedule(terms, other)))
        .isEqualTo(Code.WRONG_PAYMENT);
    var message = new Target.Notify(Bytes.utf8("hello"));
    assertThat(plans.refused(ALICE, new PlanOperation.Schedule(terms, message)))
        .isEqualTo(Code.WRONG_PAYMENT);
  }

  @Test
  void aPlanExecutesNoRepetitionNoEmptyMessageAndNothingTooLarge() {
    var terms = new PlanTerms(0, START + 15, Amount.ZERO);
    var repeat = new Target.Repeat(new Target.Transfer(BOB, Amount.ZERO), 1, 1);
    assertThat(plans.refused(ALICE, new PlanOperation.Schedule(terms, repeat)))
        .isEqualTo(Code.BAD_STATE);
    var empty = new Target.Notify(Bytes.EMPTY);
    assertThat(plans.refused(ALICE, new PlanOperation.Schedule(terms, empty)))
        .isEqualTo(Code.BAD_STATE);
    var large = new Target.Notify(Bytes.of(new byte[65]));
    assertThat(plans.refused(ALICE, new PlanOperation.Schedule(terms, large)))
        .isEqualTo(Code.TOO_LARGE);
    var largest = new Target.Notify(Bytes.of(new byte[64]));
    plans.schedule(new PlanOperation.Schedule(terms, largest));
  }

  @Test
  void whatIsScheduledLiesBeforeTheEndOfTheQueuesClock() {
    long end = Long.MAX_VALUE / 1_000_000_000;
    assertThat(plans.refused(ALICE, pay(0, end - START + 1, 0))).isEqualTo(Code.BAD_TIME);
    assertThat(plans.refused(ALICE, pay(0, Long.MAX_VALUE - 1 - START, 0)))
        .isEqualTo(Code.BAD_TIME);
    plans.schedule(end - START, 0);
  }

  @Test
  void itsWindowIsItsLatePolicy() {
    var execution = pay(0, 15, 0);
    var proposal =
        new Proposal(
            ALICE,
            execution.terms(),
            execution.target(),
            new LatePolicy.RunAll(),
            RetryPolicy.NEVER);

    assertThat(plans.queue.refused(ALICE, new Operation.Propose(proposal)))
        .isEqualTo(Code.BAD_STATE);
  }

  @Test
  void aBatchIsScheduledWholeWithTheSumOfItsValues() {
    var batch = List.of(pay(0, 15, 5), pay(0, 16, 6), pay(0, 17, 7));
    assertThat(plans.refused(ALICE, new PlanOperation.BatchSchedule(batch, new Amount(17))))
        .isEqualTo(Code.WRONG_PAYMENT);

    plans.accepted(ALICE, new PlanOperation.BatchSchedule(batch, new Amount(18)));

    var ids = ((PlanResult.Scheduled) plans.result()).executions();
    assertThat(ids).hasSize(3).doesNotHaveDuplicates();
    assertThat(plans.remaining(0)).isZero();
    plans.blockAt(17);
    assertThat(plans.queue.startedInLastBlock()).containsExactlyElementsOf(ids);
    plans.assertAllMoneyIsBackOrPaid(3 * PRICE, 18);
  }

  @Test
  void whatABatchSchedulesForOneTimeIsExecutedInItsOrder() {
    var batch = List.of(pay(0, 15, 7), pay(0, 15, 5), pay(0, 15, 6));
    plans.accepted(ALICE, new PlanOperation.BatchSchedule(batch, new Amount(18)));
    var ids = ((PlanResult.Scheduled) plans.result()).executions();

    plans.blockAt(15);

    assertThat(plans.queue.startedInLastBlock()).containsExactlyElementsOf(ids);
  }

  @Test
  void aBatchOfNoneIsTakenAndChangesNothing() {
    var before = plans.queue.state;
    var none = new PlanOperation.BatchSchedule(List.of(), Amount.ZERO);

    plans.accepted(ALICE, none);
    assertThat(plans.result()).isEqualTo(new PlanResult.Scheduled(List.of()));
    plans.accepted(BOB, none);

    assertThat(plans.queue.state.families()).isEqualTo(before.families());
    assertThat(plans.queue.state.book()).isEqualTo(before.book());
    assertThat(plans.queue.state.entries()).isEqualTo(before.entries());
    var paid = new PlanOperation.BatchSchedule(List.of(), new Amount(1));
    assertThat(plans.refused(ALICE, paid)).isEqualTo(Code.WRONG_PAYMENT);
  }

  @Test
  void anExecutionThatSendsNothingIsExecutedAndPaidForAsAnyOther() {
    var transfer = plans.schedule(pay(0, 15, 0));
    var call = plans.schedule(call(0, 16, 0));

    plans.blockAt(15);
    plans.blockAt(16);
    var key = plans.queue.handedOver().get(0).key();
    plans.queue.tell(new Answered(key, new Conclusion.Succeeded(1)));

    assertThat(plans.stateOf(transfer)).isEqualTo(PlanExecutionState.EXECUTION_SUCCESSFUL);
    assertThat(plans.stateOf(call)).isEqualTo(PlanExecutionState.EXECUTION_SUCCESSFUL);
    assertThat(plans.queue.balance(PlansUnderTest.PAYEE)).isEqualTo(2 * PRICE);
    assertThat(plans.queue.balance(BOB)).isZero();
    assertThat(plans.queue.balance(CONTRACT)).isZero();
  }

  @Test
  void anExecutionThatSendsNothingIsCancelledAndRefundedAsAnyOther() {
    var cancelled = plans.schedule(15, 0);
    var overdue = plans.schedule(16, 0);
    plans.accepted(ALICE, new PlanOperation.CancelScheduling(cancelled));
    plans.blockAt(16 + WINDOW + 1);

    plans.accepted(ALICE, new PlanOperation.RequestExecutionRefund(overdue));

    assertThat(plans.stateOf(overdue)).isEqualTo(PlanExecutionState.REFUNDED);
    assertThat(plans.remaining(0)).isEqualTo(3);
    assertThat(plans.queue.balance(ALICE)).isEqualTo(MONEY - 3 * PRICE);
  }

  @Test
  void oneThatCannotBeScheduledFailsTheWholeBatch() {
    var same = List.of(pay(0, 15, 5), pay(0, 15, 5));
    assertThat(plans.refused(ALICE, new PlanOperation.BatchSchedule(same, new Amount(10))))
        .isEqualTo(Code.DUPLICATE);
    var tooMany = List.of(pay(0, 15, 0), pay(0, 16, 0), pay(0, 17, 0), pay(0, 18, 0));
    assertThat(plans.refused(ALICE, new PlanOperation.BatchSchedule(tooMany, Amount.ZERO)))
        .isEqualTo(Code.NO_EXECUTION_LEFT);
    long half = MONEY / 2;
    var tooDear = List.of(pay(0, 15, half), pay(0, 16, half));
    assertThat(plans.refused(ALICE, new PlanOperation.BatchSchedule(tooDear, new Amount(MONEY))))
        .isEqualTo(Code.INSUFFICIENT_BALANCE);
    var huge = List.of(pay(0, 15, Long.MAX_VALUE), pay(0, 16, 1));
    assertThat(plans.refused(ALICE, new PlanOperation.BatchSchedule(huge, Amount.ZERO)))
        .isEqualTo(Code.OVERFLOW);
    assertThat(plans.remaining(0)).isEqualTo(3);
  }

  @Test
  void cancellingGivesBackTheValueAndTheExecution() {
    var id = plans.schedule(15, 40);
    assertThat(plans.refused(BOB, new PlanOperation.CancelScheduling(id)))
        .isEqualTo(Code.NOT_ALLOWED);

    plans.accepted(ALICE, new PlanOperation.CancelScheduling(id));

    assertThat(plans.stateOf(id)).isEqualTo(PlanExecutionState.CANCELLED);
    assertThat(plans.remaining(0)).isEqualTo(3);
    assertThat(plans.queue.balance(ALICE)).isEqualTo(MONEY - 3 * PRICE);
    assertThat(plans.refused(ALICE, new PlanOperation.CancelScheduling(id)))
        .isEqualTo(Code.UNKNOWN_SCHEDULE);
  }

  /** Cancelled when it is overdue (PLN-6). */
  @Test
  void whatIsOverdueCanBeCancelledToo() {
    var id = plans.schedule(15, 40);
    plans.blockAt(15 + WINDOW + 1);
    assertThat(plans.stateOf(id)).isEqualTo(PlanExecutionState.OVERDUE);

    plans.accepted(ALICE, new PlanOperation.CancelScheduling(id));

    assertThat(plans.stateOf(id)).isEqualTo(PlanExecutionState.CANCELLED);
    assertThat(plans.remaining(0)).isEqualTo(3);
  }

  /** A fault of the deployed contract (PLN-10). */
  @Test
  void theSameCanBeScheduledAgainAfterItWasCancelledAsANewIncarnation() {
    var first = plans.schedule(15, 40);
    plans.accepted(ALICE, new PlanOperation.CancelScheduling(first));

    assertThat(plans.schedule(15, 40)).isEqualTo(first);

    assertThat(plans.stateOf(first)).isEqualTo(PlanExecutionState.SCHEDULED);
    assertThat(plans.ask().getExecutionsByRequestor(ALICE, 0, 2))
        .extracting(PlanExecution::state)
        .containsExactly(PlanExecutionState.CANCELLED, PlanExecutionState.SCHEDULED);
    plans.blockAt(15);
    assertThat(plans.stateOf(first)).isEqualTo(PlanExecutionState.EXECUTION_SUCCESSFUL);
    assertThat(plans.queue.balance(BOB)).isEqualTo(40);
  }

  @Test
  void theSameCannotBeScheduledAgainAfterItWasExecuted() {
    var id = plans.schedule(100, 40);
    plans.accepted(OPERATOR, new PlanOperation.Execute(id, GAS));

    assertThat(plans.refused(ALICE, pay(0, 100, 40))).isEqualTo(Code.DUPLICATE);
    plans.queue.block();
    assertThat(plans.refused(ALICE, pay(0, 100, 40))).isEqualTo(Code.DUPLICATE);
  }

  @Test
  void whatWasNeverScheduledIsNonexistent() {
    var id = plans.schedule(15, 0);
    var other = new PlansUnderTest();

    assertThat(other.stateOf(id)).isEqualTo(PlanExecutionState.NONEXISTENT);
    assertThat(other.ask().getExecutionById(id)).isEmpty();
    assertThat(other.ask().executionsByRequestorCount(ALICE)).isZero();
  }

  @Test
  void anExecutionIsReadById() {
    var execution = call(0, 15, 4);
    var id = plans.schedule(execution);

    assertThat(plans.ask().getExecutionById(id))
        .hasValueSatisfying(
            read -> {
              assertThat(read.proposal().owner()).isEqualTo(ALICE);
              assertThat(read.proposal().terms()).isEqualTo(execution.terms());
              assertThat(read.proposal().target()).isEqualTo(execution.target());
              assertThat(read.state()).isEqualTo(PlanExecutionState.SCHEDULED);
            });
    assertThat(plans.queue.balance(CONTRACT)).isZero();
  }

  @Test
  void aRequestorsExecutionsArePagedInTheOrderOfScheduling() {
    var ids = List.of(plans.schedule(17, 0), plans.schedule(15, 0), plans.schedule(16, 0));

    assertThat(plans.ask().executionsByRequestorCount(ALICE)).isEqualTo(3);
    assertThat(page(0, 3)).isEqualTo(ids);
    assertThat(page(1, 2)).containsExactly(ids.get(1));
    outOfRange(1, 1);
    outOfRange(2, 1);
    outOfRange(0, 4);
    outOfRange(-1, 1);
  }

  @Test
  void whatIsForgottenKeepsItsIndexAndWhatIsOpenIsNeverForgotten() {
    var open = plans.schedule(1_000, 0);
    int kept = PlansUnderTest.SETTINGS.finishedKept();
    var ids = new ArrayList<ScheduleId>();
    for (int i = 0; i < kept + 2; i++) {
      ids.add(plans.schedule(15 + i, 0));
      plans.accepted(ALICE, new PlanOperation.CancelScheduling(ids.get(i)));
    }

    assertThat(plans.ask().executionsByRequestorCount(ALICE)).isEqualTo(kept + 3);
    assertThat(page(0, kept + 3))
        .hasSize(kept + 1)
        .startsWith(open, ids.get(2))
        .endsWith(ids.get(kept + 1));
    assertThat(page(1, 3)).isEmpty();
    assertThat(plans.stateOf(ids.get(1))).isEqualTo(PlanExecutionState.NONEXISTENT);
  }

  @Test
  void whatIsForgottenOfOneThatWasScheduledAgainIsWhatItWasBefore() {
    var one = new PlansUnderTest(PlansUnderTest.SETTINGS.withFinishedKept(1));
    one.addPlan(Plan.of(PRICE, WINDOW, GAS, Optional.empty()));
    one.buy(0, 3);
    var again = one.schedule(15, 40);
    one.accepted(ALICE, new PlanOperation.CancelScheduling(again));
    one.schedule(15, 40);
    var other = one.schedule(16, 0);

    one.accepted(ALICE, new PlanOperation.CancelScheduling(other));

    assertThat(one.ask().getExecutionsByRequestor(ALICE, 0, 3))
        .extracting(PlanExecution::state)
        .containsExactly(PlanExecutionState.SCHEDULED, PlanExecutionState.CANCELLED);
    assertThat(one.stateOf(again)).isEqualTo(PlanExecutionState.SCHEDULED);
  }

  @Test
  void aPageHasAThousandExecutionsAtMost() {
    plans.buy(0, 998);
    var batch = IntStream.range(0, 1_000).mapToObj(number -> pay(0, 15 + number, 0)).toList();
    plans.accepted(ALICE, new PlanOperation.BatchSchedule(batch, Amount.ZERO));
    plans.schedule(2_000, 0);

    assertThat(page(0, 1_000)).hasSize(1_000);
    assertThat(page(1, 1_001)).hasSize(1_000);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> page(0, 1_001))
        .withMessageContaining("at most 1000");
  }

  @Test
  void theQueueAnswersEachQuestionOfTheContract() {
    var id = plans.schedule(15, 40);

    assertThat(answered(new PlanQuery.Plans()))
        .isEqualTo(new PlanQuery.Offer(plans.ask().plans(), PlansUnderTest.PAYEE));
    assertThat(answered(new PlanQuery.RemainingExecutions(ALICE, 0)).executions()).isEqualTo(2);
    assertThat(answered(new PlanQuery.ExecutionsByRequestorCount(ALICE)).executions()).isOne();
    assertThat(answered(new PlanQuery.GetExecutionById(id)).execution())
        .isEqualTo(plans.ask().getExecutionById(id));
    var page = answered(new PlanQuery.GetExecutionsByRequestor(ALICE, 0, 1));
    assertThat(page.executions()).extracting(PlanExecution::id).containsExactly(id);
    assertThat(page.objection()).isEmpty();
    var beyond = answered(new PlanQuery.GetExecutionsByRequestor(ALICE, 0, 2));
    assertThat(beyond.executions()).isEmpty();
    assertThat(beyond.objection().orElseThrow()).contains("1 at most");
  }

  private <R> R answered(PlanQuery<R> query) {
    return plans.queue.queue.ask(plans.queue.state, query, plans.queue.wall());
  }

  private List<ScheduleId> page(long from, long to) {
    return plans.ask().getExecutionsByRequestor(ALICE, from, to).stream()
        .map(PlanExecution::id)
        .toList();
  }

  private void outOfRange(long from, long to) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plans.ask().getExecutionsByRequestor(ALICE, from, to))
        .withMessageContaining("3 at most");
  }
}
