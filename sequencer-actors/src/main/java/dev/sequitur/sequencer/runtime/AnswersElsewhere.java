package dev.sequitur.sequencer.runtime;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.pubsub.Topic;
import dev.sequitur.protocol.message.Envelope;
import java.util.function.Consumer;

/**
 * Passes what belongs to no entity between the JVMs of a node: answers, since a peer's arrives at
 * any of them and the question may have come from another, and questions that each JVM has to
 * answer. One in each JVM. A lost one does no harm, since the question is asked again.
 */
final class AnswersElsewhere extends AbstractBehavior<AnswersElsewhere.Command> {
  /** What it is told. */
  sealed interface Command {}

  /** Takes what other JVMs pass on; called on this actor's thread. */
  record Begin(Consumer<Envelope> receiver) implements Command {}

  /** To all JVMs, this one included. */
  record Publish(Envelope answer) implements Command {}

  private record Arrived(Envelope answer) implements Command {}

  private final ActorRef<Topic.Command<Envelope>> topic;
  private Consumer<Envelope> receiver = answer -> {};

  static Behavior<Command> create() {
    return Behaviors.setup(AnswersElsewhere::new);
  }

  private AnswersElsewhere(ActorContext<Command> context) {
    super(context);
    topic = context.spawn(Topic.create(Envelope.class, "answers-elsewhere"), "topic");
    topic.tell(Topic.subscribe(context.messageAdapter(Envelope.class, Arrived::new)));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder().onAnyMessage(this::onCommand).build();
  }

  private Behavior<Command> onCommand(Command command) {
    switch (command) {
      case Begin(var told) -> receiver = told;
      case Publish(var answer) -> topic.tell(Topic.publish(answer));
      case Arrived(var answer) -> receiver.accept(answer);
    }
    return this;
  }
}
