package dev.sequitur.schedule.queue;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ParkedFor;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.book.Hold;
import dev.sequitur.schedule.family.Amendment;
import dev.sequitur.schedule.family.Description;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.family.Intervention;
import dev.sequitur.schedule.family.OccurrenceEnding;
import dev.sequitur.schedule.family.Performance;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.queue.QueueEffect.Notice;
import dev.sequitur.schedule.queue.QueueInput.Operation.Change;
import dev.sequitur.schedule.queue.QueueInput.Operation.Intervene;
import java.util.Optional;

/** Pauses one schedule, resumes it, runs it now, or skips its next time (SCH-26). */
final class Intervening {
  private final QueueStep step;

  Intervening(QueueStep step) {
    this.step = step;
  }

  /**
   * @param id as which it is there now
   */
  Optional<Refusal> intervene(AccountId signer, ScheduleId id, Intervene asked) {
    return onSteered(
        signer,
        id,
        asked.kind(),
        asked.note(),
        (family, schedule, done) ->
            switch (asked.kind()) {
              case PAUSE -> pause(family, schedule, done);
              case RESUME -> resume(family, schedule, done);
              case RUN_NOW -> runNow(family, schedule, done);
              case SKIP_NEXT -> skip(family, schedule, done);
              case CHANGE, BACK_FILL ->
                  throw new IllegalStateException("It says not what: " + asked);
            });
  }

  /** As {@link #intervene}. */
  Optional<Refusal> change(AccountId signer, ScheduleId id, Change asked) {
    return onSteered(
        signer,
        id,
        Intervention.Kind.CHANGE,
        asked.note(),
        (family, schedule, done) -> change(family, schedule, asked, done));
  }

  private interface Doing {
    Optional<Refusal> apply(Family.Steered family, Schedule schedule, Intervention done);
  }

  private Optional<Refusal> onSteered(
      AccountId signer, ScheduleId id, Intervention.Kind kind, String note, Doing doing) {
    var found = step.entries().schedule(id);
    if (found.isEmpty() || step.entries().isEnded(id)) {
      return refuse(Refusal.Code.UNKNOWN_SCHEDULE, "No such schedule waits here, or not any more.");
    }
    var schedule = found.get();
    if (!(step.setup.family(id.family()) instanceof Family.Steered family)) {
      return refuse(
          Refusal.Code.NOT_ALLOWED,
          "A schedule of the family "
              + id.family().word()
              + " cannot be "
              + kind.passive()
              + ": only gas-priority and recurring ones can.");
    } else if (!signer.equals(schedule.proposal().owner())) {
      return refuse(Refusal.Code.NOT_ALLOWED, "Only its owner can have it " + kind.passive() + ".");
    }
    return doing.apply(
        family, schedule, new Intervention(kind, signer, step.now(), schedule.occurrence(), note));
  }

  private Optional<Refusal> change(
      Family.Steered family, Schedule schedule, Change asked, Intervention done) {
    if (step.entries().isStarted(schedule.id())) {
      return refuse(
          Refusal.Code.ALREADY_STARTED,
          "It runs now: change it when this run has its outcome, or pause it first.");
    } else if (schedule.due().isParked() && !schedule.isPaused()) {
      return refuse(Refusal.Code.BAD_STATE, "It is parked: resume it first.");
    } else if (!schedule.isPaused() && family.dueNanos(schedule.due()) <= step.now().nanos()) {
      return refuse(
          Refusal.Code.BAD_STATE,
          "Its time has come, and it is about to run: change it after that, or pause it first.");
    } else if (asked.revision().isPresent() && asked.revision().get().family() != family.kind()) {
      return refuse(
          Refusal.Code.BAD_STATE,
          "It is of the family " + family.kind().word() + ": change it in that family's words.");
    }
    var before = schedule.proposal();
    var to =
        new Proposal(
            before.owner(),
            before.terms(),
            asked.target().orElse(before.target()),
            asked.late().orElse(before.late()),
            asked.retry().orElse(before.retry()),
            new Description(
                asked.text().orElse(before.description().text()),
                asked.labels().orElse(before.description().labels())));
    return Authority.refusesRunning(step, family, to.target())
        .or(
            () ->
                switch (family.amend(step.view(family), schedule, to, asked.revision())) {
                  case Amendment.Refused(var refusal) -> Optional.of(refusal);
                  case Amendment.Amended amended ->
                      // Its family may have put it into a repetition.
                      Authority.refusesRunning(step, family, amended.proposal().target())
                          .or(() -> amend(schedule, amended, done));
                });
  }

  private Optional<Refusal> amend(Schedule schedule, Amendment.Amended amended, Intervention done) {
    var owner = schedule.proposal().owner();
    long held =
        step.state().book().hold(schedule.hold()).map(Hold::amount).orElse(Amount.ZERO).units();
    long more = amended.held().units() - held;
    if (more > 0 && !step.state().book().canPay(owner, new Amount(more))) {
      return refuse(
          Refusal.Code.INSUFFICIENT_BALANCE,
          "It is to have " + more + " more set aside: fund the account, or change less.");
    }
    record(schedule, done);
    if (more > 0) {
      step.record(new QueueEvent.SetAside(schedule.hold(), owner, new Amount(more)));
    } else if (more < 0) {
      step.record(new QueueEvent.Captured(schedule.hold(), owner, new Amount(-more)));
    }
    step.record(new QueueEvent.Amended(schedule.id(), amended.proposal(), amended.due()));
    return Optional.empty();
  }

  /** What has begun goes on to its outcome: what is paused is all that comes after it. */
  private Optional<Refusal> pause(Family.Steered family, Schedule schedule, Intervention done) {
    boolean started = step.entries().isStarted(schedule.id());
    if (schedule.isPaused()) {
      return refuse(Refusal.Code.BAD_STATE, "It is paused already.");
    } else if (schedule.due().isParked()) {
      return refuse(
          Refusal.Code.BAD_STATE, "It is parked: nothing of it runs until it is resumed.");
    } else if (started && !family.goesOn(step.view(family), schedule)) {
      return refuse(
          Refusal.Code.ALREADY_STARTED,
          "It was started, and nothing is to come after this run: there is nothing to pause.");
    }
    record(schedule, done);
    if (!started) {
      new Deferring(step).park(schedule, ParkedFor.PAUSED);
    }
    return Optional.empty();
  }

  private Optional<Refusal> resume(Family.Steered family, Schedule schedule, Intervention done) {
    if (step.entries().isStarted(schedule.id())) {
      if (!schedule.isPaused()) {
        return refuse(Refusal.Code.BAD_STATE, "It is not paused: it runs now.");
      }
      record(schedule, done);
      return Optional.empty();
    } else if (!schedule.due().isParked()) {
      return refuse(Refusal.Code.BAD_STATE, "It is neither paused nor parked.");
    }
    return perform(family, family.resume(step.view(family), schedule), schedule, done);
  }

  private Optional<Refusal> runNow(Family.Steered family, Schedule schedule, Intervention done) {
    return whyNotServed(family, schedule)
        .or(
            () ->
                schedule.due().isParked() && !schedule.isPaused()
                    ? refuse(Refusal.Code.BAD_STATE, "It is parked: resume it first.")
                    : perform(family, family.runNow(step.view(family), schedule), schedule, done));
  }

  private Optional<Refusal> skip(Family.Steered family, Schedule schedule, Intervention done) {
    var refusal = whyNotServed(family, schedule);
    if (refusal.isPresent()) {
      return refusal;
    } else if (schedule.due().isParked()) {
      return refuse(
          Refusal.Code.BAD_STATE,
          "It is "
              + (schedule.isPaused() ? "paused" : "parked")
              + " and has no next time: resume it first.");
    } else if (!family.goesOn(step.view(family), schedule)) {
      return refuse(
          Refusal.Code.BAD_STATE, "Nothing is to come after its next time: cancel it instead.");
    }
    var settling = new Settling(step);
    step.attempt(
        () -> {
          record(schedule, done);
          settling.end(
              step.entries().schedules().get(schedule.id()),
              new OccurrenceEnding.Skipped(),
              done.sentence());
          return settling.notAnew().isEmpty();
        });
    return settling
        .notAnew()
        .map(
            why ->
                new Refusal(
                    why.code(), "What comes after it cannot be scheduled: " + why.sentence()));
  }

  /** Why nothing of it is to happen now. */
  private Optional<Refusal> whyNotServed(Family family, Schedule schedule) {
    var service = step.state().service(family.kind());
    if (step.entries().isStarted(schedule.id())) {
      return refuse(
          Refusal.Code.ALREADY_STARTED, "It runs now: try again when this run has its outcome.");
    } else if (service != Service.ACTIVE) {
      return refuse(
          Refusal.Code.SERVICE_NOT_ACTIVE,
          "Its family is " + service.words() + ": try again when it is served.");
    }
    return Optional.empty();
  }

  private Optional<Refusal> perform(
      Family family, Performance performance, Schedule schedule, Intervention done) {
    return switch (performance) {
      case Performance.Refused(var refusal, var ignored) -> Optional.of(refusal);
      case Performance.Performed(var acts, var ignored) -> {
        record(schedule, done);
        new Acting(step, family).carryOut(acts);
        yield Optional.empty();
      }
    };
  }

  /** Has it stand with the schedule, and tells its listeners. */
  void record(Schedule schedule, Intervention done) {
    step.record(new QueueEvent.Intervened(schedule.id(), done));
    step.publish(schedule, new Notice.Intervened(schedule.id(), schedule.proposal().owner(), done));
  }

  private static Optional<Refusal> refuse(Refusal.Code code, String sentence) {
    return Optional.of(new Refusal(code, sentence));
  }
}
