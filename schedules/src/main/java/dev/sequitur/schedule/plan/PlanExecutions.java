package dev.sequitur.schedule.plan;

import static dev.sequitur.schedule.plan.PlanState.account;
import static dev.sequitur.schedule.plan.PlanState.terms;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.Cost;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.Verdict;
import dev.sequitur.schedule.family.Act;
import dev.sequitur.schedule.family.Admission;
import dev.sequitur.schedule.family.Agenda;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.family.FamilyEvent;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.family.FamilyState;
import dev.sequitur.schedule.family.Forecast;
import dev.sequitur.schedule.family.OccurrenceEnding;
import dev.sequitur.schedule.family.Performance;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.QueueView;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.family.Settlement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Executions that run within a window, by a purchased plan (docs/rules/plan-executions.md). What
 * was bought is one named hold for each requestor and plan: its price leaves it with an outcome, or
 * goes back with a plan refund. The value of an execution is its own hold. The due order is
 * timestamp, then order of scheduling; what is overdue is parked.
 */
public final class PlanExecutions
    implements Family.Operated, Family.HoldingValue, Family.Following {
  private static final int MILLIS = 1_000;

  private final PlanSettings settings;
  private final PlanScheduling scheduling;
  private final PlanSelling selling;

  public PlanExecutions(PlanSettings settings) {
    this.settings = settings;
    this.scheduling = new PlanScheduling(settings);
    this.selling = new PlanSelling(settings);
  }

  @Override
  public FamilyKind kind() {
    return FamilyKind.PLAN_EXECUTION;
  }

  @Override
  public FamilyState initial() {
    return PlanState.initial(settings.payee());
  }

  @Override
  public Admission admit(QueueView view, Proposal proposal, AccountId signer) {
    return scheduling.admit(view, proposal, signer);
  }

  @Override
  public Performance perform(QueueView view, FamilyOperation operation, AccountId signer) {
    return perform(view, Family.own(PlanOperation.class, operation), signer);
  }

  private Performance perform(QueueView view, PlanOperation operation, AccountId signer) {
    return switch (operation) {
      case PlanOperation.Schedule schedule -> scheduling.schedule(view, List.of(schedule), signer);
      case PlanOperation.BatchSchedule batch -> scheduling.schedule(view, batch, signer);
      case PlanOperation.CancelScheduling(var execution) ->
          scheduling.cancel(view, execution, signer);
      case PlanOperation.RequestExecutionRefund(var execution) ->
          scheduling.refund(view, execution, signer);
      case PlanOperation.Execute execute -> scheduling.execute(view, execute, signer);
      case PlanOperation.OfPlans ofPlans -> selling.perform(view, ofPlans, signer);
    };
  }

  /** What is certainly overdue has its own limit: an outage's rest must not make more overdue. */
  @Override
  public Agenda agenda(QueueView view) {
    long now = view.now().seconds();
    return new Agenda(
        DueKey.from(Math.max(0, now - PlanState.of(view.state()).longestWindow())),
        DueKey.from(now + 1),
        settings.overdueLimit(),
        settings.readyLimit());
  }

  @Override
  public Verdict onDue(QueueView view, Schedule schedule) {
    if (!PlanState.of(view.state()).isOver(schedule.proposal(), view.now().seconds())) {
      return Verdict.FIRE;
    }
    return schedule.proposal().late() instanceof LatePolicy.ExpireAndRefund
        ? Verdict.EXPIRE
        : Verdict.PARK;
  }

  /** The price is per execution, not per gas. */
  @Override
  public List<Long> price(QueueView view, List<Schedule> selected) {
    return Collections.nCopies(selected.size(), 0L);
  }

  @Override
  public long gasLimit(QueueView view, Schedule schedule) {
    return plan(view, schedule).gasLimit();
  }

  /**
   * A call that names no gas gets what the plan promises, neither more nor less, as at the deployed
   * contract (PLN-14).
   */
  @Override
  public Target request(QueueView view, Schedule schedule) {
    var target = schedule.proposal().target();
    return target instanceof Target.PublicCall call && call.gas() == 0
        ? call.withGas(plan(view, schedule).gasLimit())
        : target;
  }

  /**
   * An execution, successful or not, is paid to the payee (PLN-9); the value goes to the receiver
   * only if it succeeded. Whatever was not executed can be scheduled again.
   */
  @Override
  public Settlement settle(QueueView view, Schedule schedule, OccurrenceEnding ending) {
    var outcome = ending.outcome();
    var receiver = PlanCall.receiver(schedule.proposal().target());
    boolean pays = outcome == Outcome.RUN && receiver.isPresent();
    return new Settlement(
        pays ? value(schedule) : Amount.ZERO,
        receiver.orElse(AccountId.FEES),
        settlingActs(PlanState.of(view.state()), schedule, outcome),
        Optional.empty(),
        Optional.empty());
  }

  private List<Act> settlingActs(PlanState state, Schedule schedule, Outcome outcome) {
    var account = account(schedule);
    var plan = state.require(account.plan());
    var acts = new ArrayList<Act>();
    acts.add(new Act.Change(new PlanEvent.ExecutionEnded(schedule.id(), outcome)));
    if (PlanEvent.isExecuted(outcome) && plan.price() > 0) {
      var payee = plan.moneyOf(state.payee());
      acts.add(new Act.Capture(account.hold(), payee, new Amount(plan.price())));
      if (state.credit(account).execute().equals(PlanCredit.NONE)) {
        acts.add(new Act.Release(account.hold()));
      }
    }
    return acts;
  }

  /** Its price, out of what was bought; what its own hold pays is its value. */
  @Override
  public Amount charged(FamilyState state, Schedule schedule, Outcome outcome, Amount captured) {
    var plan = PlanState.of(state).require(terms(schedule.proposal()).plan());
    return PlanEvent.isExecuted(outcome) ? new Amount(plan.price()) : Amount.ZERO;
  }

  /** In the plan's money. */
  @Override
  public Optional<Cost.Parties> parties(FamilyState state, Schedule schedule) {
    var plans = PlanState.of(state);
    var plan = plans.require(terms(schedule.proposal()).plan());
    var from = plan.moneyOf(schedule.proposal().owner());
    var to = plan.moneyOf(plans.payee());
    return plan.token().isEmpty() && to.equals(AccountId.FEES)
        ? Optional.empty()
        : Optional.of(new Cost.Parties(from, to));
  }

  /** Its value; its price is part of what was bought. */
  @Override
  public Amount owed(Schedule schedule, Amount held) {
    return value(schedule);
  }

  private static Amount value(Schedule schedule) {
    return terms(schedule.proposal()).value();
  }

  @Override
  public Amount owed(FamilyState state) {
    return PlanState.of(state).owed();
  }

  @Override
  public Optional<FamilyEvent> onBlockEnd(QueueView view, Optional<Schedule> firstLeft) {
    return Optional.empty();
  }

  @Override
  public FamilyState evolve(FamilyState state, FamilyEvent event) {
    return PlanState.of(state).on(Family.own(PlanEvent.class, event), settings.finishedKept());
  }

  @Override
  public FamilyState onAdmitted(FamilyState state, Schedule schedule) {
    return PlanState.of(state).schedule(schedule);
  }

  @Override
  public long dueNanos(DueKey first) {
    return ConsensusTime.nanosOf(first.time(), MILLIS);
  }

  /** The least price of a plan in the queue's own money; its blocks take what they can. */
  @Override
  public Forecast forecast(QueueView view, ConsensusTime at) {
    long second = at.seconds();
    int taken = view.waiting(DueKey.from(second), DueKey.from(second + 1), Integer.MAX_VALUE);
    long price =
        PlanState.of(view.state()).plans().stream()
            .filter(plan -> plan.active() && plan.token().isEmpty())
            .mapToLong(Plan::price)
            .min()
            .orElse(0);
    // Any time beyond the clock's end is read as its end.
    boolean outside = !scheduling.takes(view, second) || at.nanos() == Long.MAX_VALUE;
    return new Forecast(
        ConsensusTime.ofSeconds(second), taken, settings.readyLimit(), price, outside);
  }

  /** When its window ends: it is overdue then, until its requestor asks for its refund. */
  @Override
  public Optional<ConsensusTime> expires(QueueView view, Schedule schedule) {
    long end = terms(schedule.proposal()).timestamp() + plan(view, schedule).window();
    return end < 0
        ? Optional.empty()
        : Optional.of(ConsensusTime.nearest(Instant.ofEpochSecond(end)));
  }

  @Override
  public String whyNotServed(QueueView view, Schedule schedule) {
    var paused = Family.Operated.super.whyNotServed(view, schedule);
    boolean over = PlanState.of(view.state()).isOver(schedule.proposal(), view.now().seconds());
    return over ? paused + " " + whyWaiting(view, schedule) : paused;
  }

  @Override
  public String whyWaiting(QueueView view, Schedule schedule) {
    long now = view.now().seconds();
    if (PlanState.of(view.state()).isOver(schedule.proposal(), now)) {
      return "It is overdue: its window has passed. Ask for its refund, or cancel it.";
    }
    long timestamp = terms(schedule.proposal()).timestamp();
    return timestamp > now
        ? "It is not due yet: it is executed at " + Instant.ofEpochSecond(timestamp) + "."
        : whyNotServed(
            view,
            schedule,
            "Others of its time were scheduled before it: its turn comes in a later block.");
  }

  private static Plan plan(QueueView view, Schedule schedule) {
    return PlanState.of(view.state()).require(terms(schedule.proposal()).plan());
  }
}
