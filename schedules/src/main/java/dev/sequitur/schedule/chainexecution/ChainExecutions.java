package dev.sequitur.schedule.chainexecution;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.ParkedFor;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.Verdict;
import dev.sequitur.schedule.chainexecution.Reading.End;
import dev.sequitur.schedule.chainexecution.Reading.Point;
import dev.sequitur.schedule.chainexecution.Reading.Requested;
import dev.sequitur.schedule.chainexecution.Reading.Seen;
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
import dev.sequitur.schedule.family.Run;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.family.Settlement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Executions of a plan contract on a chain (docs/rules/plan-executions.md, PRV). The contract has
 * the last word on each: a schedule comes with its request there and goes with its end there. The
 * queue's own blocks do nothing; {@link Providing} decides what is sent, and has the queue remember
 * it by {@link Advance}. The due order is the requested time, then the id; what is overdue for good
 * is parked.
 *
 * @param gas what the provider goes by that a person may want to know
 */
public record ChainExecutions(ExecutionGas gas)
    implements Family.Operated, Family.Running, Family.Following {
  /** So that one step does not take long; the rest is parked by the next. */
  private static final int MOST_PARKED = 500;

  private static final String TAKEN_AWAY = "A reorganisation of the chain took its request away.";

  private static final String AT_THE_CONTRACT =
      "Its requestor does this at the contract, and it is seen here.";

  @Override
  public FamilyKind kind() {
    return FamilyKind.CHAIN_EXECUTION;
  }

  @Override
  public FamilyState initial() {
    return ChainExecutionState.INITIAL;
  }

  @Override
  public Admission admit(QueueView view, Proposal proposal, AccountId signer) {
    return Admission.refused(Refusal.Code.NOT_ALLOWED, "Schedule it at the contract.");
  }

  @Override
  public Optional<Refusal> refusesCancel(QueueView view, Schedule schedule, AccountId signer) {
    return Optional.of(new Refusal(Refusal.Code.NOT_ALLOWED, AT_THE_CONTRACT));
  }

  @Override
  public Performance perform(QueueView view, FamilyOperation operation, AccountId signer) {
    var advance = Family.own(Advance.class, operation);
    if (!signer.equals(view.administrator())) {
      return Performance.refused(Refusal.Code.NOT_ALLOWED, "Only the node's provider says this.");
    }
    var state = ChainExecutionState.of(view.state());
    var other = state.contract().filter(served -> !served.equals(advance.contract()));
    if (other.isPresent()) {
      return Performance.refused(
          Refusal.Code.BAD_STATE,
          "This queue serves the contract "
              + other.get()
              + ": name another queue for "
              + advance.contract()
              + ".");
    }
    var acts = new ArrayList<Act>();
    if (state.contract().isEmpty()) {
      acts.add(new Act.Change(new ChainExecutionEvent.Served(advance.contract())));
    }
    var vanished = new HashSet<ScheduleId>();
    for (var id : advance.gone()) {
      if (isWaiting(view, id) && vanished.add(id)) {
        acts.add(cancelled(id, TAKEN_AWAY));
      }
    }
    if (advance.reading().isPresent()) {
      var reader = new Reader(view, state, advance.reading().get(), vanished);
      var refusal = reader.refusal();
      if (refusal.isPresent()) {
        return new Performance.Refused(refusal.get(), Optional.empty());
      }
      acts.addAll(reader.read());
    }
    if (!advance.landings().isEmpty()) {
      acts.add(new Act.Change(new ChainExecutionEvent.Landed(advance.landings())));
    }
    var failed = new HashMap<>(advance.failures());
    failed.keySet().removeIf(id -> !isWaiting(view, id) || vanished.contains(id));
    if (!failed.isEmpty()) {
      acts.add(new Act.Change(new ChainExecutionEvent.Failed(failed)));
    }
    if (!advance.dispatches().isEmpty()) {
      acts.add(new Act.Change(new ChainExecutionEvent.Dispatched(advance.dispatches())));
    }
    if (advance.paused() != state.paused() || !advance.trouble().equals(state.trouble())) {
      acts.add(
          new Act.Change(new ChainExecutionEvent.Conditions(advance.paused(), advance.trouble())));
    }
    return new Performance.Performed(acts, Optional.empty());
  }

  private static boolean isWaiting(QueueView view, ScheduleId id) {
    return view.schedule(id).isPresent() && !view.isStarted(id);
  }

  private static Act cancelled(ScheduleId id, String note) {
    return new Act.End(id, new OccurrenceEnding.NotRun(Outcome.CANCELLED), note);
  }

  /** Takes in what was read. Lives for one operation. */
  private static final class Reader {
    private final QueueView view;
    private final ChainExecutionState state;
    private final Reading reading;
    private final Set<ScheduleId> vanished;
    private final Map<ScheduleId, Requested> requested = new LinkedHashMap<>();

    /** Behind what was read last; otherwise some of that is read again. */
    private final boolean further;

    /**
     * @param vanished those that have ended in this step; more are added
     */
    Reader(QueueView view, ChainExecutionState state, Reading reading, Set<ScheduleId> vanished) {
      this.view = view;
      this.state = state;
      this.reading = reading;
      this.vanished = vanished;
      this.further = reading.after().equals(state.read());
      for (var log : reading.logs()) {
        if (log instanceof Requested request) {
          requested.put(request.id(), request);
        }
      }
    }

    Optional<Refusal> refusal() {
      boolean again = reading.after().isEmpty() || reading.after().equals(state.settled());
      if (!further && !again) {
        return Optional.of(
            new Refusal(Refusal.Code.BAD_STATE, "Something else was read meanwhile: read again."));
      }
      return requested.keySet().stream()
              .anyMatch(id -> view.schedule(id).isPresent() && view.isStarted(id))
          ? Optional.of(
              new Refusal(Refusal.Code.BUSY, "One that has ended has not left yet: try again."))
          : Optional.empty();
    }

    List<Act> read() {
      var acts = new ArrayList<Act>();
      if (!further) {
        for (var id : state.fresh().keySet()) {
          if (!requested.containsKey(id) && isWaiting(view, id) && vanished.add(id)) {
            acts.add(cancelled(id, TAKEN_AWAY));
          }
        }
      }
      var event = event(!further);
      acts.add(new Act.Change(event));
      requested.values().stream()
          .filter(request -> !isWaiting(view, request.id()))
          .forEach(request -> acts.add(admit(request)));
      var after = state.on(event);
      after.settled().ifPresent(settled -> settle(after, settled, acts));
      return acts;
    }

    private ChainExecutionEvent.Read event(boolean back) {
      var plans = new HashMap<>(reading.plans());
      var blocks = new HashMap<ScheduleId, Long>();
      var ends = new ArrayList<Seen>();
      for (var log : reading.logs()) {
        switch (log) {
          case Requested request -> blocks.put(request.id(), request.block());
          case Seen seen -> {
            boolean known = requested.containsKey(seen.id()) || isWaiting(view, seen.id());
            if (known && !vanished.contains(seen.id())) {
              ends.add(seen);
            }
          }
          case Reading.PlanAdded added -> plans.put(added.plan(), added.what());
          case Reading.PlanRemoved removed -> {
            var plan = plans.getOrDefault(removed.plan(), state.plans().get(removed.plan()));
            if (plan != null) {
              plans.put(removed.plan(), plan.removed());
            }
          }
        }
      }
      return new ChainExecutionEvent.Read(
          back, reading.to(), reading.settled(), plans, blocks, ends);
    }

    private static Act admit(Requested request) {
      var proposal = Proposal.of(request.requestor(), request.terms(), new Target.ByFamily());
      var due = DueKey.of(request.terms().timestamp(), 0, request.id().value());
      return new Act.Admit(proposal, new Admission.Admitted(request.id(), due, Amount.ZERO));
    }

    /** What is final has its outcome; what is overdue for good is parked. */
    private void settle(ChainExecutionState after, Point settled, List<Act> acts) {
      for (var seen : after.ends().values()) {
        if (seen.block() <= settled.number() && !vanished.contains(seen.id())) {
          acts.add(outcome(seen));
        }
      }
      var due = view.waitingIn(DueKey.from(0), DueKey.from(settled.time()), MOST_PARKED);
      for (var schedule : due) {
        var id = schedule.id();
        boolean ends = after.ends().containsKey(id) || vanished.contains(id);
        if (!ends && isOver(after, schedule, settled.time())) {
          acts.add(new Act.Defer(id, DueKey.parked(schedule.incarnation(), ParkedFor.OVERDUE)));
        }
      }
    }

    private static boolean isOver(ChainExecutionState after, Schedule schedule, long time) {
      var terms = terms(schedule.proposal());
      return after.plan(terms).filter(plan -> plan.isOver(terms.timestamp(), time)).isPresent();
    }

    private static Act outcome(Seen seen) {
      return switch (seen.end()) {
        case End.Executed ignored -> new Act.Fire(seen.id(), 0);
        case End.Cancelled() -> cancelled(seen.id(), "by the requestor");
        case End.Refunded() ->
            new Act.End(seen.id(), new OccurrenceEnding.NotRun(Outcome.REFUNDED), "overdue");
      };
    }
  }

  /** It has run on the chain, and the contract said how that went. */
  @Override
  public Run run(QueueView view, Schedule schedule, OccurrenceKey attempt) {
    var seen = ChainExecutionState.of(view.state()).ends().get(schedule.id());
    if (seen == null || !(seen.end() instanceof End.Executed(var failure))) {
      throw new IllegalStateException("It was not executed: " + schedule.id() + ", " + seen);
    }
    Conclusion conclusion =
        failure.isEmpty()
            ? new Conclusion.Succeeded(0)
            : new Conclusion.Failed(0, failure.get(), false);
    return new Run(List.of(), Optional.of(conclusion));
  }

  @Override
  public FamilyState onAdmitted(FamilyState state, Schedule schedule) {
    return state;
  }

  @Override
  public FamilyState onSettled(FamilyState state, Schedule schedule, Ended settled) {
    return ChainExecutionState.of(state).without(schedule.id());
  }

  /** Nothing: its time is the chain's. */
  @Override
  public Agenda agenda(QueueView view) {
    return new Agenda(DueKey.from(0), DueKey.from(0), 0, 0);
  }

  @Override
  public Verdict onDue(QueueView view, Schedule schedule) {
    return Verdict.WAIT;
  }

  @Override
  public List<Long> price(QueueView view, List<Schedule> selected) {
    return Collections.nCopies(selected.size(), 0L);
  }

  /** Of its transaction. */
  @Override
  public long gasLimit(QueueView view, Schedule schedule) {
    var terms = terms(schedule.proposal());
    return ChainExecutionState.of(view.state())
        .plan(terms)
        .map(plan -> gas.limit(plan.gasLimit(), terms.dataSize()))
        .orElse(0L);
  }

  @Override
  public Settlement settle(QueueView view, Schedule schedule, OccurrenceEnding ending) {
    return Settlement.last(Amount.ZERO);
  }

  /** The contract has its money. */
  @Override
  public Amount owed(Schedule schedule, Amount held) {
    return Amount.ZERO;
  }

  @Override
  public Optional<FamilyEvent> onBlockEnd(QueueView view, Optional<Schedule> firstLeft) {
    return Optional.empty();
  }

  @Override
  public FamilyState evolve(FamilyState state, FamilyEvent event) {
    return ChainExecutionState.of(state).on(Family.own(ChainExecutionEvent.class, event));
  }

  /** No block of the queue serves it. */
  @Override
  public long dueNanos(DueKey first) {
    return Long.MAX_VALUE;
  }

  /** As the contract has it; it may name times that no queue has. */
  @Override
  public Optional<ConsensusTime> askedFor(Schedule schedule) {
    return Optional.of(terms(schedule.proposal()).timestamp())
        .filter(seconds -> seconds < ConsensusTime.END.getEpochSecond())
        .map(ConsensusTime::ofSeconds);
  }

  /** Nobody schedules it here. */
  @Override
  public Forecast forecast(QueueView view, ConsensusTime at) {
    long second = at.seconds();
    int taken = view.waiting(DueKey.from(second), DueKey.from(second + 1), Integer.MAX_VALUE);
    return new Forecast(ConsensusTime.ofSeconds(second), taken, 0, 0, true);
  }

  @Override
  public String whyWaiting(QueueView view, Schedule schedule) {
    return new WhyWaiting(ChainExecutionState.of(view.state()), gas).of(schedule);
  }

  static ChainExecutionTerms terms(Proposal proposal) {
    return Family.own(ChainExecutionTerms.class, proposal.terms());
  }
}
