package dev.sequitur.schedule.recurring;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.ParkedFor;
import dev.sequitur.schedule.Refusal.Code;
import dev.sequitur.schedule.family.Act;
import dev.sequitur.schedule.family.OccurrenceEnding;
import dev.sequitur.schedule.family.Performance;
import dev.sequitur.schedule.family.QueueView;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.recurring.RecurringOperation.RemoveDaysOff;
import dev.sequitur.schedule.recurring.RecurringOperation.SetDaysOff;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The lists of days off of a queue: its administrator keeps them, and series stand on them. */
record DaysOffLists(RecurringSettings settings, Series series) {
  /** Of a list: a change plans all of them anew in its step. */
  static final int MOST_STANDING = 1_000;

  /** Of a queue. */
  private static final int MOST_LISTS = 100;

  /** Of the times between now and that at which a series stands. */
  private static final int MOST_LOOKED_AT = 1_000;

  Performance set(QueueView view, SetDaysOff asked, AccountId signer) {
    var before = Recurring.state(view.state());
    var list = asked.list();
    if (!signer.equals(view.administrator())) {
      return notAllowed();
    } else if (!before.daysOff().containsKey(list) && before.daysOff().size() >= MOST_LISTS) {
      return Performance.refused(
          Code.BAD_STATE, "A queue has at most " + MOST_LISTS + " lists: remove one first.");
    }
    var acts = new ArrayList<Act>();
    acts.add(new Act.Change(new RecurringEvent.DaysOffSet(list, asked.days())));
    var after = before.with(list, asked.days());
    for (var id : before.on(list)) {
      var schedule = view.schedule(id);
      if (schedule.isPresent() && isToCome(view, schedule.get())) {
        var act = planned(view, schedule.get(), before, after);
        if (act.isPresent()) {
          acts.add(act.get());
          after = after.add(List.of(schedule.get().due().time()), -1);
          if (act.get() instanceof Act.Defer(var ignored, var due) && !due.isParked()) {
            after = after.add(List.of(due.time()), 1);
          }
        }
      }
    }
    return new Performance.Performed(acts, Optional.empty());
  }

  /** What is about to run, or runs, is left to; what is parked has no time. */
  private boolean isToCome(QueueView view, Schedule schedule) {
    return !view.isStarted(schedule.id())
        && !schedule.due().isParked()
        && schedule.due().time() > settings.slot(view.now().millis());
  }

  private Optional<Act> planned(
      QueueView view, Schedule schedule, RecurringState before, RecurringState after) {
    var terms = (SeriesTerms) schedule.proposal().terms();
    var slot = next(view, schedule, terms.times(after), before.listOf(terms.policy()));
    if (slot.isEmpty()) {
      return Optional.of(
          new Act.End(
              schedule.id(),
              new OccurrenceEnding.CalledOff(),
              "All that was left of it is on days off now."));
    } else if (slot.get() == schedule.due().time()) {
      return Optional.empty();
    }
    return Optional.of(
        new Act.Defer(
            schedule.id(),
            series.isFull(after, slot.get())
                ? DueKey.parked(schedule.incarnation(), ParkedFor.SLOT_FULL)
                : DueKey.of(slot.get(), schedule.incarnation())));
  }

  /** Earlier than it stands only on a day that was off: what its owner has skipped stays so. */
  private Optional<Long> next(
      QueueView view, Schedule schedule, Times times, Optional<DaysOff> before) {
    var off = new Times(times.cadence(), times.policy(), before);
    long stands = Jitter.of(settings, schedule.id(), off).time(schedule.due().time());
    var jitter = Jitter.of(settings, schedule.id(), times);
    for (long time : times.after(view.now().millis(), settings.begin(stands), MOST_LOOKED_AT)) {
      if (settings.slotFrom(time) >= stands
          || before.map(days -> days.contains(time)).orElse(false)) {
        return Optional.of(jitter.planned(settings.slotFrom(time)));
      }
    }
    return times.after(settings.begin(stands) - 1).map(settings::slotFrom).map(jitter::planned);
  }

  Performance remove(QueueView view, RemoveDaysOff asked, AccountId signer) {
    var state = Recurring.state(view.state());
    if (!signer.equals(view.administrator())) {
      return notAllowed();
    } else if (!state.daysOff().containsKey(asked.list())) {
      return Performance.refused(
          Code.BAD_STATE, "There is no list of days off that is called " + asked.list() + ".");
    } else if (!state.on(asked.list()).isEmpty()) {
      return Performance.refused(
          Code.BAD_STATE,
          state.on(asked.list()).size()
              + " series stand on it: set it to no days, or have them changed first.");
    }
    return new Performance.Performed(
        List.of(new Act.Change(new RecurringEvent.DaysOffRemoved(asked.list()))), Optional.empty());
  }

  private static Performance notAllowed() {
    return Performance.refused(
        Code.NOT_ALLOWED, "Only the queue's administrator keeps its lists of days off.");
  }
}
