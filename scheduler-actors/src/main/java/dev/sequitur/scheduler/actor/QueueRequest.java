package dev.sequitur.scheduler.actor;

import akka.actor.typed.ActorRef;
import dev.sequitur.schedule.queue.QueueInput.Command;
import java.util.List;

/** What a queue can be told from anywhere in the node. */
public sealed interface QueueRequest extends QueueActor.Message {
  /** Commands, decided in their order; answered together. */
  record Submit(List<Command> commands, ActorRef<QueueReply> replyTo) implements QueueRequest {
    public Submit {
      commands = List.copyOf(commands);
    }
  }

  /** Changes nothing; answered from what is stored. */
  record Ask(QueueQuestion question, ActorRef<QueueReply> replyTo) implements QueueRequest {}

  /** Has it come into memory, if it has work; means nothing else. */
  record Wake() implements QueueRequest {}

  /** Has it leave memory, or this JVM. */
  record Stop() implements QueueRequest {}
}
