package dev.sequitur.scheduler.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.pubsub.Topic;
import akka.cluster.typed.Cluster;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Tells the other JVMs of the node what this one's clock says, and keeps what theirs say. One that
 * it has not heard of before it tells at once, so that a JVM that comes soon knows of them all.
 */
public final class ClockExchange extends AbstractBehavior<ClockExchange.Message> {
  /** What it is told. */
  public sealed interface Message {}

  private record Heard(ClockReading reading) implements Message {}

  private record Tell() implements Message {}

  /**
   * How soon it is known that a clock was set. A clock that jumps is judged by what is known, so
   * this needs to be no shorter.
   */
  static final Duration PERIOD = Duration.ofSeconds(2);

  private final ActorRef<Topic.Command<ClockReading>> topic;
  private final NodeClocks clocks;
  private final Judged judged;
  private boolean ahead;
  private boolean still;
  private boolean silent;

  /**
   * The JVM whose clock is judged.
   *
   * @param jvm as in {@link ClockReading}
   * @param maxAhead how far its clock may be ahead of the others
   * @param still what is wrong with queues whose time stands still since the clock was set back
   * @param answers of the queues, which are asked in each period
   * @param queues that it has, of which the others are told
   */
  record Judged(
      String jvm,
      Duration maxAhead,
      Supplier<Optional<String>> still,
      QueueAnswers answers,
      Supplier<List<String>> queues) {}

  /**
   * Begins it for this JVM: before its queues, so that they are judged soon, and asked whether they
   * are there.
   */
  public static void start(ActorSystem<?> system, QueueServices services) {
    var name = "schedule-clocks";
    var topic = system.systemActorOf(Topic.create(ClockReading.class, name), name, Props.empty());
    var jvm = Cluster.get(system).selfMember().address().toString();
    var judged =
        new Judged(
            jvm,
            services.rules().setup().maxAhead(),
            () -> services.figures().trouble(services.rules(), services.wall()),
            services.figures().answers(),
            services.figures()::names);
    var clocks = services.clocks();
    var exchange = create(topic, clocks, judged);
    system.systemActorOf(exchange, "schedule-clock-exchange", Props.empty());
  }

  static Behavior<Message> create(
      ActorRef<Topic.Command<ClockReading>> topic, NodeClocks clocks, Judged judged) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  topic.tell(
                      Topic.subscribe(context.messageAdapter(ClockReading.class, Heard::new)));
                  timers.startTimerWithFixedDelay(new Tell(), PERIOD);
                  return new ClockExchange(context, topic, clocks, judged);
                }));
  }

  private ClockExchange(
      ActorContext<Message> context,
      ActorRef<Topic.Command<ClockReading>> topic,
      NodeClocks clocks,
      Judged judged) {
    super(context);
    context.setLoggerName(ClockExchange.class);
    this.topic = topic;
    this.clocks = clocks;
    this.judged = judged;
  }

  @Override
  public Receive<Message> createReceive() {
    return newReceiveBuilder().onAnyMessage(this::on).build();
  }

  private Behavior<Message> on(Message message) {
    return switch (message) {
      case Heard heard -> onHeard(heard);
      case Tell() -> onTell();
    };
  }

  private Behavior<Message> onTell() {
    tell();
    judge();
    judgeAnswers();
    return this;
  }

  private Behavior<Message> onHeard(Heard heard) {
    if (!heard.reading().jvm().equals(judged.jvm())) {
      if (clocks.hear(heard.reading())) {
        tell();
      }
      judge();
    }
    return this;
  }

  private void tell() {
    topic.tell(
        Topic.publish(
            new ClockReading(judged.jvm(), clocks.own().instant(), judged.queues().get())));
  }

  private void judge() {
    var trouble = clocks.trouble(judged.maxAhead());
    if (trouble.isPresent() && !ahead) {
      getContext().getLog().warn(trouble.get());
    } else if (trouble.isEmpty() && ahead) {
      getContext().getLog().info("The schedule queues of this JVM go by its own clock again.");
    }
    ahead = trouble.isPresent();
    judgeQueues();
  }

  private void judgeAnswers() {
    judged.answers().ask();
    var trouble = judged.answers().trouble();
    if (trouble.isPresent() && !silent) {
      getContext().getLog().warn("{} They are {}.", trouble.get(), judged.answers().silent());
    } else if (trouble.isEmpty() && silent) {
      getContext().getLog().info("All schedule queues of this JVM answer again.");
    }
    silent = trouble.isPresent();
  }

  private void judgeQueues() {
    var trouble = judged.still().get();
    if (trouble.isPresent() && !still) {
      getContext().getLog().warn(trouble.get());
    } else if (trouble.isEmpty() && still) {
      getContext().getLog().info("The time of all schedule queues of this JVM goes on again.");
    }
    still = trouble.isPresent();
  }
}
