package dev.sequitur.sequencer.runtime;

import akka.actor.Address;
import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import akka.actor.typed.pubsub.Topic;
import akka.cluster.Member;
import akka.cluster.typed.Cluster;
import dev.sequitur.sequencer.actor.JvmReport;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Asks all JVMs of this node how they are, and answers for this one. One in each JVM. Who has not
 * answered after some seconds is told as silent. A question that is lost is not asked again:
 * whoever wants to know asks anew.
 */
final class JvmGathering extends AbstractBehavior<JvmGathering.Command> {
  /** In which a JVM that is well has answered. */
  static final Duration PATIENCE = Duration.ofSeconds(3);

  /** Questions that are open at once. */
  static final int OPEN_LIMIT = 32;

  /** What it is told. */
  sealed interface Command {}

  /**
   * Answered within {@link #PATIENCE}.
   *
   * @param sought the name of an entity, of any kind
   */
  record Gather(Optional<String> sought, ActorRef<Gathered> replyTo) implements Command {}

  private record Asked(JvmReport.Question question) implements Command {}

  private record Told(JvmReport report) implements Command {}

  private record Report(JvmReport.Question question, JvmReport report) implements Command {}

  private record NoReport(Throwable cause) implements Command {}

  private record Over(long question) implements Command {}

  /**
   * What has come.
   *
   * @param tooMany whether nobody was asked, since too many questions are open
   * @param states of the members, by their addresses
   * @param reports by the addresses of those that have answered
   */
  record Gathered(boolean tooMany, Map<String, String> states, Map<String, JvmReport> reports) {}

  private record Open(
      ActorRef<Gathered> replyTo, Map<String, String> states, Map<String, JvmReport> reports) {
    boolean isComplete() {
      return reports.keySet().containsAll(states.keySet());
    }
  }

  private final TimerScheduler<Command> timers;
  private final JvmSelf self;
  private final ActorRef<Topic.Command<JvmReport.Question>> topic;
  private final ActorRef<JvmReport> reports;
  private final Map<Long, Open> open = new HashMap<>();
  private long last;

  static Behavior<Command> create(JvmSelf self) {
    return Behaviors.setup(
        context -> Behaviors.withTimers(timers -> new JvmGathering(context, timers, self)));
  }

  private JvmGathering(
      ActorContext<Command> context, TimerScheduler<Command> timers, JvmSelf self) {
    super(context);
    this.timers = timers;
    this.self = self;
    this.topic = context.spawn(Topic.create(JvmReport.Question.class, "jvm-questions"), "topic");
    this.reports = context.messageAdapter(JvmReport.class, Told::new);
    topic.tell(Topic.subscribe(context.messageAdapter(JvmReport.Question.class, Asked::new)));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder().onAnyMessage(this::onCommand).build();
  }

  private Behavior<Command> onCommand(Command command) {
    switch (command) {
      case Gather gather -> onGather(gather);
      case Asked(var question) -> onAsked(question);
      case Told(var report) -> onTold(report);
      case Report(var question, var report) -> question.replyTo().tell(report);
      case NoReport(var cause) ->
          getContext().getLog().warn("This JVM could not say how it is", cause);
      case Over(long question) ->
          Optional.ofNullable(open.remove(question)).ifPresent(JvmGathering::answer);
    }
    return this;
  }

  private void onGather(Gather gather) {
    if (open.size() >= OPEN_LIMIT) {
      gather.replyTo().tell(new Gathered(true, Map.of(), Map.of()));
      return;
    }
    last++;
    open.put(last, new Open(gather.replyTo(), states(), new TreeMap<>()));
    topic.tell(Topic.publish(new JvmReport.Question(last, gather.sought(), reports)));
    timers.startSingleTimer(last, new Over(last), PATIENCE);
  }

  private Map<String, String> states() {
    var states = new TreeMap<String, String>();
    for (Member member : Cluster.get(getContext().getSystem()).state().getMembers()) {
      states.put(address(member.address()), member.status().toString().toLowerCase(Locale.ROOT));
    }
    return states;
  }

  private static String address(Address address) {
    return address.toString();
  }

  private void onAsked(JvmReport.Question question) {
    getContext()
        .pipeToSelf(
            self.report(question),
            (report, failure) ->
                failure == null ? new Report(question, report) : new NoReport(failure));
  }

  private void onTold(JvmReport report) {
    var asked = open.get(report.question());
    if (asked == null) {
      return;
    }
    asked.reports().put(report.jvm(), report);
    if (asked.isComplete()) {
      open.remove(report.question());
      timers.cancel(report.question());
      answer(asked);
    }
  }

  private static void answer(Open asked) {
    asked.replyTo().tell(new Gathered(false, asked.states(), asked.reports()));
  }
}
