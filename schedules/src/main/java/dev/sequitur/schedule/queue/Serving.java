package dev.sequitur.schedule.queue;

import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.queue.QueueEffect.Notice;

/** Changes whether a family is served, and tells of a shutdown that has come to its end by it. */
final class Serving {
  private final QueueStep step;

  Serving(QueueStep step) {
    this.step = step;
  }

  /** To be asked for only where {@link Service#cannotBecome} has nothing against it. */
  void serve(FamilyKind family, Service service) {
    boolean ends =
        step.state().service(family) == Service.SHUTTING_DOWN
            && !step.entries().isExecuting(family);
    step.record(new QueueEvent.ServiceChanged(family, service));
    if (ends) {
      step.publish(new Notice.ShutdownComplete(family));
    }
  }
}
