package dev.sequitur.schedule.plan;

import static dev.sequitur.schedule.family.Performance.refused;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.Refusal.Code;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Act;
import dev.sequitur.schedule.family.Admission;
import dev.sequitur.schedule.family.OccurrenceEnding;
import dev.sequitur.schedule.family.Performance;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.QueueView;
import dev.sequitur.schedule.family.Schedule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The contract's modules Scheduling and Execution, and the refund of executions. */
record PlanScheduling(PlanSettings settings) {
  /** Of the queue's clock. */
  private static final long LAST_SECOND = new ConsensusTime(Long.MAX_VALUE).seconds();

  /**
   * What has been scheduled so far within one operation.
   *
   * @param value that all of it sends; the sum of a whole operation is below 2^63
   */
  private record Basket(PlanState state, Amount value, long nextIncarnation) {
    Basket plus(Schedule schedule) {
      return new Basket(
          state.schedule(schedule),
          value.plus(PlanState.terms(schedule.proposal()).value()),
          nextIncarnation + 1);
    }
  }

  Admission admit(QueueView view, Proposal proposal, AccountId signer) {
    return signer.equals(proposal.owner())
        ? admit(view, proposal, empty(view))
        : Admission.refused(Code.NOT_ALLOWED, "Only the requestor can schedule its executions.");
  }

  Performance schedule(QueueView view, PlanOperation.BatchSchedule batch, AccountId signer) {
    return PlanSelling.paused(view).orElseGet(() -> scheduleAll(view, batch, signer));
  }

  private Performance scheduleAll(
      QueueView view, PlanOperation.BatchSchedule batch, AccountId signer) {
    var total = Amount.ZERO;
    try {
      for (var execution : batch.executions()) {
        total = total.plus(execution.terms().value());
      }
    } catch (ArithmeticException e) {
      return refused(Code.OVERFLOW, "The executions send more than any account can hold.");
    }
    return total.equals(batch.value())
        ? schedule(view, batch.executions(), signer)
        : refused(Code.WRONG_PAYMENT, "The executions send " + total + ": send just that.");
  }

  /** All or none. */
  Performance schedule(QueueView view, List<PlanOperation.Schedule> executions, AccountId signer) {
    var basket = empty(view);
    var acts = new ArrayList<Act>();
    var ids = new ArrayList<ScheduleId>();
    for (var execution : executions) {
      var proposal =
          new Proposal(
              signer, execution.terms(), execution.target(), execution.late(), execution.retry());
      switch (admit(view, proposal, basket)) {
        case Admission.Refused(var refusal) -> {
          return new Performance.Refused(refusal, Optional.empty());
        }
        case Admission.Admitted admitted -> {
          acts.add(new Act.Admit(proposal, admitted));
          ids.add(admitted.id());
          basket =
              basket.plus(
                  new Schedule(
                      admitted.id(), basket.nextIncarnation(), proposal, 0, admitted.due()));
        }
      }
    }
    return new Performance.Performed(acts, Optional.of(new PlanResult.Scheduled(ids)));
  }

  private Admission admit(QueueView view, Proposal proposal, Basket basket) {
    var refusal = refusal(view, proposal, basket.state());
    if (refusal.isPresent()) {
      return new Admission.Refused(refusal.get());
    }
    var terms = PlanState.terms(proposal);
    var hash = PlanExecutionAbi.id(proposal.owner(), terms, proposal.target());
    var id = new ScheduleId(FamilyKind.PLAN_EXECUTION, hash);
    if (view.schedule(id).isPresent() || basket.state().isTaken(id)) {
      return Admission.refused(Code.DUPLICATE, "The same is scheduled already, as " + id + ".");
    } else if (!view.book().canPay(proposal.owner(), basket.value().plus(terms.value()))) {
      return Admission.refused(
          Code.INSUFFICIENT_BALANCE,
          "It sends a value of " + terms.value() + ": fund the account.");
    }
    var due = DueKey.of(terms.timestamp(), basket.nextIncarnation());
    return new Admission.Admitted(id, due, terms.value());
  }

  private Optional<Refusal> refusal(QueueView view, Proposal proposal, PlanState state) {
    var terms = PlanState.terms(proposal);
    var account = new PlanAccount(proposal.owner(), terms.plan());
    var paused = PlanSelling.refusalAsPaused(view);
    if (paused.isPresent()) {
      return paused;
    } else if (state.credit(account).remaining() == 0) {
      return because(
          Code.NO_EXECUTION_LEFT,
          "Purchase an execution of plan " + terms.plan() + " before you schedule it.");
    } else if (terms.timestamp() < earliest(view)) {
      return because(
          Code.TIME_NOT_IN_FUTURE,
          "Schedule it at least "
              + settings.minimumTimeBeforeExecution().toSeconds()
              + " seconds ahead.");
    } else if (terms.timestamp() > LAST_SECOND) {
      return because(Code.BAD_TIME, ConsensusTime.ENDS);
    } else if (proposal.target().size() > settings.maxSize()) {
      return because(Code.TOO_LARGE, "Send at most " + settings.maxSize() + " bytes of content.");
    } else if (!isServed(proposal.late())) {
      return because(
          Code.BAD_STATE, "The plan's window says how late it may run: choose no policy for it.");
    }
    return unfit(proposal.target(), terms).or(() -> starved(view, proposal.target(), state, terms));
  }

  /** The plan's window says what is late: beyond it nothing runs. */
  private static boolean isServed(LatePolicy late) {
    return switch (late) {
      case LatePolicy.AsSpecified() -> true;
      case LatePolicy.ExpireAndRefund() -> true;
      case LatePolicy.Skip() -> false;
      case LatePolicy.RunOnce() -> false;
      case LatePolicy.RunAll() -> false;
      case LatePolicy.RunWithin ignored -> false;
      case LatePolicy.RunOnceWithin ignored -> false;
    };
  }

  /** What cannot run is not scheduled: it would use up what was bought. */
  private static Optional<Refusal> starved(
      QueueView view, Target target, PlanState state, PlanTerms terms) {
    long limit = state.require(terms.plan()).gasLimit();
    long gas = leastGas(view, target);
    return limit < gas
        ? because(
            Code.TOO_LITTLE_GAS,
            "It needs "
                + gas
                + " gas, and plan "
                + terms.plan()
                + " gives "
                + limit
                + ": purchase"
                + " a plan that gives enough.")
        : Optional.empty();
  }

  /** A call that names no gas gets what the plan gives: with less than this no chain takes it. */
  private static long leastGas(QueueView view, Target target) {
    long gas = view.gas().of(target);
    return target instanceof Target.PublicCall call && call.gas() == 0
        ? Math.max(gas, Target.PublicCall.LEAST_GAS)
        : gas;
  }

  /** Whether an execution can be scheduled for a time now, in seconds since 1970. */
  boolean takes(QueueView view, long timestamp) {
    return timestamp >= earliest(view) && timestamp <= LAST_SECOND;
  }

  private long earliest(QueueView view) {
    return view.now().seconds() + settings.minimumTimeBeforeExecution().toSeconds();
  }

  /** What a plan can execute, and what it sends. */
  private static Optional<Refusal> unfit(Target target, PlanTerms terms) {
    return switch (target) {
      case Target.Transfer transfer when !transfer.amount().equals(terms.value()) ->
          because(Code.WRONG_PAYMENT, "A transfer sends its amount as value.");
      case Target.Notify(var message) when message.isEmpty() ->
          because(Code.BAD_STATE, "A notification says something.");
      case Target.Notify ignored when !terms.value().isZero() ->
          because(Code.WRONG_PAYMENT, "A notification sends no value.");
      case Target.Transfer ignored -> Optional.empty();
      case Target.Notify ignored -> Optional.empty();
      case Target.PrivateCall ignored -> Optional.empty();
      case Target.PublicCall call when call.to().isEmpty() ->
          because(Code.BAD_STATE, PlanCall.EXECUTES);
      case Target.PublicCall ignored -> Optional.empty();
      case Target.Repeat ignored -> because(Code.BAD_STATE, PlanCall.EXECUTES);
      case Target.ByFamily() -> because(Code.BAD_STATE, PlanCall.EXECUTES);
    };
  }

  Performance cancel(QueueView view, ScheduleId id, AccountId signer) {
    return refusalOfChange(view, id, signer)
        .orElseGet(() -> end(id, Outcome.CANCELLED, "by the requestor"));
  }

  Performance refund(QueueView view, ScheduleId id, AccountId signer) {
    var refusal = refusalOfChange(view, id, signer);
    if (refusal.isPresent()) {
      return refusal.get();
    }
    return new PlanQueries(view).getState(id) == PlanExecutionState.OVERDUE
        ? end(id, Outcome.REFUNDED, "overdue")
        : refused(Code.BAD_STATE, "It is not overdue: cancel it, or wait for its window to pass.");
  }

  private static Optional<Performance> refusalOfChange(
      QueueView view, ScheduleId id, AccountId signer) {
    var schedule = view.schedule(id);
    if (schedule.isEmpty()) {
      return Optional.of(unknown(id));
    } else if (!schedule.get().proposal().owner().equals(signer)) {
      return Optional.of(refused(Code.NOT_ALLOWED, "Only its requestor can do this."));
    }
    return startedAlready(view, id);
  }

  private static Performance unknown(ScheduleId id) {
    return refused(Code.UNKNOWN_SCHEDULE, "No such execution waits: " + id + ".");
  }

  private static Optional<Performance> startedAlready(QueueView view, ScheduleId id) {
    return view.isStarted(id)
        ? Optional.of(refused(Code.ALREADY_STARTED, "It was started: it will have its outcome."))
        : Optional.empty();
  }

  private static Performance end(ScheduleId id, Outcome outcome, String note) {
    var act = new Act.End(id, new OccurrenceEnding.NotRun(outcome), note);
    return new Performance.Performed(List.of(act), Optional.empty());
  }

  /** Before its window it stays scheduled (PLN-2); after it, it is overdue and stays that. */
  Performance execute(QueueView view, PlanOperation.Execute execute, AccountId signer) {
    var id = execute.execution();
    var schedule = view.schedule(id);
    if (!signer.equals(view.administrator())) {
      return refused(Code.NOT_ALLOWED, "Only the service provider executes.");
    }
    return PlanSelling.paused(view)
        .or(() -> schedule.isEmpty() ? Optional.of(unknown(id)) : startedAlready(view, id))
        .orElseGet(() -> fire(view, schedule.get(), execute.gas()));
  }

  private static Performance fire(QueueView view, Schedule schedule, long gas) {
    var terms = PlanState.terms(schedule.proposal());
    var plan = PlanState.of(view.state()).require(terms.plan());
    // Firing takes a nanosecond, which may be that of the next second.
    long now = view.now().nextNano().seconds();
    if (plan.isTooSoon(terms.timestamp(), now)) {
      return refused(Code.OUTSIDE_WINDOW, "Its window has not begun: it stays scheduled.");
    } else if (plan.isOver(terms.timestamp(), now)) {
      return refused(Code.OUTSIDE_WINDOW, "Its window has passed: it is overdue.");
    } else if (gas < plan.gasLimit()) {
      return refused(
          Code.TOO_LITTLE_GAS, "The plan promises " + plan.gasLimit() + " gas: give that much.");
    }
    var act = new Act.Fire(schedule.id(), 0);
    return new Performance.Performed(List.of(act), Optional.empty());
  }

  private static Basket empty(QueueView view) {
    return new Basket(PlanState.of(view.state()), Amount.ZERO, view.nextIncarnation());
  }

  private static Optional<Refusal> because(Code code, String sentence) {
    return Optional.of(new Refusal(code, sentence));
  }
}
