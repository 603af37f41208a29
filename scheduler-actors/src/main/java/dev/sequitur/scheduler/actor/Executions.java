package dev.sequitur.scheduler.actor;

import akka.actor.typed.javadsl.ActorContext;
import dev.sequitur.protocol.schedule.OccurrenceKey;
import dev.sequitur.protocol.schedule.queue.QueueEffect.HandOver;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/**
 * The attempts that answer later: so many have an actor, the others wait for their turn. Confined
 * to its actor.
 */
final class Executions {
  private final ActorContext<QueueActor.Message> context;
  private final QueueServices services;
  private final String queueName;
  private final Set<OccurrenceKey> known = new HashSet<>();
  private final Deque<HandOver> waiting = new ArrayDeque<>();
  private int running;

  Executions(ActorContext<QueueActor.Message> context, QueueServices services, String queueName) {
    this.context = context;
    this.services = services;
    this.queueName = queueName;
  }

  /** Saying it again changes nothing. */
  void begin(HandOver handOver) {
    if (known.add(handOver.key())) {
      waiting.add(handOver);
      fill();
    }
  }

  void ended(OccurrenceKey key) {
    if (known.remove(key)) {
      running--;
      fill();
    }
  }

  boolean isEmpty() {
    return known.isEmpty();
  }

  int size() {
    return known.size();
  }

  private void fill() {
    while (running < services.settings().executing() && !waiting.isEmpty()) {
      running++;
      context.spawnAnonymous(
          ScheduleActor.create(services, queueName, waiting.poll(), context.getSelf()));
    }
  }
}
