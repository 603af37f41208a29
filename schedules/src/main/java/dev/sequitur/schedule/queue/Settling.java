package dev.sequitur.schedule.queue;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.ParkedFor;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.family.Intervention;
import dev.sequitur.schedule.family.OccurrenceEnding;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.family.Settlement;
import dev.sequitur.schedule.queue.QueueEffect.CancelledTxnCode;
import dev.sequitur.schedule.queue.QueueEffect.Notice;
import java.util.Optional;

/** Gives an occurrence its one outcome and settles its money with it, in one event. */
final class Settling {
  private final QueueStep step;
  private Optional<Refusal> notAnew = Optional.empty();

  Settling(QueueStep step) {
    this.step = step;
  }

  /** Of one that was never started. */
  void end(Schedule schedule, OccurrenceEnding ending, String note) {
    settle(schedule, schedule.firstAttempt(), ending, note);
  }

  /**
   * Of one that was never started, and of all that were to come after it: one outcome each
   * (SCH-21).
   */
  void endAll(Schedule first, OccurrenceEnding ending, String note) {
    var left = Optional.of(first);
    while (left.isPresent()) {
      boolean another = settle(left.get(), left.get().firstAttempt(), ending, note).isPresent();
      left = another ? step.entries().schedule(first.id()) : Optional.empty();
    }
  }

  /** One that waits, and all that was to come after it, though nobody has asked for that. */
  void callOff(Schedule first, String note, CancelledTxnCode code) {
    endAll(first, new OccurrenceEnding.CalledOff(), note);
    step.publish(first, failed(first, code));
  }

  /** Gives back when it is due again, if it is. */
  Optional<DueKey> settle(
      Schedule schedule, OccurrenceKey key, OccurrenceEnding ending, String note) {
    var settlement = settlement(schedule, ending);
    var settled =
        new QueueEvent.Settled(
            key,
            ending.outcome(),
            settlement.charge(),
            settlement.payee(),
            settlement.next(),
            note,
            settlement.occurrences());
    step.record(settled);
    finish(schedule, settled, settlement);
    return settled.next();
  }

  /** Of one that began in this step. */
  void settleAtOnce(Schedule schedule, OccurrenceKey key, OccurrenceEnding.Ran ending) {
    var settlement = settlement(schedule, ending);
    var ran =
        new QueueEvent.Ran(
            key,
            ending.price(),
            ending.conclusion(),
            settlement.charge(),
            settlement.payee(),
            settlement.next());
    step.record(ran);
    finish(schedule, ran.settled(), settlement);
  }

  private Settlement settlement(Schedule schedule, OccurrenceEnding ending) {
    var family = step.setup.family(schedule.family());
    var settlement = family.settle(step.view(family), schedule, ending);
    new Acting(step, family).carryOut(settlement.acts());
    return settlement;
  }

  private void finish(Schedule schedule, QueueEvent.Settled settled, Settlement settlement) {
    notAnew = settlement.rescheduled().flatMap(next -> reschedule(schedule, next));
    publish(schedule, settled);
    settled.next().ifPresent(next -> new Deferring(step).tellIfParked(schedule.id()));
    settled
        .next()
        .flatMap(next -> step.entries().schedule(schedule.id()))
        .filter(next -> next.isFailing() && !next.due().isParked())
        .ifPresent(this::pause);
  }

  /** What has a next time, and has failed too often: nothing of it begins until it is resumed. */
  private void pause(Schedule failing) {
    var done =
        new Intervention(
            Intervention.Kind.PAUSE,
            AccountId.QUEUE,
            step.now(),
            failing.occurrence(),
            failing.interventions().failures() + " runs in a row have failed");
    new Intervening(step).record(failing, done);
    new Deferring(step).park(step.entries().schedules().get(failing.id()), ParkedFor.PAUSED);
  }

  /**
   * Why what was settled last could not be scheduled anew from inside its execution, which must not
   * be kept then.
   */
  Optional<Refusal> notAnew() {
    return notAnew;
  }

  /** Its outcome says what it is followed by. What was done to it was done to what follows, too. */
  private Optional<Refusal> reschedule(Schedule by, Proposal next) {
    var admitting = new Admitting(step, by.interventions().settled());
    var refusal = admitting.admit(next, next.owner());
    if (refusal.isEmpty()) {
      step.record(new QueueEvent.Rescheduled(by.id(), admitting.admitted(), ""));
      admitting
          .admitted()
          .flatMap(step.entries()::schedule)
          .filter(Schedule::isPaused)
          .ifPresent(paused -> new Deferring(step).park(paused, ParkedFor.PAUSED));
    }
    return refusal;
  }

  private void publish(Schedule schedule, QueueEvent.Settled settled) {
    var outcome = settled.outcome();
    step.publish(schedule, new Notice.Ended(step.state().history().newest()));
    if (step.setup.family(schedule.family()) instanceof Family.TellingFailures) {
      if (outcome == Outcome.FAILED) {
        step.publish(schedule, failed(schedule, CancelledTxnCode.FAILED));
      } else if (outcome == Outcome.EXPIRED || outcome == Outcome.MISSED) {
        step.publish(schedule, failed(schedule, CancelledTxnCode.EXPIRED));
      }
    }
  }

  private static Notice failed(Schedule schedule, CancelledTxnCode code) {
    return new Notice.TransactionFailed(
        schedule.id(), schedule.due(), schedule.proposal().owner(), code);
  }
}
