package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.PlansUnderTest.GAS;
import static dev.sequitur.schedule.queue.PlansUnderTest.MONEY;
import static dev.sequitur.schedule.queue.PlansUnderTest.RIF;
import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.abi.AbiEncoding;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.plan.Plan;
import dev.sequitur.schedule.plan.PlanOperation;
import dev.sequitur.schedule.queue.QueueInput.Answered;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.CutBlock;
import dev.sequitur.schedule.queue.QueueInput.HandedOver;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/**
 * Two requestors, three plans, one of them in a token and one too lean to execute anything:
 * purchases, schedulings, executions, cancels and refunds, alone and in multicalls, with blocks,
 * answers (late, doubled), crashes and pauses in any order. After every input {@link
 * QueueUnderTest} audits the money: what is held is just what waits, runs, or was bought.
 */
class PlanInterleavingsTest {
  private static final RetryPolicy RETRY =
      new RetryPolicy(2, new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(2)));

  private final Map<OccurrenceKey, Target> outside = new LinkedHashMap<>();

  @Property(tries = 300)
  void everyExecutionEndsOnceAndInTheEndAllMoneyIsBackOrPaid(
      @ForAll @Size(max = 120) List<@IntRange(max = 99_999) Integer> script) {
    playedToTheEnd(script);
  }

  /** It fails and is to be tried again, and then the wall clock is set back by 28 seconds. */
  @Example
  void aNextAttemptIsWaitedForThoughTheClockWasSetBack() {
    playedToTheEnd(List.of(20, 3206, 13, 54, 10779));
  }

  private void playedToTheEnd(List<Integer> script) {
    outside.clear();
    var plans = newPlans();
    script.forEach(code -> act(plans.queue, code));
    windUp(plans.queue);

    var settled = Settlements.of(plans.queue.journal);
    assertThat(settled.ended()).isEqualTo(settled.admitted());
    assertThat(plans.queue.state.isIdle()).isTrue();
    assertThat(plans.queue.state.book().holds()).isEmpty();
    assertThat(owned(plans.queue, "")).isEqualTo(2 * MONEY);
    assertThat(owned(plans.queue, "#" + RIF)).isEqualTo(2 * MONEY);
  }

  @Property(tries = 100)
  void theSameCommandsAtTheSameTimesGiveTheSameStateByteForByte(
      @ForAll @Size(max = 80) List<@IntRange(max = 99_999) Integer> script) {
    outside.clear();
    var first = newPlans().queue;
    script.forEach(code -> act(first, code));
    outside.clear();
    var second = newPlans().queue;
    script.forEach(code -> act(second, code));

    assertThat(second.journal).isEqualTo(first.journal);
    assertThat(CanonicalState.digest(first.replay())).isEqualTo(CanonicalState.digest(first.state));
  }

  private static PlansUnderTest newPlans() {
    var plans = new PlansUnderTest();
    plans.queue.fund(BOB, MONEY);
    plans.queue.fund(BOB.in(RIF), MONEY);
    plans.addPlan(Plan.of(15, 20, GAS, Optional.empty()));
    plans.addPlan(Plan.of(7, 60, GAS, Optional.of(RIF)));
    plans.addPlan(Plan.of(0, 40, 10, Optional.empty()));
    return plans;
  }

  private void act(QueueUnderTest queue, int code) {
    int detail = code / 20;
    var signer = detail % 3 == 0 ? BOB : ALICE;
    switch (code % 20) {
      case 0, 1 -> perform(queue, signer, purchase(detail));
      case 2, 3, 4, 5 -> perform(queue, signer, schedule(queue, detail));
      case 6 -> propose(queue, signer, detail);
      case 7, 8, 9, 10 -> {
        queue.nowMs += detail % 20 * 1_000L;
        tell(queue, new CutBlock());
      }
      case 11, 12 -> perform(queue, signer, end(queue, detail));
      case 13 -> perform(queue, OPERATOR, new PlanOperation.Execute(any(queue, detail), GAS));
      case 14, 15, 16 -> answer(queue, detail);
      case 17 -> queue.recover();
      case 18 -> multicall(queue, signer, detail);
      default -> disturb(queue, detail);
    }
  }

  private void disturb(QueueUnderTest queue, int detail) {
    switch (detail % 5) {
      case 0 -> perform(queue, OPERATOR, new PlanOperation.Pause());
      case 1 -> perform(queue, OPERATOR, new PlanOperation.Unpause());
      case 2 -> queue.tellAndCrashBeforeItIsStored(new CutBlock());
      case 3 -> queue.nowMs -= detail % 30 * 1_000L;
      default -> perform(queue, OPERATOR, new PlanOperation.RemovePlan(detail % 7));
    }
  }

  private static PlanOperation purchase(int detail) {
    long plan = detail % 3;
    long quantity = detail % 4;
    return switch (detail % 5) {
      case 0 -> new PlanOperation.Approve(RIF, new Amount(detail % 60));
      case 1 ->
          new PlanOperation.TransferAndCall(
              RIF, new Amount(quantity * 7), new AbiEncoding().uint(1).uint(quantity).finish());
      case 2 -> new PlanOperation.Purchase(1, quantity, Amount.ZERO);
      default ->
          new PlanOperation.Purchase(plan, quantity, new Amount(plan == 0 ? quantity * 15 : 0));
    };
  }

  private static PlanOperation schedule(QueueUnderTest queue, int detail) {
    var one = execution(queue, detail);
    if (detail % 6 != 0) {
      return one;
    } else if (detail % 30 == 0) {
      return new PlanOperation.BatchSchedule(List.of(), Amount.ZERO);
    }
    var other = execution(queue, detail + 1);
    return new PlanOperation.BatchSchedule(
        List.of(one, other), one.terms().value().plus(other.terms().value()));
  }

  private static PlanOperation.Schedule execution(QueueUnderTest queue, int detail) {
    long inSeconds = 15L + detail % 40;
    long start = Math.max(0, queue.nowMs / 1_000 - PlansUnderTest.START);
    return detail % 4 == 0
        ? PlansUnderTest.call(detail % 3, start + inSeconds, detail % 50)
        : PlansUnderTest.pay(detail % 3, start + inSeconds, detail % 50);
  }

  /** With policies of its own, which only a proposal can have. */
  private void propose(QueueUnderTest queue, AccountId signer, int detail) {
    var execution = execution(queue, detail);
    var proposal =
        new Proposal(
            signer,
            execution.terms(),
            execution.target(),
            detail % 2 == 0 ? new LatePolicy.ExpireAndRefund() : LatePolicy.AS_SPECIFIED,
            RETRY);
    tell(queue, new Command("propose", signer, new Operation.Propose(proposal)));
  }

  private static PlanOperation end(QueueUnderTest queue, int detail) {
    return switch (detail % 4) {
      case 0 -> new PlanOperation.RequestExecutionRefund(any(queue, detail));
      case 1 -> new PlanOperation.RequestPlanRefund(detail % 3);
      default -> new PlanOperation.CancelScheduling(any(queue, detail));
    };
  }

  private void multicall(QueueUnderTest queue, AccountId signer, int detail) {
    List<FamilyOperation> calls =
        List.of(
            purchase(detail),
            schedule(queue, detail),
            end(queue, detail + 1),
            end(queue, detail + 2));
    var some = calls.subList(0, calls.size() - detail % (calls.size() + 1));
    tell(queue, new Command("multicall", signer, new Operation.Batch(some, detail % 2 == 0)));
  }

  /** Any that waits or is on its way out; one that never was, if there is none. */
  private static ScheduleId any(QueueUnderTest queue, int detail) {
    var ids = new ArrayList<ScheduleId>();
    queue.state.entries().schedules().values().forEach(schedule -> ids.add(schedule.id()));
    return ids.isEmpty()
        ? new ScheduleId(FamilyKind.PLAN_EXECUTION, new Hash(1, 2, 3, 4))
        : ids.get(detail / 8 % ids.size());
  }

  private void answer(QueueUnderTest queue, int detail) {
    var keys = new ArrayList<>(outside.keySet());
    if (!keys.isEmpty()) {
      var key = keys.get(detail / 3 % keys.size());
      switch (detail % 3) {
        case 0 -> tell(queue, new HandedOver(key, QueueUnderTest.OUTSIDE));
        case 1 -> tell(queue, new Answered(key, new Conclusion.Succeeded(detail % 30)));
        default -> tell(queue, new Answered(key, new Conclusion.Failed(detail % 30, "no", true)));
      }
    }
  }

  private void perform(QueueUnderTest queue, AccountId signer, FamilyOperation operation) {
    tell(queue, new Command("perform", signer, new Operation.Perform(operation)));
  }

  private void tell(QueueUnderTest queue, QueueInput input) {
    queue.tell(input);
    queue.handedOver().forEach(handed -> outside.put(handed.key(), handed.request()));
  }

  /**
   * The provider stops: what runs is answered, what waits is cancelled, what is left refunded. A
   * wall clock that was set back goes right again before, so that what waits for its next attempt
   * has it.
   */
  private void windUp(QueueUnderTest queue) {
    queue.nowMs = Math.max(queue.nowMs, queue.state.clock().last().millis());
    if (queue.state.service(FamilyKind.PLAN_EXECUTION) == Service.PAUSED) {
      perform(queue, OPERATOR, new PlanOperation.Unpause());
    }
    for (int i = 0; i < 5; i++) {
      queue.nowMs += 5_000;
      tell(queue, new CutBlock());
      for (var key : List.copyOf(outside.keySet())) {
        tell(queue, new Answered(key, new Conclusion.Succeeded(5)));
      }
    }
    perform(queue, OPERATOR, new PlanOperation.Pause());
    tell(queue, new CutBlock());
    // What waits stays paid for, and is refunded once it is cancelled.
    refundAll(queue);
    var waiting = new ArrayList<Proposal>();
    var ids = new ArrayList<ScheduleId>();
    for (var schedule : queue.state.entries().schedules().values()) {
      waiting.add(schedule.proposal());
      ids.add(schedule.id());
    }
    for (int i = 0; i < ids.size(); i++) {
      perform(queue, waiting.get(i).owner(), new PlanOperation.CancelScheduling(ids.get(i)));
    }
    refundAll(queue);
    tell(queue, new CutBlock());
  }

  private void refundAll(QueueUnderTest queue) {
    for (long plan = 0; plan < 3; plan++) {
      perform(queue, ALICE, new PlanOperation.RequestPlanRefund(plan));
      perform(queue, BOB, new PlanOperation.RequestPlanRefund(plan));
    }
  }

  /** What all accounts of one money have, the book's own apart. */
  private static long owned(QueueUnderTest queue, String token) {
    long sum = 0;
    for (var entry : queue.state.book().balances().entrySet()) {
      var account = entry.getKey();
      boolean counted = account.token().map(name -> "#" + name).orElse("").equals(token);
      sum += counted && account.value().charAt(0) != '@' ? entry.getValue() : 0;
    }
    return sum;
  }
}
