package dev.sequitur.protocol.schedule.queue;

import dev.sequitur.protocol.schedule.ScheduleId;
import dev.sequitur.protocol.schedule.family.Act;
import dev.sequitur.protocol.schedule.family.Family;
import dev.sequitur.protocol.schedule.family.Schedule;
import dev.sequitur.protocol.schedule.queue.QueueEffect.Notice;
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
    if (act instanceof Act.Change change) {
      step.record(new QueueEvent.FamilyChanged(family.kind(), change.event()));
    } else if (act instanceof Act.Admit admit) {
      new Admitting(step).take(admit.proposal(), admit.admitted());
    } else if (act instanceof Act.End end) {
      new Settling(step).end(waiting(end.schedule()), end.ending(), end.note());
    } else if (act instanceof Act.Fire fire) {
      step.tick();
      new Executing(step).start(waiting(fire.schedule()), fire.price());
    } else if (act instanceof Act.Defer defer) {
      new Deferring(step).defer(waiting(defer.schedule()), defer.due());
    } else if (act instanceof Act.Serve serve) {
      new Serving(step).serve(family.kind(), serve.service());
    } else if (act instanceof Act.Announce announce) {
      step.publish(new Notice.OfFamily(announce.notice()));
    } else {
      step.record(money(act));
    }
  }

  private static QueueEvent money(Act act) {
    if (act instanceof Act.Pay pay) {
      return new QueueEvent.Posted(pay.from(), pay.to(), pay.amount());
    } else if (act instanceof Act.SetAside aside) {
      return new QueueEvent.SetAside(aside.hold(), aside.owner(), aside.amount());
    } else if (act instanceof Act.Shift shift) {
      return new QueueEvent.Shifted(shift.from(), shift.to(), shift.amount());
    } else if (act instanceof Act.Capture capture) {
      return new QueueEvent.Captured(capture.hold(), capture.to(), capture.amount());
    } else if (act instanceof Act.Release release) {
      return new QueueEvent.Released(release.hold());
    }
    throw new IllegalStateException("Unknown act: " + act);
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
