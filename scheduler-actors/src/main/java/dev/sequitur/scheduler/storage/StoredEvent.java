package dev.sequitur.scheduler.storage;

import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.queue.QueueEvent;
import dev.sequitur.schedule.queue.QueueState;

/** An event as the journal has it. */
public sealed interface StoredEvent {
  /** As it is. */
  record Happened(QueueEvent event) implements StoredEvent {}

  /** What is handed over is what was proposed, so that the body is not stored again. */
  record StartedAsProposed(OccurrenceKey key, long price) implements StoredEvent {}

  /**
   * @param after the state that the step of this event led to
   */
  static StoredEvent of(QueueState after, QueueEvent event) {
    if (event instanceof QueueEvent.Started started) {
      var schedule = after.entries().schedules().get(started.key().schedule());
      if (schedule != null
          && schedule.incarnation() == started.key().incarnation()
          && schedule.proposal().target() == started.request()) {
        return new StartedAsProposed(started.key(), started.price());
      }
    }
    return new Happened(event);
  }

  /**
   * @param before the state that the event changes
   */
  default QueueEvent in(QueueState before) {
    return switch (this) {
      case Happened(var event) -> event;
      case StartedAsProposed(var key, var price) -> {
        var schedule = before.entries().schedules().get(key.schedule());
        if (schedule == null) {
          throw new IllegalStateException("Started, but never admitted: " + key);
        }
        yield new QueueEvent.Started(key, schedule.proposal().target(), price);
      }
    };
  }
}
