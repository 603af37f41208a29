package dev.sequitur.scheduler.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.pubsub.Topic;
import dev.sequitur.scheduler.NoticeListener;
import dev.sequitur.scheduler.QueueName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tells the listeners of one JVM what the node's queues publish, wherever these are. */
public final class NoticeHub extends AbstractBehavior<NoticeHub.Message> {
  /** What the hub is told. */
  public sealed interface Message {}

  public record Listen(QueueName queue, NoticeListener listener) implements Message {}

  public record Unlisten(QueueName queue, NoticeListener listener) implements Message {}

  private record Heard(QueueNotices notices) implements Message {}

  private final Map<QueueName, List<NoticeListener>> listeners = new HashMap<>();

  public static Behavior<Message> create(ActorRef<Topic.Command<QueueNotices>> topic) {
    return Behaviors.setup(
        context -> {
          topic.tell(Topic.subscribe(context.messageAdapter(QueueNotices.class, Heard::new)));
          return new NoticeHub(context);
        });
  }

  private NoticeHub(ActorContext<Message> context) {
    super(context);
  }

  @Override
  public Receive<Message> createReceive() {
    return newReceiveBuilder().onAnyMessage(this::on).build();
  }

  private Behavior<Message> on(Message message) {
    return switch (message) {
      case Listen listen -> onListen(listen);
      case Unlisten unlisten -> onUnlisten(unlisten);
      case Heard heard -> onHeard(heard);
    };
  }

  private Behavior<Message> onListen(Listen listen) {
    listeners.computeIfAbsent(listen.queue(), queue -> new ArrayList<>()).add(listen.listener());
    return this;
  }

  private Behavior<Message> onUnlisten(Unlisten unlisten) {
    var of = listeners.getOrDefault(unlisten.queue(), new ArrayList<>());
    of.remove(unlisten.listener());
    if (of.isEmpty()) {
      listeners.remove(unlisten.queue());
    }
    return this;
  }

  private Behavior<Message> onHeard(Heard heard) {
    var queue = new QueueName(heard.notices().queue());
    for (var listener : List.copyOf(listeners.getOrDefault(queue, List.of()))) {
      try {
        listener.onNotices(queue, heard.notices().notices());
      } catch (RuntimeException e) {
        getContext().getLog().warn("A listener of the queue {} failed", queue, e);
      }
    }
    return this;
  }
}
