package dev.sequitur.schedule.recurring;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.Refusal.Code;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.family.Act;
import dev.sequitur.schedule.family.Admission;
import dev.sequitur.schedule.family.Intervention;
import dev.sequitur.schedule.family.Performance;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.QueueView;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.recurring.RecurringOperation.BackFill;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs a series again for past times: each is a task of its own, with the fee of a time and one
 * outcome, and is named after its time, so that the same back-fill again doubles nothing.
 */
record BackFilling(RecurringSettings settings) {
  /** Of one series, as long as it is there. */
  static final int MOST_OF_ONE = 1_000;

  Performance fill(QueueView view, BackFill asked, AccountId signer) {
    var found = view.schedule(asked.series());
    if (found.isEmpty() || !(found.get().proposal().terms() instanceof SeriesTerms terms)) {
      return Performance.refused(
          Code.UNKNOWN_SCHEDULE,
          "No such series waits here: " + asked.series() + ". Only a series is run again.");
    } else if (!signer.equals(found.get().proposal().owner())) {
      return Performance.refused(Code.NOT_ALLOWED, "Only its owner can have it back-filled.");
    } else if (view.service() != Service.ACTIVE) {
      return Performance.refused(
          Code.SERVICE_NOT_ACTIVE,
          "Recurring tasks are " + view.service().words() + ": try again when they are served.");
    } else if (view.isStarted(asked.series())) {
      return Performance.refused(
          Code.ALREADY_STARTED, "It runs now: try again when this run has its outcome.");
    }
    return fill(view, asked, found.get(), terms);
  }

  private Performance fill(QueueView view, BackFill asked, Schedule series, SeriesTerms terms) {
    long present = settings.slot(view.now().millis());
    if (asked.fromMs() > asked.untilMs() || settings.slotFrom(asked.untilMs()) >= present) {
      return Performance.refused(
          Code.BAD_TIME,
          "A back-fill is of times that have passed: end it before "
              + settings.beginTime(present)
              + ", and not before it begins.");
    }
    var state = Recurring.state(view.state());
    var times =
        terms
            .times(state)
            .after(asked.fromMs() - 1, asked.untilMs(), BackFill.MOST_TIMES + 1)
            .stream()
            .filter(time -> time <= asked.untilMs())
            .toList();
    if (times.size() > BackFill.MOST_TIMES) {
      return Performance.refused(
          Code.BAD_TIME,
          "More than " + BackFill.MOST_TIMES + " times lie there: name a shorter range.");
    }
    var filled = state.filledOf(series.id());
    var missing = times.stream().filter(time -> !filled.contains(time)).toList();
    if (filled.size() + missing.size() > MOST_OF_ONE) {
      return Performance.refused(
          Code.BAD_STATE,
          "At most " + MOST_OF_ONE + " times of a series are back-filled: make another series.");
    }
    return fill(view, asked, series, missing, times.size() - missing.size());
  }

  private Performance fill(
      QueueView view, BackFill asked, Schedule series, List<Long> missing, int already) {
    var owner = series.proposal().owner();
    try {
      var fees = Amount.product(missing.size(), settings.feePerTime());
      if (!view.book().canPay(owner, fees)) {
        return Performance.refused(
            Code.INSUFFICIENT_BALANCE, "The fees are " + fees + ": fund the account.");
      }
    } catch (ArithmeticException e) {
      return Performance.refused(Code.OVERFLOW, "The fees are too high for any account.");
    }
    var acts = new ArrayList<Act>();
    var runs = new ArrayList<RecurringResult.Filled>();
    long slot = settings.slot(view.now().millis());
    for (long time : missing) {
      var proposal = proposal(series, slot, time);
      var id = id(proposal);
      if (view.schedule(id).isPresent()) {
        return Performance.refused(
            Code.DUPLICATE, "Another task is called as its run: " + id + ".");
      }
      var due = DueKey.of(slot, view.nextIncarnation() + runs.size());
      acts.add(
          new Act.Admit(
              proposal, new Admission.Admitted(id, due, new Amount(settings.feePerTime()))));
      runs.add(new RecurringResult.Filled(id, time));
    }
    if (!runs.isEmpty()) {
      acts.add(
          new Act.Intervene(
              series.id(),
              new Intervention(
                  Intervention.Kind.BACK_FILL,
                  owner,
                  view.now(),
                  series.occurrence(),
                  asked.note())));
    }
    return new Performance.Performed(acts, Optional.of(new RecurringResult.Filling(runs, already)));
  }

  /** As soon as blocks come to it, late as it is, and with the attempts that the series has. */
  private Proposal proposal(Schedule series, long slot, long time) {
    var before = series.proposal();
    var called =
        Bytes.utf8(
            ((SeriesTerms) before.terms()).providedId().toUtf8()
                + "@"
                + Instant.ofEpochMilli(time));
    var terms =
        new RecurringTerms(
            called,
            List.of(settings.begin(slot)),
            Optional.of(new RecurringTerms.BackFilled(series.id(), time)));
    return before.with(terms, before.target()).withLate(new LatePolicy.RunAll());
  }

  private static ScheduleId id(Proposal task) {
    var terms = (RecurringTerms) task.terms();
    return new ScheduleId(FamilyKind.RECURRING, Recurring.taskId(task.owner(), terms.providedId()));
  }
}
