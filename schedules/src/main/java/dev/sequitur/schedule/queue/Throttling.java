package dev.sequitur.schedule.queue;

import dev.sequitur.schedule.Refusal;
import java.util.Optional;

/** The leaky buckets of a queue, one for each operation that has a limit (SCH-7). */
final class Throttling {
  private final QueueStep step;

  Throttling(QueueStep step) {
    this.step = step;
  }

  /**
   * Why an operation of this name has to wait. While the queue's time stands still nothing would
   * run out of a bucket, for hours perhaps, so nobody waits for it (SCH-7).
   */
  Optional<Refusal> refusal(String operation) {
    var limit = step.setup.throttles().get(operation);
    if (limit == null
        || step.standsStill()
        || step.state().throttle(operation, limit).allows(step.now())) {
      return Optional.empty();
    }
    return Optional.of(
        new Refusal(Refusal.Code.BUSY, "More than " + limit + " a second: try again in a moment."));
  }

  /** One more of this name was let through. */
  void use(String operation) {
    if (step.setup.throttles().containsKey(operation)) {
      step.record(new QueueEvent.Throttled(operation));
    }
  }
}
