package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.PlansUnderTest.GAS;
import static dev.sequitur.schedule.queue.PlansUnderTest.MONEY;
import static dev.sequitur.schedule.queue.PlansUnderTest.PAYEE;
import static dev.sequitur.schedule.queue.PlansUnderTest.PRICE;
import static dev.sequitur.schedule.queue.PlansUnderTest.RIF;
import static dev.sequitur.schedule.queue.PlansUnderTest.WINDOW;
import static dev.sequitur.schedule.queue.PlansUnderTest.call;
import static dev.sequitur.schedule.queue.PlansUnderTest.pay;
import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.Refusal.Code;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.abi.AbiEncoding;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.plan.Plan;
import dev.sequitur.schedule.plan.PlanExecutionState;
import dev.sequitur.schedule.plan.PlanOperation;
import dev.sequitur.schedule.plan.PlanResult;
import dev.sequitur.schedule.queue.QueueEffect.BatchAnswer;
import dev.sequitur.schedule.queue.QueueInput.Answered;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pause, the refund of plans, and multicall. */
class PlanPauseTest {
  private final PlansUnderTest plans = PlansUnderTest.withBought(3);

  @Test
  void whilePausedNothingIsSoldScheduledOrExecuted() {
    var id = plans.schedule(15, 40);
    plans.accepted(OPERATOR, new PlanOperation.Pause());
    assertThat(plans.refused(OPERATOR, new PlanOperation.Pause())).isEqualTo(Code.BAD_STATE);

    var plan = Plan.of(1, 1, 10, Optional.empty());
    assertThat(plans.refused(OPERATOR, new PlanOperation.AddPlan(plan)))
        .isEqualTo(Code.SERVICE_NOT_ACTIVE);
    assertThat(plans.refused(ALICE, new PlanOperation.Purchase(0, 1, new Amount(PRICE))))
        .isEqualTo(Code.SERVICE_NOT_ACTIVE);
    assertThat(plans.refused(ALICE, pay(0, 15, 1))).isEqualTo(Code.SERVICE_NOT_ACTIVE);
    assertThat(plans.refused(OPERATOR, new PlanOperation.Execute(id, GAS)))
        .isEqualTo(Code.SERVICE_NOT_ACTIVE);
    plans.blockAt(15);
    assertThat(plans.queue.last.events()).isEmpty();

    plans.accepted(OPERATOR, new PlanOperation.Unpause());
    assertThat(plans.refused(OPERATOR, new PlanOperation.Unpause())).isEqualTo(Code.BAD_STATE);
    plans.queue.block();
    assertThat(plans.stateOf(id)).isEqualTo(PlanExecutionState.EXECUTION_SUCCESSFUL);
  }

  /** Nobody is to mend a payment or a batch, only to hear of the pause then. */
  @Test
  void thePauseIsTheFirstReasonWhateverElseIsWrong() {
    long rif = plans.addPlan(Plan.of(PRICE, WINDOW, GAS, Optional.of(RIF)));
    plans.accepted(OPERATOR, new PlanOperation.Pause());
    var nothing = Amount.ZERO;

    assertPaused(new PlanOperation.Purchase(0, 1, nothing));
    assertPaused(new PlanOperation.Purchase(rif, 1, new Amount(PRICE)));
    assertPaused(new PlanOperation.Purchase(77, 1, nothing));
    assertPaused(new PlanOperation.TransferAndCall(RIF, nothing, Bytes.EMPTY));
    assertPaused(
        new PlanOperation.TransferAndCall(
            RIF, nothing, new AbiEncoding().uint(0).uint(1).finish()));
    assertPaused(new PlanOperation.BatchSchedule(List.of(pay(0, 15, 1)), nothing));
    assertPaused(new PlanOperation.BatchSchedule(List.of(), nothing));
    assertPaused(new PlanOperation.Purchase(0, 0, nothing));
  }

  private void assertPaused(PlanOperation operation) {
    assertThat(plans.refused(ALICE, operation)).isEqualTo(Code.SERVICE_NOT_ACTIVE);
    assertThat(plans.queue.answer().refusal().orElseThrow().sentence()).contains("paused");
  }

  /** Nothing was paid, so nothing is given back. */
  @Test
  void aPlanThatCostsNothingIsRefundedToo() {
    long free = plans.addPlan(Plan.of(0, WINDOW, GAS, Optional.empty()));
    plans.accepted(ALICE, new PlanOperation.Purchase(free, 2, Amount.ZERO));
    long money = plans.queue.balance(ALICE);
    plans.accepted(OPERATOR, new PlanOperation.Pause());

    plans.accepted(ALICE, new PlanOperation.RequestPlanRefund(free));

    assertThat(plans.remaining(free)).isZero();
    assertThat(plans.queue.balance(ALICE)).isEqualTo(money);
  }

  @Test
  void whatPassedItsWindowDuringAPauseIsOverdueAndRefunded() {
    var id = plans.schedule(15, 40);
    plans.accepted(OPERATOR, new PlanOperation.Pause());
    assertThat(why(id)).isEqualTo("Its family is not served now: it is paused.");
    plans.blockAt(15 + WINDOW + 1);
    assertThat(plans.stateOf(id)).isEqualTo(PlanExecutionState.OVERDUE);
    assertThat(why(id))
        .isEqualTo(
            "Its family is not served now: it is paused. It is overdue: its window has passed. Ask"
                + " for its refund, or cancel it.");

    plans.accepted(ALICE, new PlanOperation.RequestExecutionRefund(id));

    assertThat(plans.stateOf(id)).isEqualTo(PlanExecutionState.REFUNDED);
    assertThat(plans.remaining(0)).isEqualTo(3);
  }

  @Test
  void aPlanIsRefundedOnlyWhilePausedAndOnlyWhatIsLeftOfIt() {
    assertThat(plans.refused(ALICE, new PlanOperation.RequestPlanRefund(0)))
        .isEqualTo(Code.BAD_STATE);
    var id = plans.schedule(15, 40);
    plans.accepted(OPERATOR, new PlanOperation.Pause());
    assertThat(plans.refused(BOB, new PlanOperation.RequestPlanRefund(0)))
        .isEqualTo(Code.BAD_STATE);

    plans.accepted(ALICE, new PlanOperation.RequestPlanRefund(0));

    assertThat(plans.remaining(0)).isZero();
    assertThat(plans.queue.balance(ALICE)).isEqualTo(MONEY - PRICE - 40);
    assertThat(plans.refused(ALICE, new PlanOperation.RequestPlanRefund(0)))
        .isEqualTo(Code.BAD_STATE);
    plans.accepted(ALICE, new PlanOperation.CancelScheduling(id));
    plans.accepted(ALICE, new PlanOperation.RequestPlanRefund(0));
    plans.assertAllMoneyIsBackOrPaid(0, 0);
  }

  @Test
  void aTokenPlanIsRefundedInItsToken() {
    long rif = plans.addPlan(Plan.of(PRICE, WINDOW, GAS, Optional.of(RIF)));
    plans.accepted(ALICE, new PlanOperation.Approve(RIF, new Amount(MONEY)));
    plans.accepted(ALICE, new PlanOperation.Purchase(rif, 2, Amount.ZERO));
    plans.accepted(OPERATOR, new PlanOperation.Pause());

    plans.accepted(ALICE, new PlanOperation.RequestPlanRefund(rif));

    assertThat(plans.queue.balance(ALICE.in(RIF))).isEqualTo(MONEY);
  }

  @Test
  void whatRunsWhenItIsPausedStaysPaidForAndIsPaid() {
    plans.schedule(call(0, 15, 40));
    plans.blockAt(15);
    var key = plans.queue.handedOver().get(0).key();
    plans.accepted(OPERATOR, new PlanOperation.Pause());
    plans.accepted(ALICE, new PlanOperation.RequestPlanRefund(0));

    plans.queue.tell(new Answered(key, new Conclusion.Failed(1, "no", false)));

    assertThat(plans.queue.balance(PAYEE)).isEqualTo(PRICE);
    plans.assertAllMoneyIsBackOrPaid(PRICE, 0);
  }

  @Test
  void aMulticallCancelsAndRefundsInOneStepWhilePaused() {
    var first = plans.schedule(15, 40);
    var second = plans.schedule(16, 2);
    plans.accepted(OPERATOR, new PlanOperation.Pause());

    var answer =
        multicall(
            true,
            new PlanOperation.CancelScheduling(first),
            new PlanOperation.CancelScheduling(second),
            new PlanOperation.RequestPlanRefund(0));

    assertThat(answer.kept()).isTrue();
    plans.assertAllMoneyIsBackOrPaid(0, 0);
  }

  /** One refusal undoes all (PLN-13). */
  @Test
  void aMulticallThatRevertsIfOneFailsChangesNothing() {
    var id = plans.schedule(15, 40);

    var answer =
        multicall(
            true,
            new PlanOperation.CancelScheduling(id),
            pay(0, 20, 1),
            new PlanOperation.CancelScheduling(id));

    assertThat(answer.kept()).isFalse();
    assertThat(answer.each()).hasSize(3);
    assertThat(plans.queue.last.events()).isEmpty();
    assertThat(plans.stateOf(id)).isEqualTo(PlanExecutionState.SCHEDULED);
  }

  /** One refusal undoes nothing else (PLN-13). */
  @Test
  void aMulticallThatDoesNotRevertTellsWhichFailed() {
    var answer = multicall(false, pay(0, 15, 1), pay(0, 15, 1), pay(0, 5, 1), pay(0, 16, 1));

    assertThat(answer.each().stream().map(each -> each.refusal().map(Refusal::code)).toList())
        .containsExactly(
            Optional.empty(),
            Optional.of(Code.DUPLICATE),
            Optional.of(Code.TIME_NOT_IN_FUTURE),
            Optional.empty());
    assertThat(plans.remaining(0)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aMulticallOfNoneIsTakenAndChangesNothing(boolean revertIfFails) {
    var before = plans.queue.state;

    var answer = multicall(revertIfFails);

    assertThat(answer.kept()).isTrue();
    assertThat(answer.each()).isEmpty();
    assertThat(plans.queue.last.events()).isEmpty();
    assertThat(plans.queue.state).isEqualTo(before);
    plans.accepted(OPERATOR, new PlanOperation.Pause());
    assertThat(multicall(revertIfFails).kept()).as("while paused").isTrue();
  }

  @Test
  void executingAndCancellingInOneMulticallPaysTheValueOnce() {
    plans.queue.fund(OPERATOR, MONEY);
    plans.accepted(OPERATOR, new PlanOperation.Purchase(0, 1, new Amount(PRICE)));
    plans.accepted(OPERATOR, pay(0, 15, 40));
    var id = ((PlanResult.Scheduled) plans.result()).executions().get(0);

    var answer =
        multicall(
            OPERATOR,
            false,
            new PlanOperation.Execute(id, GAS),
            new PlanOperation.CancelScheduling(id));

    assertThat(answer.each().get(1).refusal().orElseThrow().code()).isEqualTo(Code.ALREADY_STARTED);
    assertThat(plans.queue.balance(BOB)).isEqualTo(40);
    assertThat(plans.queue.balance(OPERATOR)).isEqualTo(MONEY - PRICE - 40);
    assertThat(plans.stateOf(id)).isEqualTo(PlanExecutionState.EXECUTION_SUCCESSFUL);
  }

  private BatchAnswer multicall(boolean revertIfFails, FamilyOperation... calls) {
    return multicall(ALICE, revertIfFails, calls);
  }

  private BatchAnswer multicall(AccountId signer, boolean revertIfFails, FamilyOperation... calls) {
    plans.queue.tell(
        new Command("multicall", signer, new Operation.Batch(List.of(calls), revertIfFails)));
    return plans.queue.last.effects().stream()
        .filter(BatchAnswer.class::isInstance)
        .map(BatchAnswer.class::cast)
        .findAny()
        .orElseThrow();
  }

  private String why(ScheduleId id) {
    return plans.queue.queue.explain(plans.queue.state, id, plans.queue.wall()).sentence();
  }
}
