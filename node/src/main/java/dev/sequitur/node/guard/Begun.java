package dev.sequitur.node.guard;

import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.schedule.ScheduleId;
import dev.sequitur.scheduler.QueueName;

/** What a call has begun, and what ends later. */
public sealed interface Begun {
  /** A transaction, private or public: it ends with its receipt. */
  record Sent(TransactionId id) implements Begun {}

  /** A schedule: it ends with its last outcome. */
  record Scheduled(QueueName queue, ScheduleId id) implements Begun {}
}
