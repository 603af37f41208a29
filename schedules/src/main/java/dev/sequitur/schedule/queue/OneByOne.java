package dev.sequitur.schedule.queue;

import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.ParkedFor;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Verdict;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.queue.QueueEffect.CancelledTxnCode;
import dev.sequitur.schedule.queue.QueueEffect.Notice;
import java.util.function.Supplier;

/**
 * Has the schedules of a block do their parts one by one. The rules fail over none of them, but if
 * ever they do, what could not be decided once cannot be decided the next time either: one schedule
 * would stop its queue for all, and for good. So nothing of what it did has happened, and it is
 * called off with its money back; if even that fails, it is parked, where no block looks at it.
 */
final class OneByOne {
  private static final String NOTE =
      "The node failed over it, and nothing of it was done: its log says more.";

  private final QueueStep step;

  OneByOne(QueueStep step) {
    this.step = step;
  }

  void each(ScheduleId id, Runnable part) {
    if (!survives(id, part)) {
      giveUp(id);
    }
  }

  /** At a time of its own, if its family needs one. */
  void stamped(ScheduleId id, Runnable part) {
    each(
        id,
        () -> {
          stamp(id);
          part.run();
        });
  }

  private void stamp(ScheduleId id) {
    if (step.setup.family(id.family()) instanceof Family.Stamped) {
      step.tick();
    }
  }

  /** What becomes of one that is due; one that is given up has missed its time. */
  Verdict judge(ScheduleId id, Supplier<Verdict> part) {
    var verdict = step.survives(id, part);
    if (verdict.isEmpty()) {
      giveUp(id);
    }
    return verdict.orElse(Verdict.MISS);
  }

  private void giveUp(ScheduleId id) {
    if (!survives(id, () -> callOff(id))) {
      survives(id, () -> park(id));
    }
  }

  private boolean survives(ScheduleId id, Runnable part) {
    return step.survives(
            id,
            () -> {
              part.run();
              return true;
            })
        .isPresent();
  }

  /** What awaits another attempt has its end by the attempts that were. */
  private void callOff(ScheduleId id) {
    stamp(id);
    var execution = step.entries().execution(id);
    if (execution.isPresent()) {
      new Executing(step).giveUp(execution.get(), new Conclusion.Failed(0, NOTE, false));
    } else {
      var schedule = step.entries().schedules().get(id);
      new Settling(step).callOff(schedule, NOTE, CancelledTxnCode.FAILED);
    }
  }

  private void park(ScheduleId id) {
    var schedule = step.entries().schedules().get(id);
    if (schedule.due().isParked()) {
      return;
    }
    step.record(
        new QueueEvent.Deferred(id, DueKey.parked(schedule.incarnation(), ParkedFor.FAILED)));
    step.publish(schedule, new Notice.Parked(id, schedule.proposal().owner(), NOTE));
  }
}
