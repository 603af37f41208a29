package dev.sequitur.schedule.queue;

import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.ParkedFor;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.queue.QueueEffect.Notice;

/** Has a schedule stand elsewhere in its due order; what is parked is told, never just left. */
final class Deferring {
  private final QueueStep step;

  Deferring(QueueStep step) {
    this.step = step;
  }

  void park(Schedule schedule, ParkedFor cause) {
    defer(schedule, DueKey.parked(schedule.incarnation(), cause));
  }

  void defer(Schedule schedule, DueKey to) {
    step.record(new QueueEvent.Deferred(schedule.id(), to));
    tellIfParked(schedule.id());
  }

  /** Also for one whose next occurrence is parked. */
  void tellIfParked(ScheduleId id) {
    var schedule = step.entries().schedules().get(id);
    // Of a pause they are told when its owner asks for it.
    if (schedule != null && schedule.due().isParked() && !schedule.isPaused()) {
      var family = step.setup.family(id.family());
      var why = family.whyWaiting(step.view(family), schedule);
      step.publish(schedule, new Notice.Parked(id, schedule.proposal().owner(), why));
    }
  }
}
