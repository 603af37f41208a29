package dev.sequitur.schedule.queue;

import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.execution.Execution;
import dev.sequitur.schedule.execution.ExecutionState;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.family.OccurrenceEnding;
import dev.sequitur.schedule.family.Run;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.queue.QueueEffect.HandOver;
import dev.sequitur.schedule.queue.QueueEffect.Notice;
import java.util.Optional;

/**
 * Started to Settled. What acts inside the queue has its outcome in the same step; what acts
 * elsewhere is handed over once its start is stored (SCH-12, SCH-16).
 */
final class Executing {
  private static final String TOO_POOR = "The owner's account has less than that.";

  private final QueueStep step;

  /** Why what has just ended could not schedule itself anew. */
  private Optional<Refusal> notAnew = Optional.empty();

  Executing(QueueStep step) {
    this.step = step;
  }

  /** The first attempt, at the price that holds for all of them. */
  void start(Schedule schedule, long price) {
    run(schedule, schedule.firstAttempt(), price);
  }

  /** The attempt that was planned when the one before failed. */
  void restart(Execution planned) {
    var schedule = step.entries().schedules().get(planned.key().schedule());
    run(schedule, planned.key(), planned.price());
  }

  /** No other attempt follows: what the last one cost and why it failed is the outcome. */
  void shutDown(Execution planned) {
    var failed = planned.conclusion().orElseThrow();
    var note = "It was shut down before its next attempt: " + failed.note();
    giveUp(planned, new Conclusion.Failed(failed.gasUsed(), note, false));
  }

  /** No other attempt follows: its outcome is this. */
  void giveUp(Execution planned, Conclusion.Failed last) {
    var schedule = step.entries().schedules().get(planned.key().schedule());
    conclude(schedule, planned.key(), planned.price(), last);
  }

  /**
   * An answer to an attempt that is not out any more says nothing new. What went to another
   * partition may have been taken there, whatever else is said: it has no other outcome.
   */
  void onAnswered(OccurrenceKey key, Conclusion answered) {
    var execution = step.entries().execution(key);
    var crossing = execution.flatMap(of -> step.state().crossings().of(key.schedule()));
    if (crossing.isPresent() && answered instanceof Conclusion.Failed) {
      return;
    }
    var conclusion =
        crossing.<Conclusion>map(of -> new Conclusion.Succeeded(actionGas())).orElse(answered);
    if (crossing.isPresent() && execution.flatMap(of -> of.concluded(conclusion)).isPresent()) {
      var payer = step.entries().schedules().get(key.schedule());
      new Partitioning(step).arrived(payer, key, crossing.get());
    }
    if (execution.flatMap(of -> of.concluded(conclusion)).isPresent()) {
      conclude(step.entries().schedules().get(key.schedule()), execution.get(), conclusion);
    }
  }

  private void run(Schedule schedule, OccurrenceKey key, long price) {
    var refused = Authority.refusesStart(step, schedule);
    if (refused.isPresent()) {
      conclude(schedule, key, price, new Conclusion.Failed(0, refused.get().sentence(), false));
      return;
    }
    var family = step.setup.family(schedule.family());
    var target = family.request(step.view(family), schedule);
    var run =
        family instanceof Family.Running running
            ? running.run(step.view(family), schedule, key)
            : Run.AS_TARGETED;
    if (!run.acts().isEmpty()) {
      // What they do may depend on its having been started.
      begin(schedule, key, price);
      new Acting(step, family).carryOut(run.acts());
    }
    if (run.conclusion().isPresent()) {
      conclude(schedule, key, price, run.conclusion().get());
    } else if (gasLimit(family, schedule) < step.setup.gas().of(target)) {
      var starved = new Conclusion.Failed(gasLimit(family, schedule), "It ran out of gas.", false);
      conclude(schedule, key, price, starved);
    } else {
      run(schedule, key, price, target);
    }
  }

  private void run(Schedule schedule, OccurrenceKey key, long price, Target target) {
    switch (target) {
      case Target.Transfer transfer when step.state().crossings().isElsewhere(transfer.to()) ->
          pay(schedule, key, price, transfer);
      case Target.InQueue action -> runHere(schedule, key, price, action);
      case Target.Call call -> {
        begin(schedule, key, price);
        step.effect(new HandOver(key, call));
      }
    }
  }

  /** To another partition: the money is set aside until it is known to be there (SCH-29). */
  private void pay(Schedule schedule, OccurrenceKey key, long price, Target.Transfer transfer) {
    var partitioning = new Partitioning(step);
    var refusal =
        canPay(schedule, transfer)
            ? partitioning.refusesAnother(transfer.to())
            : Optional.of(TOO_POOR);
    if (refusal.isPresent()) {
      conclude(schedule, key, price, new Conclusion.Failed(actionGas(), refusal.get(), true));
      return;
    }
    begin(schedule, key, price);
    var crossing = partitioning.send(schedule, key, transfer);
    step.effect(new HandOver(key, transfer, Optional.of(crossing)));
  }

  private boolean canPay(Schedule schedule, Target.Transfer transfer) {
    return step.setup.setsAside(schedule)
        || step.state().book().canPay(schedule.proposal().owner(), transfer.amount());
  }

  private long actionGas() {
    return step.setup.gas().action();
  }

  /**
   * One that was to schedule itself anew from inside its execution and cannot has failed, and done
   * nothing (GAS-13).
   */
  private void runHere(Schedule schedule, OccurrenceKey key, long price, Target.InQueue action) {
    notAnew = Optional.empty();
    boolean kept =
        step.attempt(
            () -> {
              conclude(schedule, key, price, perform(schedule, action));
              return notAnew.isEmpty();
            });
    if (!kept) {
      var refusal = notAnew.orElseThrow();
      var why = "It could not be scheduled anew: " + refusal.sentence();
      long gas = step.setup.gas().action();
      conclude(schedule, key, price, new Conclusion.Failed(gas, why, true));
      step.publish(schedule, new Notice.RescheduleRefused(schedule.id(), refusal));
    }
  }

  /** An execution that others can see, for what does not end with its own step. */
  private Execution begin(Schedule schedule, OccurrenceKey key, long price) {
    var begun = step.entries().execution(key);
    if (begun.isEmpty() || begun.get().state() == ExecutionState.DUE) {
      var family = step.setup.family(schedule.family());
      var request = family.request(step.view(family), schedule);
      step.record(new QueueEvent.Started(key, request, price));
    }
    return step.entries().executions().get(key.schedule());
  }

  /** One event for almost all: they need no execution. */
  private void conclude(Schedule schedule, OccurrenceKey key, long price, Conclusion conclusion) {
    if (step.entries().execution(key).isPresent() || isRepeated(schedule, key, conclusion)) {
      conclude(schedule, begin(schedule, key, price), conclusion);
    } else {
      var ending = new OccurrenceEnding.Ran(price, conclusion, Optional.empty());
      var settling = new Settling(step);
      settling.settleAtOnce(schedule, key, ending);
      notAnew = settling.notAnew();
    }
  }

  private void conclude(Schedule schedule, Execution execution, Conclusion conclusion) {
    var key = execution.key();
    step.record(new QueueEvent.Concluded(key, conclusion));
    if (isRepeated(schedule, key, conclusion)) {
      var at = schedule.proposal().retry().retryAt(key, step.now());
      step.record(new QueueEvent.RetryPlanned(key, at));
      return;
    }
    var ending = new OccurrenceEnding.Ran(execution.price(), conclusion, execution.transaction());
    var settling = new Settling(step);
    settling.settle(schedule, key, ending, conclusion.note());
    notAnew = settling.notAnew();
    var failed = execution.failed();
    overlapping(schedule.id(), failed.isEmpty() ? execution.startAt() : failed.getFirst().at());
  }

  private void overlapping(ScheduleId id, ConsensusTime began) {
    if (step.setup.family(id.family()) instanceof Family.Overlapping family) {
      step.entries()
          .schedule(id)
          .filter(next -> !step.entries().isStarted(id) && !next.due().isParked())
          .ifPresent(
              next ->
                  new Acting(step, family)
                      .carryOut(family.afterRun(step.view(family), next, began)));
    }
  }

  private static boolean isRepeated(Schedule schedule, OccurrenceKey key, Conclusion conclusion) {
    return conclusion instanceof Conclusion.Failed failed
        && schedule.proposal().retry().allowsAfter(key.attempt(), failed);
  }

  private long gasLimit(Family family, Schedule schedule) {
    return family.gasLimit(step.view(family), schedule);
  }

  private Conclusion perform(Schedule schedule, Target.InQueue action) {
    return switch (action) {
      case Target.Repeat repeat -> perform(schedule, repeat.action());
      case Target.Notify(var message) -> {
        step.publish(schedule, new Notice.Notified(schedule.id(), message));
        yield new Conclusion.Succeeded(step.setup.gas().action());
      }
      case Target.Transfer transfer -> pay(schedule, transfer);
      case Target.ByFamily() ->
          throw new IllegalStateException("Its family has not run it: " + schedule.id());
    };
  }

  private Conclusion pay(Schedule schedule, Target.Transfer transfer) {
    long gas = actionGas();
    if (step.setup.family(schedule.family()) instanceof Family.HoldingValue) {
      return new Conclusion.Succeeded(gas);
    }
    if (!canPay(schedule, transfer)) {
      return new Conclusion.Failed(gas, TOO_POOR, true);
    }
    var owner = schedule.proposal().owner();
    step.record(
        step.setup.setsAside(schedule)
            ? new QueueEvent.Captured(schedule.hold(), transfer.to(), transfer.amount())
            : new QueueEvent.Posted(
                owner, transfer.to(), transfer.amount(), QueueEvent.Posted.Why.TOLD));
    return new Conclusion.Succeeded(gas);
  }
}
