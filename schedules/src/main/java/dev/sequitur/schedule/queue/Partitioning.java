package dev.sequitur.schedule.queue;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.Crossing;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.Partition;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.book.HoldId;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import java.util.Optional;

/**
 * What a queue does as a partition of one that is spread by owner (SCH-28), and how money crosses
 * from one to another (SCH-29). Each partition refuses what is not its own, whoever has sent it.
 */
final class Partitioning {
  private static final String ON_ITS_WAY = "crossing/";

  private final QueueStep step;

  Partitioning(QueueStep step) {
    this.step = step;
  }

  /** See {@link ScheduleQueue#refusesPlace}. */
  static Optional<String> refusesPlace(QueueState state, String name, Optional<Partition> place) {
    var made = state.crossings().place();
    if (made.isPresent() && !made.equals(place)) {
      return Optional.of(
          "The queue %s was made with %d partitions, and keeps that number: set scheduler.partitions.\"%s\" = %d again."
              .formatted(name, made.get().count(), name, made.get().count()));
    }
    return made.isEmpty() && place.isPresent() && isUsed(state)
        ? Optional.of(
            "The queue %s was made without partitions, and stays so: take it out of scheduler.partitions, and give a new queue another name."
                .formatted(name))
        : Optional.empty();
  }

  /** The clock moves with the first thing that is stored. */
  private static boolean isUsed(QueueState state) {
    return !state.clock().last().equals(ConsensusTime.ZERO);
  }

  /** Why this partition does nothing of it. */
  Optional<Refusal> refuses(Command command) {
    var place = step.state().crossings().place();
    if (place.isEmpty()) {
      return Optional.empty();
    }
    return switch (command.operation()) {
      case Operation.Propose(var proposal) ->
          refuses(proposal.terms().family()).or(() -> refuses(place.get(), proposal.owner()));
      case Operation.Cancel(var schedule) -> refuses(schedule.family());
      case Operation.Intervene intervene -> refuses(intervene.schedule().family());
      case Operation.Change change -> refuses(change.schedule().family());
      case Operation.Perform(var operation) -> refuses(operation.family());
      case Operation.Batch batch ->
          batch.operations().stream()
              .flatMap(operation -> refusesInBatch(operation).stream())
              .findFirst();
      case Operation.Fund fund -> refuses(place.get(), fund.account());
      case Operation.Withdraw withdraw -> refuses(place.get(), withdraw.account());
      case Operation.Pause(var family) -> refuses(family);
      case Operation.Resume(var family) -> refuses(family);
      case Operation.Shutdown(var family) -> refuses(family);
      case Operation.OfPartition ignored -> Optional.empty();
    };
  }

  /** A batch is one partition's: what each does for itself would be done in that one only. */
  private Optional<Refusal> refusesInBatch(FamilyOperation operation) {
    return refuses(operation.family())
        .or(
            () ->
                operation.isOfWholeQueue()
                    ? refused(
                        "Each partition of the queue does "
                            + operation.name()
                            + " for itself: ask for it outside of a batch.")
                    : Optional.empty());
  }

  private Optional<Refusal> refuses(FamilyKind kind) {
    return step.setup.refusesPartitioned(kind);
  }

  /** The book's own accounts are in each. */
  private static Optional<Refusal> refuses(Partition place, AccountId account) {
    return account.equals(AccountId.FEES) || place.isHome(account)
        ? Optional.empty()
        : refused(
            "The account "
                + account.holder()
                + " is in partition "
                + Partition.home(account, place.count())
                + " of the queue, and not in "
                + place.index()
                + ": name the queue without a partition.");
  }

  /** Why a repetition cannot pay there (GAS-13): it schedules itself anew in the step that pays. */
  static Optional<Refusal> refusesRepeating(QueueState state, Target.Repeat repeat) {
    return repeat
        .payment()
        .filter(payment -> state.crossings().isElsewhere(payment.to()))
        .flatMap(
            payment ->
                refused(
                    "A repetition pays within its partition, and "
                        + payment.to()
                        + " is in another one: use a recurring series, or a queue without"
                        + " partitions."));
  }

  /** Answered also if it was done before; a refusal is never the last word. */
  Answer perform(Command command, Operation.OfPartition operation) {
    var refusal =
        switch (operation) {
          case Operation.Divide(var place) -> divide(place);
          case Operation.Take(var crossing) -> take(crossing);
        };
    return new Answer(command.command(), Optional.empty(), refusal, Optional.empty());
  }

  private Optional<Refusal> divide(Partition place) {
    var state = step.state();
    if (state.crossings().place().equals(Optional.of(place))) {
      return Optional.empty();
    } else if (state.crossings().place().isPresent() || isUsed(state)) {
      return Optional.of(
          new Refusal(
              Refusal.Code.BAD_STATE,
              "It was made otherwise, and cannot become partition " + place + "."));
    }
    step.record(new QueueEvent.Divided(place));
    return Optional.empty();
  }

  private Optional<Refusal> take(Crossing crossing) {
    var crossings = step.state().crossings();
    if (crossings.place().map(Partition::index).filter(is -> is == crossing.to()).isEmpty()) {
      return Optional.of(
          new Refusal(Refusal.Code.BAD_STATE, "It is not partition " + crossing.to()));
    } else if (crossings.from(crossing.from()).has(crossing.number())) {
      return Optional.empty();
    } else if (!step.state().book().canTake(crossing.amount())) {
      return Optional.of(
          new Refusal(
              Refusal.Code.BUSY, "The partition cannot hold so much as long as it has more."));
    }
    step.record(new QueueEvent.Taken(crossing.from(), crossing.number(), crossing.below()));
    step.record(
        new QueueEvent.Posted(
            AccountId.OUTSIDE,
            crossing.account(),
            crossing.amount(),
            QueueEvent.Posted.Why.ARRIVED));
    return Optional.empty();
  }

  /** Why nothing more may go there at the moment, as a sentence. */
  Optional<String> refusesAnother(AccountId to) {
    var place = step.state().crossings().place().orElseThrow();
    var there = step.state().crossings().to(Partition.home(to, place.count()));
    return there.next() - there.lowest() < Crossings.MOST_AHEAD
        ? Optional.empty()
        : Optional.of("Too many payments to that partition are on their way.");
  }

  /** Sets the money aside, unless that was done before, and gives the payment its number. */
  Crossing send(Schedule schedule, OccurrenceKey key, Target.Transfer transfer) {
    var place = step.state().crossings().place().orElseThrow();
    int to = Partition.home(transfer.to(), place.count());
    var there = step.state().crossings().to(to);
    var crossing =
        new Crossing(
            place.index(), to, there.next(), there.lowest(), transfer.to(), transfer.amount());
    if (!step.setup.setsAside(schedule)) {
      step.record(
          new QueueEvent.SetAside(hold(key), schedule.proposal().owner(), transfer.amount()));
    }
    step.record(new QueueEvent.Sent(schedule.id(), crossing));
    return crossing;
  }

  /** It is there: what was set aside for it has left. */
  void arrived(Schedule payer, OccurrenceKey key, Crossing crossing) {
    if (step.setup.setsAside(payer)) {
      step.record(new QueueEvent.Captured(payer.hold(), AccountId.OUTSIDE, crossing.amount()));
      return;
    }
    step.record(new QueueEvent.Captured(hold(key), AccountId.OUTSIDE, crossing.amount()));
    step.record(new QueueEvent.Released(hold(key)));
  }

  private static HoldId.Named hold(OccurrenceKey key) {
    return new HoldId.Named(key.schedule().family(), ON_ITS_WAY + key);
  }

  /** Whether it is of a payment to another partition, which has an outcome. */
  static boolean isOnItsWay(HoldId.Named hold) {
    return hold.name().startsWith(ON_ITS_WAY);
  }

  private static Optional<Refusal> refused(String sentence) {
    return Optional.of(new Refusal(Refusal.Code.NOT_ALLOWED, sentence));
  }
}
