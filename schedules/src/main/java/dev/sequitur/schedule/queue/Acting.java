package dev.sequitur.schedule.queue;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.Act;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.family.OccurrenceEnding;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.queue.QueueEffect.Notice;
import dev.sequitur.schedule.queue.QueueEvent.AccountChanged;
import dev.sequitur.schedule.queue.QueueEvent.AccountOpened;
import dev.sequitur.schedule.queue.QueueEvent.Captured;
import dev.sequitur.schedule.queue.QueueEvent.FamilyChanged;
import dev.sequitur.schedule.queue.QueueEvent.KeyBound;
import dev.sequitur.schedule.queue.QueueEvent.Posted;
import dev.sequitur.schedule.queue.QueueEvent.Released;
import dev.sequitur.schedule.queue.QueueEvent.SetAside;
import dev.sequitur.schedule.queue.QueueEvent.Shifted;
import java.util.List;

/** Carries out what a family has decided. */
final class Acting {
  private final QueueStep step;
  private final Family family;

  Acting(QueueStep step, Family family) {
    this.step = step;
    this.family = family;
  }

  void carryOut(List<Act> acts) {
    acts.forEach(this::carryOut);
  }

  private void carryOut(Act act) {
    switch (act) {
      case Act.Change(var event) -> step.record(new FamilyChanged(family.kind(), event));
      case Act.Admit(var proposal, var admitted) -> new Admitting(step).take(proposal, admitted);
      case Act.End(var id, var ending, var note) -> end(waiting(id), ending, note);
      case Act.Fire(var id, var price) -> {
        step.tick();
        new Executing(step).start(waiting(id), price);
      }
      case Act.Defer(var id, var due) -> new Deferring(step).defer(waiting(id), due);
      case Act.Intervene(var id, var done) -> new Intervening(step).record(waiting(id), done);
      case Act.Serve(var service) -> new Serving(step).serve(family.kind(), service);
      case Act.Announce(var notice) -> step.publish(notice);
      case Act.Pay(var from, var to, var amount) -> {
        var why = from.equals(AccountId.OUTSIDE) ? Posted.Why.OPENED : Posted.Why.TOLD;
        step.record(new Posted(from, to, amount, why));
      }
      case Act.SetAside(var hold, var owner, var amount) ->
          step.record(new SetAside(hold, owner, amount));
      case Act.Shift(var from, var to, var amount) -> step.record(new Shifted(from, to, amount));
      case Act.Capture(var hold, var to, var amount) -> step.record(new Captured(hold, to, amount));
      case Act.OpenAccount(var id, var account) -> step.record(new AccountOpened(id, account));
      case Act.ChangeAccount(var account, var changed) ->
          step.record(new AccountChanged(account, changed));
      case Act.BindKey(var identity, var key) -> step.record(new KeyBound(identity, key));
      case Act.Release(var hold) -> step.record(new Released(hold));
    }
  }

  private void end(Schedule schedule, OccurrenceEnding ending, String note) {
    var settling = new Settling(step);
    settling.end(schedule, ending, note);
    settling
        .notAnew()
        .ifPresent(why -> step.publish(schedule, new Notice.RescheduleRefused(schedule.id(), why)));
  }

  /** What was started has its end coming, and no act may give it another one. */
  private Schedule waiting(ScheduleId id) {
    if (step.entries().isStarted(id)) {
      throw new IllegalStateException("Started before: " + id);
    }
    return step.entries()
        .schedule(id)
        .orElseThrow(() -> new IllegalStateException("No such schedule waits: " + id));
  }
}
