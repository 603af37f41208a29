package dev.sequitur.scheduler.actor;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.TokenId;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.family.FamilyResult;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.plan.Plan;
import dev.sequitur.schedule.plan.PlanExecution;
import dev.sequitur.schedule.plan.PlanExecutionState;
import dev.sequitur.schedule.plan.PlanOperation;
import dev.sequitur.schedule.plan.PlanQuery;
import dev.sequitur.schedule.plan.PlanResult;
import dev.sequitur.schedule.plan.PlanTerms;
import dev.sequitur.schedule.recurring.Cadence;
import dev.sequitur.schedule.recurring.CronCadence;
import dev.sequitur.schedule.recurring.DaysOff;
import dev.sequitur.schedule.recurring.Overlap;
import dev.sequitur.schedule.recurring.RecurringOperation;
import dev.sequitur.schedule.recurring.RecurringResult;
import dev.sequitur.schedule.recurring.RecurringTerms;
import dev.sequitur.schedule.recurring.ResumeSeries;
import dev.sequitur.schedule.recurring.SeriesPolicy;
import dev.sequitur.schedule.recurring.SeriesTerms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Something of each kind that is said to, and by, queues of plans and of recurring tasks. */
final class PlanAndRecurringMessages {
  static final AccountId ALICE = new AccountId("alice");
  static final ScheduleId EXECUTION =
      new ScheduleId(FamilyKind.PLAN_EXECUTION, new Hash(1, -2, 3, Long.MIN_VALUE));
  static final ScheduleId TASK = new ScheduleId(FamilyKind.RECURRING, new Hash(0, 7, -1, 9));

  private static final TokenId RIF = new TokenId("RIF");
  private static final Amount MOST = new Amount(Long.MAX_VALUE);
  private static final RetryPolicy PATIENT =
      new RetryPolicy(
          7,
          new Backoff(Duration.ofSeconds(2), Duration.ofMinutes(3)),
          List.of(Duration.ofSeconds(5), Duration.ofMinutes(1)));
  private static final Target CALL =
      new Target.PrivateCall(
          new ContractAddress("0x" + "0a".repeat(20)),
          "token",
          "transfer",
          Identity.parse("alice@node1"),
          Bytes.utf8("{\"amount\":\"5\"}"));

  private PlanAndRecurringMessages() {}

  static List<FamilyOperation> operations() {
    var plain =
        new PlanOperation.Schedule(
            new PlanTerms(0, 1_795_255_500L, new Amount(25)),
            new Target.Transfer(new AccountId("bob"), new Amount(25)));
    var chosen =
        new PlanOperation.Schedule(
            new PlanTerms(3, 1_795_255_501L, Amount.ZERO),
            CALL,
            new LatePolicy.ExpireAndRefund(),
            PATIENT);
    return List.of(
        new PlanOperation.AddPlan(Plan.of(10, 60, 100, Optional.empty())),
        new PlanOperation.AddPlan(
            Plan.of(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Optional.of(RIF))),
        new PlanOperation.RemovePlan(Long.MAX_VALUE),
        new PlanOperation.SetPayee(AccountId.FEES),
        new PlanOperation.Pause(),
        new PlanOperation.Unpause(),
        new PlanOperation.Approve(RIF, MOST),
        new PlanOperation.Purchase(1, 2, new Amount(20)),
        new PlanOperation.TransferAndCall(RIF, new Amount(6), Bytes.of(new byte[64])),
        plain,
        chosen,
        new PlanOperation.BatchSchedule(List.of(plain, chosen), new Amount(25)),
        new PlanOperation.CancelScheduling(EXECUTION),
        new PlanOperation.RequestExecutionRefund(EXECUTION),
        new PlanOperation.RequestPlanRefund(0),
        new PlanOperation.Execute(EXECUTION, 100),
        new ResumeSeries(TASK),
        new RecurringOperation.SetDaysOff(
            "swiss", new DaysOff("Europe/Zurich", List.of(20_000L, 20_001L))),
        new RecurringOperation.RemoveDaysOff("swiss"),
        new RecurringOperation.BackFill(TASK, 3_600_000L, 7_200_000L, "lost"));
  }

  static List<Proposal> proposals() {
    var id = Bytes.utf8("rent");
    var late =
        List.of(
            LatePolicy.AS_SPECIFIED,
            new LatePolicy.Skip(),
            new LatePolicy.RunOnce(),
            new LatePolicy.RunAll(),
            new LatePolicy.RunWithin(Duration.ofSeconds(301)),
            new LatePolicy.ExpireAndRefund());
    var proposals = new ArrayList<Proposal>();
    for (var policy : late) {
      var terms = new RecurringTerms(id, List.of(7_200_000L, 3_600_000L));
      proposals.add(new Proposal(ALICE, terms, CALL, policy, PATIENT));
    }
    var every = new SeriesTerms(id, new Cadence.Every(3_600_000L, 86_400_000L), Optional.of(12L));
    proposals.add(Proposal.of(ALICE, every, new Target.Notify(Bytes.utf8("pay"))));
    var cron =
        new SeriesTerms(
            Bytes.EMPTY, new CronCadence("0 9 L * *", "Europe/Zurich"), Optional.empty());
    var within =
        new SeriesTerms(
            id,
            new Cadence.Every(3_600_000L, 86_400_000L),
            Optional.empty(),
            new SeriesPolicy(
                7_200_000L, 1_795_255_500_000L, "swiss", Overlap.SKIP, Duration.ofHours(2), 3));
    proposals.add(Proposal.of(ALICE, cron, new Target.Transfer(ALICE, new Amount(1))));
    proposals.add(Proposal.of(ALICE, new PlanTerms(0, 1_795_255_500L, Amount.ZERO), CALL));
    var filling =
        new RecurringTerms(
            id, List.of(7_200_000L), Optional.of(new RecurringTerms.BackFilled(TASK, 3_600_000L)));
    proposals.add(Proposal.of(ALICE, filling, CALL));
    proposals.add(
        new Proposal(
            ALICE, within, CALL, new LatePolicy.RunOnceWithin(Duration.ofMinutes(5)), PATIENT));
    return proposals;
  }

  static List<PlanQuery<?>> queries() {
    return List.of(
        new PlanQuery.Plans(),
        new PlanQuery.RemainingExecutions(ALICE, 1),
        new PlanQuery.GetExecutionById(EXECUTION),
        new PlanQuery.ExecutionsByRequestorCount(ALICE),
        new PlanQuery.GetExecutionsByRequestor(ALICE, 0, 1_000));
  }

  /** What those are answered with. */
  static List<Object> answers() {
    var answers = new ArrayList<Object>();
    var plans = List.of(Plan.of(10, 60, 100, Optional.empty()), removed());
    answers.add(new PlanQuery.Offer(plans, AccountId.FEES));
    answers.add(new PlanQuery.Offer(List.of(), ALICE));
    answers.add(new PlanQuery.Count(Long.MAX_VALUE));
    answers.add(new PlanQuery.Found(Optional.empty()));
    var executions = new ArrayList<PlanExecution>();
    for (var state : PlanExecutionState.values()) {
      executions.add(new PlanExecution(EXECUTION, 7, proposals().get(8), state));
    }
    executions.forEach(each -> answers.add(new PlanQuery.Found(Optional.of(each))));
    answers.add(new PlanQuery.Page(executions, Optional.empty()));
    answers.add(new PlanQuery.Page(List.of(), Optional.of("Ask from an index below.")));
    return answers;
  }

  private static Plan removed() {
    return new Plan(3, 1, 100, Optional.of(RIF), false);
  }

  static List<FamilyResult> results() {
    return List.of(
        new PlanResult.Added(3),
        new PlanResult.Purchased(Long.MAX_VALUE),
        new PlanResult.Scheduled(List.of(EXECUTION, EXECUTION)),
        new PlanResult.Scheduled(List.of()),
        new RecurringResult.FirstTimes(List.of(3_600_000L, 7_200_000L)),
        new RecurringResult.Filling(List.of(new RecurringResult.Filled(TASK, 3_600_000L)), 2));
  }
}
