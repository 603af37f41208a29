package dev.sequitur.schedule.queue;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.book.Book;
import dev.sequitur.schedule.family.OccurrenceEnding;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueEvent.Posted.Why;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation.Administered;
import dev.sequitur.schedule.queue.QueueInput.Operation.Batch;
import dev.sequitur.schedule.queue.QueueInput.Operation.Cancel;
import dev.sequitur.schedule.queue.QueueInput.Operation.Change;
import dev.sequitur.schedule.queue.QueueInput.Operation.Fund;
import dev.sequitur.schedule.queue.QueueInput.Operation.Intervene;
import dev.sequitur.schedule.queue.QueueInput.Operation.OfPartition;
import dev.sequitur.schedule.queue.QueueInput.Operation.OfQueue;
import dev.sequitur.schedule.queue.QueueInput.Operation.Pause;
import dev.sequitur.schedule.queue.QueueInput.Operation.Perform;
import dev.sequitur.schedule.queue.QueueInput.Operation.Propose;
import dev.sequitur.schedule.queue.QueueInput.Operation.Resume;
import dev.sequitur.schedule.queue.QueueInput.Operation.Shutdown;
import dev.sequitur.schedule.queue.QueueInput.Operation.Withdraw;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Answers commands. A refused one stores nothing (SCH-6). */
final class Commands {
  private static final String ALL_ENDED =
      "It has run, and what it scheduled anew has ended too: nothing is left.";

  private final QueueStep step;

  Commands(QueueStep step) {
    this.step = step;
  }

  void on(Command command) {
    new BlockStep(step).tidy();
    var partitioning = new Partitioning(step);
    var elsewhere = partitioning.refuses(command);
    if (elsewhere.isPresent()) {
      step.effect(refused(command, elsewhere.get()));
      return;
    }
    switch (command.operation()) {
      case OfPartition operation -> step.effect(partitioning.perform(command, operation));
      case Perform(var operation) -> step.effect(new Performing(step, command).perform(operation));
      case Batch batch -> step.effect(new Performing(step, command).perform(batch));
      case OfQueue operation -> onThrottled(command, operation);
    }
  }

  private static QueueEffect refused(Command command, Refusal why) {
    var answer = Answer.refused(command.command(), why);
    return command.operation() instanceof Batch
        ? new QueueEffect.BatchAnswer(command.command(), false, List.of(answer))
        : answer;
  }

  private void onThrottled(Command command, OfQueue operation) {
    var name = operation.name();
    var keyed = Authority.refusesActing(step, command.signer());
    if (keyed.isPresent()) {
      step.effect(Answer.refused(command.command(), keyed.get()));
      return;
    }
    var throttling = new Throttling(step);
    var busy = throttling.refusal(name);
    if (busy.isPresent()) {
      step.effect(Answer.refused(command.command(), busy.get()));
      return;
    }
    var admitting = new Admitting(step);
    var refusal = apply(admitting, command.signer(), operation);
    if (refusal.isEmpty()) {
      throttling.use(name);
    }
    step.effect(
        refusal
            .map(why -> Answer.refused(command.command(), why))
            .orElseGet(() -> taken(command.command(), admitting.admitted())));
  }

  private Answer taken(String command, Optional<ScheduleId> admitted) {
    var result =
        admitted
            .flatMap(step.entries()::schedule)
            .flatMap(
                schedule -> {
                  var family = step.setup.family(schedule.family());
                  return family.answer(step.view(family), schedule);
                });
    return new Answer(command, admitted, Optional.empty(), result);
  }

  private Optional<Refusal> apply(Admitting admitting, AccountId signer, OfQueue operation) {
    return switch (operation) {
      case Propose(var proposal) -> propose(admitting, proposal, signer);
      case Cancel(var schedule) -> cancel(signer, schedule);
      case Intervene asked ->
          present(asked.schedule(), id -> new Intervening(step).intervene(signer, id, asked));
      case Change asked ->
          present(asked.schedule(), id -> new Intervening(step).change(signer, id, asked));
      case Administered ignored when !signer.equals(step.setup.administrator()) ->
          refuse(Refusal.Code.NOT_ALLOWED, "Only the queue's administrator can do this.");
      case Fund fund -> fund(fund);
      case Withdraw withdraw -> withdraw(withdraw);
      case Pause(var family) -> change(family, Service.PAUSED);
      case Resume(var family) -> change(family, Service.ACTIVE);
      case Shutdown(var family) -> change(family, Service.SHUTTING_DOWN);
    };
  }

  private Optional<Refusal> fund(Fund fund) {
    if (fund.account().holder().isReserved()) {
      return refuse(Refusal.Code.NOT_ALLOWED, "Fund an account that does not begin with @.");
    } else if (!step.state().book().canTake(fund.amount())) {
      return refuse(Refusal.Code.OVERFLOW, "The queue cannot hold so much: fund less.");
    }
    var unknown = Authority.refusesPaying(step, fund.account());
    if (unknown.isPresent()) {
      return unknown;
    }
    step.record(
        new QueueEvent.Posted(outside(fund.account()), fund.account(), fund.amount(), Why.FUNDED));
    return Optional.empty();
  }

  private Optional<Refusal> withdraw(Withdraw withdraw) {
    if (!withdraw.account().holder().isSpendable()) {
      return refuse(Refusal.Code.NOT_ALLOWED, "Withdraw from a person's account or from @fees.");
    } else if (!step.state().book().canPay(withdraw.account(), withdraw.amount())) {
      return refuse(Refusal.Code.INSUFFICIENT_BALANCE, "The account has less: withdraw less.");
    }
    var outside = outside(withdraw.account());
    step.record(
        new QueueEvent.Posted(withdraw.account(), outside, withdraw.amount(), Why.WITHDRAWN));
    return Optional.empty();
  }

  private static AccountId outside(AccountId account) {
    return AccountId.OUTSIDE.inMoneyOf(account);
  }

  private Optional<Refusal> propose(Admitting admitting, Proposal proposal, AccountId signer) {
    var kind = proposal.terms().family();
    var refusal = step.setup.refuses(kind).or(() -> Authority.refusesSigning(signer));
    if (refusal.isPresent()) {
      return refusal;
    } else if (proposal.target() instanceof Target.ByFamily) {
      return refuse(Refusal.Code.NOT_ALLOWED, "Name what is to be run.");
    }
    return step.attempt(
        () -> {
          open(proposal.owner());
          return admitting.admit(proposal, signer);
        },
        Optional::isEmpty);
  }

  /** Money for who begins a queue (ACC-9), if what it is for is taken. */
  private void open(AccountId owner) {
    boolean isNew =
        step.state().book().equals(Book.EMPTY) && step.state().crossings().place().isEmpty();
    if (isNew && !step.setup.opening().isZero() && Authority.refusesPaying(step, owner).isEmpty()) {
      step.record(new QueueEvent.Posted(outside(owner), owner, step.setup.opening(), Why.BEGUN));
    }
  }

  /**
   * Nothing that was started is called back (SCH-14); after a run nothing is left to refund
   * (GAS-7). A repetition is cancelled by any of its ids (GAS-13): whoever reads the present one
   * may come too late with it.
   */
  private Optional<Refusal> cancel(AccountId signer, ScheduleId named) {
    var id = present(named);
    var schedule = step.entries().schedule(id);
    if (schedule.isEmpty()) {
      return refuse(
          Refusal.Code.UNKNOWN_SCHEDULE,
          hasRepeated(id) ? ALL_ENDED : "No such schedule waits here, or not any more.");
    }
    var family = step.setup.family(id.family());
    var refusal = family.refusesCancel(step.view(family), schedule.get(), signer);
    if (refusal.isPresent()) {
      return refusal;
    } else if (step.entries().isStarted(id)) {
      boolean repeated = step.entries().isEnded(id) && hasRepeated(id);
      return refuse(
          Refusal.Code.ALREADY_STARTED,
          repeated ? ALL_ENDED : "It was started: it cannot be cancelled any more.");
    }
    new Settling(step)
        .endAll(schedule.get(), new OccurrenceEnding.NotRun(Outcome.CANCELLED), "by " + signer);
    return Optional.empty();
  }

  /** Of a repetition any of its ids will do, as to cancel it. */
  private Optional<Refusal> present(ScheduleId named, Function<ScheduleId, Optional<Refusal>> act) {
    var id = present(named);
    return step.entries().schedule(id).isEmpty() && hasRepeated(id)
        ? refuse(Refusal.Code.UNKNOWN_SCHEDULE, ALL_ENDED)
        : act.apply(id);
  }

  private ScheduleId present(ScheduleId named) {
    return waits(named) ? named : goesOnAs(named).orElse(named);
  }

  private Optional<ScheduleId> goesOnAs(ScheduleId named) {
    return ScheduleQueue.goesOnAs(step.setup, step.state(), named);
  }

  private boolean hasRepeated(ScheduleId id) {
    return step.state().history().lastOf(id).flatMap(History.Recorded::rescheduledAs).isPresent();
  }

  private boolean waits(ScheduleId id) {
    return step.entries().schedule(id).isPresent() && !step.entries().isEnded(id);
  }

  private Optional<Refusal> change(FamilyKind family, Service to) {
    var nothingWaits = step.entries().nothingWaits(family);
    var why = step.state().service(family).cannotBecome(to, nothingWaits);
    if (why.isEmpty()) {
      new Serving(step).serve(family, to);
    }
    return why.map(sentence -> new Refusal(Refusal.Code.BAD_STATE, sentence));
  }

  private static Optional<Refusal> refuse(Refusal.Code code, String sentence) {
    return Optional.of(new Refusal(code, sentence));
  }
}
