package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.PlansUnderTest.CONTRACT;
import static dev.sequitur.schedule.queue.PlansUnderTest.GAS;
import static dev.sequitur.schedule.queue.PlansUnderTest.MONEY;
import static dev.sequitur.schedule.queue.PlansUnderTest.PAYEE;
import static dev.sequitur.schedule.queue.PlansUnderTest.PRICE;
import static dev.sequitur.schedule.queue.PlansUnderTest.START;
import static dev.sequitur.schedule.queue.PlansUnderTest.WINDOW;
import static dev.sequitur.schedule.queue.PlansUnderTest.call;
import static dev.sequitur.schedule.queue.PlansUnderTest.pay;
import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Refusal.Code;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.plan.Plan;
import dev.sequitur.schedule.plan.PlanExecutionState;
import dev.sequitur.schedule.plan.PlanOperation;
import dev.sequitur.schedule.plan.PlanTerms;
import dev.sequitur.schedule.queue.QueueEffect.Notice;
import dev.sequitur.schedule.queue.QueueInput.Answered;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The module Execution, with the refund of what is overdue. */
class PlanExecutingTest {
  private final PlansUnderTest plans = PlansUnderTest.withBought(3);

  @Test
  void atItsTimestampTheProvidersQueueExecutesByItself() {
    var id = plans.schedule(15, 40);
    plans.blockAt(14);
    assertThat(plans.queue.last.events()).isEmpty();

    plans.blockAt(15);

    assertThat(plans.stateOf(id)).isEqualTo(PlanExecutionState.EXECUTION_SUCCESSFUL);
    assertThat(plans.queue.balance(BOB)).isEqualTo(40);
    assertThat(plans.queue.balance(PAYEE)).isEqualTo(PRICE);
    assertThat(plans.queue.balance(ALICE)).isEqualTo(MONEY - 3 * PRICE - 40);
    plans.queue.block();
    assertThat(plans.queue.state.isIdle()).isTrue();
  }

  @Test
  void theQueueCanTellWhenItsNextBlockHasWork() {
    plans.schedule(15, 0);

    var next = plans.queue.queue.nextBlock(plans.queue.state, ConsensusTime.ZERO);

    assertThat(next.at()).isEqualTo((START + 15) * 1_000_000_000L);
  }

  @Test
  void theWindowIncludesBothItsEnds() {
    var early = plans.schedule(200, 1);
    plans.at(99);
    assertThat(plans.refused(OPERATOR, execute(early))).isEqualTo(Code.OUTSIDE_WINDOW);
    assertThat(plans.stateOf(early)).isEqualTo(PlanExecutionState.SCHEDULED);
    plans.at(100);
    plans.accepted(OPERATOR, execute(early));
    assertThat(plans.stateOf(early)).isEqualTo(PlanExecutionState.EXECUTION_SUCCESSFUL);

    var late = plans.schedule(201, 1);
    plans.at(301);
    assertThat(plans.stateOf(late)).isEqualTo(PlanExecutionState.SCHEDULED);
    plans.accepted(OPERATOR, execute(late));
    assertThat(plans.stateOf(late)).isEqualTo(PlanExecutionState.EXECUTION_SUCCESSFUL);
  }

  /** Overdue is computed (PLN-6). */
  @Test
  void afterItsWindowItIsOverdueAndCannotBeExecuted() {
    var id = plans.schedule(15, 40);
    plans.at(15 + WINDOW + 1);

    assertThat(plans.stateOf(id)).isEqualTo(PlanExecutionState.OVERDUE);
    assertThat(plans.refused(OPERATOR, execute(id))).isEqualTo(Code.OUTSIDE_WINDOW);
    plans.queue.block();
    assertThat(plans.queue.startedInLastBlock()).isEmpty();
    assertThat(plans.stateOf(id)).isEqualTo(PlanExecutionState.OVERDUE);
  }

  @Test
  void aBlockAtTheLastSecondOfTheWindowStillExecutes() {
    var id = plans.schedule(15, 40);

    plans.blockAt(15 + WINDOW);

    assertThat(plans.stateOf(id)).isEqualTo(PlanExecutionState.EXECUTION_SUCCESSFUL);
  }

  /** It is late and not overdue: what a block takes of that has no part in it. */
  @Test
  void whatIsWithinItsWindowIsExecutedAsIfItWereInTime() {
    var late = new PlansUnderTest(PlansUnderTest.SETTINGS.withOverdueLimit(1));
    late.addPlan(Plan.of(PRICE, WINDOW, GAS, Optional.empty()));
    late.buy(0, 3);
    var ids = List.of(late.schedule(20, 1), late.schedule(21, 1), late.schedule(22, 1));

    late.blockAt(20 + WINDOW);

    assertThat(late.queue.startedInLastBlock()).isEqualTo(ids);
  }

  /** Who executes (PLN-3). */
  @Test
  void onlyTheServiceProviderExecutesAndOnlyWhatWaits() {
    var id = plans.schedule(15, 0);

    assertThat(plans.refused(ALICE, execute(id))).isEqualTo(Code.NOT_ALLOWED);
    plans.accepted(OPERATOR, execute(id));
    assertThat(plans.refused(OPERATOR, execute(id))).isEqualTo(Code.ALREADY_STARTED);
    plans.queue.block();
    assertThat(plans.refused(OPERATOR, execute(id))).isEqualTo(Code.UNKNOWN_SCHEDULE);
  }

  /** A fault of the deployed contract (PLN-10). */
  @Test
  void aWindowLongerThanTheTimestampIsNoMistake() {
    long longest = plans.addPlan(Plan.of(PRICE, Long.MAX_VALUE, GAS, Optional.empty()));
    plans.buy(longest, 1);
    var id = plans.schedule(pay(longest, 500, 1));

    plans.accepted(OPERATOR, execute(id));

    assertThat(plans.stateOf(id)).isEqualTo(PlanExecutionState.EXECUTION_SUCCESSFUL);
    plans.blockAt(1_000_000);
  }

  /** It names the gas that it gives (PLN-3), and uses nothing up with less (PLN-10). */
  @Test
  void anExecutionThatIsStarvedOfGasDoesNotTakePlace() {
    var id = plans.schedule(15, 40);

    assertThat(plans.refused(OPERATOR, new PlanOperation.Execute(id, GAS - 1)))
        .isEqualTo(Code.TOO_LITTLE_GAS);

    assertThat(plans.stateOf(id)).isEqualTo(PlanExecutionState.SCHEDULED);
    plans.accepted(ALICE, new PlanOperation.CancelScheduling(id));
    assertThat(plans.remaining(0)).isEqualTo(3);
  }

  @Test
  void theValueOfAFailedExecutionGoesBackAndTheProviderIsPaid() {
    var id = plans.schedule(call(0, 15, 40));
    plans.blockAt(15);
    var key = plans.queue.handedOver().get(0).key();

    plans.queue.tell(new Answered(key, new Conclusion.Failed(70, "reverted", false)));

    assertThat(plans.stateOf(id)).isEqualTo(PlanExecutionState.EXECUTION_FAILED);
    assertThat(plans.queue.balance(CONTRACT)).isZero();
    assertThat(plans.queue.balance(PAYEE)).isEqualTo(PRICE);
    assertThat(plans.queue.balance(ALICE)).isEqualTo(MONEY - 3 * PRICE);
    assertThat(plans.remaining(0)).isEqualTo(2);
  }

  @Test
  void aPrivateTransactionIsHandedOverAndPaidWhenItsOutcomeIsKnown() {
    var id = plans.schedule(call(0, 15, 40));
    plans.blockAt(15);
    var key = plans.queue.handedOver().get(0).key();
    assertThat(plans.queue.balance(PAYEE)).isZero();

    plans.at(10_000);
    assertThat(plans.stateOf(id))
        .as("started in its window")
        .isEqualTo(PlanExecutionState.SCHEDULED);
    plans.queue.recover();
    assertThat(plans.queue.handedOver()).hasSize(1);
    plans.queue.tell(new Answered(key, new Conclusion.Succeeded(70)));

    assertThat(plans.stateOf(id)).isEqualTo(PlanExecutionState.EXECUTION_SUCCESSFUL);
    assertThat(plans.queue.balance(CONTRACT)).isEqualTo(40);
    assertThat(plans.queue.balance(PAYEE)).isEqualTo(PRICE);
    plans.queue.tell(new Answered(key, new Conclusion.Succeeded(70)));
    assertThat(plans.queue.last.events()).isEmpty();
  }

  @Test
  void onlyItsRequestorCancelsAnExecution() {
    var id = plans.schedule(pay(0, 15, 40));

    assertThat(plans.queue.refused(OPERATOR, new Operation.Cancel(id))).isEqualTo(Code.NOT_ALLOWED);
    plans.queue.accepted(ALICE, new Operation.Cancel(id));
    assertThat(plans.stateOf(id)).isEqualTo(PlanExecutionState.CANCELLED);
  }

  /** A fault of the deployed contract (PLN-10). */
  @Test
  void cancellingWhileTheCallRunsIsRefusedSoThatNoValueIsPaidTwice() {
    var id = plans.schedule(call(0, 15, 40));
    plans.blockAt(15);
    var key = plans.queue.handedOver().get(0).key();

    assertThat(plans.refused(ALICE, new PlanOperation.CancelScheduling(id)))
        .isEqualTo(Code.ALREADY_STARTED);
    assertThat(plans.queue.refused(ALICE, new Operation.Cancel(id)))
        .isEqualTo(Code.ALREADY_STARTED);
    plans.at(10_000);
    assertThat(plans.refused(ALICE, new PlanOperation.RequestExecutionRefund(id)))
        .isEqualTo(Code.ALREADY_STARTED);
    plans.queue.tell(new Answered(key, new Conclusion.Failed(70, "reverted", false)));
    assertThat(plans.refused(ALICE, new PlanOperation.CancelScheduling(id)))
        .isEqualTo(Code.ALREADY_STARTED);

    assertThat(plans.stateOf(id)).isEqualTo(PlanExecutionState.EXECUTION_FAILED);
    assertThat(plans.queue.balance(ALICE)).isEqualTo(MONEY - 3 * PRICE);
    assertThat(plans.queue.balance(CONTRACT)).isZero();
    assertThat(plans.queue.balance(PAYEE)).isEqualTo(PRICE);
  }

  @Test
  void aNotificationReachesTheListenersAndIsPaid() {
    var message = Bytes.utf8("due");
    var id =
        plans.schedule(
            new PlanOperation.Schedule(
                new PlanTerms(0, START + 15, Amount.ZERO), new Target.Notify(message)));

    plans.blockAt(15);

    assertThat(plans.queue.notices()).contains(new Notice.Notified(id, message));
    assertThat(plans.queue.balance(PAYEE)).isEqualTo(PRICE);
  }

  /** Refunded when it is overdue (PLN-6). */
  @Test
  void anOverdueExecutionIsRefundedOnceWithItsValueAndTheExecution() {
    var id = plans.schedule(15, 40);
    assertThat(plans.refused(ALICE, new PlanOperation.RequestExecutionRefund(id)))
        .isEqualTo(Code.BAD_STATE);
    plans.at(15 + WINDOW + 1);
    assertThat(plans.refused(BOB, new PlanOperation.RequestExecutionRefund(id)))
        .isEqualTo(Code.NOT_ALLOWED);

    plans.accepted(ALICE, new PlanOperation.RequestExecutionRefund(id));

    assertThat(plans.stateOf(id)).isEqualTo(PlanExecutionState.REFUNDED);
    assertThat(plans.remaining(0)).isEqualTo(3);
    assertThat(plans.queue.balance(ALICE)).isEqualTo(MONEY - 3 * PRICE);
    assertThat(plans.refused(ALICE, new PlanOperation.RequestExecutionRefund(id)))
        .isEqualTo(Code.UNKNOWN_SCHEDULE);
  }

  @Test
  void theOwnerIsToldOnceThatItIsOverdueAndWhatToDo() {
    var id = plans.schedule(15, 40);

    plans.blockAt(15 + WINDOW + 1);

    assertThat(plans.queue.notices())
        .singleElement()
        .isInstanceOfSatisfying(
            Notice.Parked.class,
            parked -> {
              assertThat(parked.schedule()).isEqualTo(id);
              assertThat(parked.owner()).isEqualTo(ALICE);
              assertThat(parked.why()).contains("overdue").contains("refund");
            });
    plans.queue.block();
    assertThat(plans.queue.last.events()).isEmpty();
    assertThat(plans.queue.queue.explain(plans.queue.state, id, plans.queue.wall()).sentence())
        .contains("overdue");
    plans.queue.recover();
  }

  /** An unasked refund (PLN-12). */
  @Test
  void whoeverChoosesItIsRefundedWithoutAsking() {
    var execution = pay(0, 15, 40);
    var id =
        plans.schedule(
            new PlanOperation.Schedule(
                execution.terms(),
                execution.target(),
                new LatePolicy.ExpireAndRefund(),
                RetryPolicy.NEVER));

    plans.blockAt(15 + WINDOW + 1);

    assertThat(plans.stateOf(id)).isEqualTo(PlanExecutionState.REFUNDED);
    assertThat(plans.queue.outcome(id))
        .get()
        .extracting(History.Recorded::outcome)
        .isEqualTo(Outcome.EXPIRED);
    assertThat(plans.remaining(0)).isEqualTo(3);
  }

  @Test
  void whoeverChoosesItIsTriedAgainAndThePriceIsPaidOnce() {
    var execution = call(0, 15, 40);
    var twice = new RetryPolicy(2, new Backoff(Duration.ofSeconds(5), Duration.ofSeconds(5)));
    var id =
        plans.schedule(
            new PlanOperation.Schedule(
                execution.terms(), execution.target(), LatePolicy.AS_SPECIFIED, twice));
    plans.blockAt(15);
    var first = plans.queue.handedOver().get(0).key();
    plans.queue.tell(new Answered(first, new Conclusion.Failed(70, "No sequencer.", true)));
    assertThat(plans.stateOf(id)).isEqualTo(PlanExecutionState.SCHEDULED);
    assertThat(plans.queue.balance(PAYEE)).isZero();

    plans.blockAt(15 + WINDOW + 20);
    var second = plans.queue.handedOver().get(0).key();
    assertThat(second).isEqualTo(first.nextAttempt());
    plans.queue.tell(new Answered(first, new Conclusion.Succeeded(70)));
    assertThat(plans.queue.last.events()).as("an answer to an attempt that is over").isEmpty();
    plans.queue.tell(new Answered(second, new Conclusion.Succeeded(70)));

    assertThat(plans.stateOf(id)).isEqualTo(PlanExecutionState.EXECUTION_SUCCESSFUL);
    assertThat(plans.queue.balance(PAYEE)).isEqualTo(PRICE);
    assertThat(plans.queue.balance(CONTRACT)).isEqualTo(40);
  }

  @Test
  void whyItHasNotRunSaysWhenItWillBe() {
    var id = plans.schedule(15, 40);
    assertThat(why(id)).isEqualTo("It is not due yet: it is executed at 1970-01-01T00:16:55Z.");
    plans.at(15);
    assertThat(why(id)).isEqualTo("Its time has just come: no block has been cut since.");
    plans.accepted(OPERATOR, new PlanOperation.Pause());
    assertThat(why(id)).contains("it is paused");
  }

  private String why(ScheduleId id) {
    return plans.queue.queue.explain(plans.queue.state, id, plans.queue.wall()).sentence();
  }

  @Test
  void aBacklogOfOverdueOnesMakesNoOtherOverdue() {
    plans.buy(0, 20);
    var old = new ArrayList<ScheduleId>();
    for (int i = 0; i < 12; i++) {
      old.add(plans.schedule(15 + i, 0));
    }
    var ready = plans.schedule(500, 0);

    plans.blockAt(500);

    assertThat(plans.queue.startedInLastBlock()).containsExactly(ready);
    assertThat(old)
        .allSatisfy(id -> assertThat(plans.stateOf(id)).isEqualTo(PlanExecutionState.OVERDUE));
  }

  @Test
  void whatWasScheduledFirstRunsFirstWhenTheTimeIsTheSame() {
    plans.buy(0, 5);
    var ids = new ArrayList<ScheduleId>();
    for (int i = 0; i < 6; i++) {
      ids.add(plans.schedule(20, i));
    }

    plans.blockAt(20);
    assertThat(plans.queue.startedInLastBlock()).isEqualTo(ids.subList(0, 4));
    plans.queue.block();
    assertThat(plans.queue.startedInLastBlock()).isEqualTo(ids.subList(4, 6));
  }

  @Test
  void aShutdownGivesBackEveryExecutionThatWaits() {
    var id = plans.schedule(15, 40);
    var overdue = plans.schedule(16, 2);
    plans.blockAt(16 + WINDOW + 1);
    plans.queue.accepted(OPERATOR, new Operation.Shutdown(FamilyKind.PLAN_EXECUTION));

    plans.queue.block();
    plans.accepted(ALICE, new PlanOperation.RequestPlanRefund(0));

    assertThat(plans.stateOf(id)).isEqualTo(PlanExecutionState.CANCELLED);
    assertThat(plans.stateOf(overdue)).isEqualTo(PlanExecutionState.CANCELLED);
    plans.assertAllMoneyIsBackOrPaid(0, 0);
  }

  private static PlanOperation execute(ScheduleId id) {
    return new PlanOperation.Execute(id, GAS);
  }
}
