package dev.sequitur.sequencer.runtime;

import static java.util.stream.Collectors.toMap;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.pubsub.Topic;
import akka.cluster.Member;
import akka.cluster.typed.Cluster;
import dev.sequitur.cluster.placement.ShardWork;
import dev.sequitur.protocol.placement.ShardWeights;
import dev.sequitur.protocol.placement.Weighing;
import dev.sequitur.sequencer.actor.JvmReport.Weighed;
import dev.sequitur.sequencer.runtime.JvmGathering.Gathered;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;

/**
 * Has what shards weigh followed what their entities do ({@link Weighing}). One in each JVM; that
 * of the oldest, which deals out the shards too, looks and decides. All others are told, so that
 * they know where entities are, and whoever is the oldest next goes on with the same weights.
 *
 * <p>What the oldest decides it says again at each look, for those that have joined since. Who has
 * not heard yet sends an envelope to the JVM that had the entity before; that one passes it on.
 */
final class ShardWeigher extends AbstractBehavior<ShardWeigher.Command> {
  /** In which busy JVMs do enough to be compared. */
  static final Duration BETWEEN_LOOKS = Duration.ofMinutes(1);

  /** What it is told. */
  sealed interface Command {}

  /** Time to look. */
  record Look() implements Command {}

  private record Seen(Gathered gathered) implements Command {}

  private record Told(ShardWeights weights) implements Command {}

  private final ActorRef<JvmGathering.Command> jvms;
  private final ActorRef<Gathered> seen;
  private final ActorRef<Topic.Command<Weighed>> topic;
  private final ShardWork work;
  private Weighing weighing;

  /**
   * @param jvms who asks the JVMs how they are
   * @param between two looks
   */
  static Behavior<Command> create(ActorRef<JvmGathering.Command> jvms, Duration between) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  timers.startTimerWithFixedDelay(new Look(), between);
                  return new ShardWeigher(context, jvms);
                }));
  }

  private ShardWeigher(ActorContext<Command> context, ActorRef<JvmGathering.Command> jvms) {
    super(context);
    this.jvms = jvms;
    this.work = ShardWork.get(context.getSystem().classicSystem());
    this.weighing = Weighing.begun(work.weights());
    this.seen = context.messageAdapter(Gathered.class, Seen::new);
    this.topic = context.spawn(Topic.create(Weighed.class, "shards-weigh"), "topic");
    topic.tell(
        Topic.subscribe(context.messageAdapter(Weighed.class, told -> new Told(told.weights()))));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder().onAnyMessage(this::onCommand).build();
  }

  private Behavior<Command> onCommand(Command command) {
    switch (command) {
      case Look() -> onLook();
      case Seen(var gathered) -> onSeen(gathered);
      case Told(var weights) -> {
        weighing = weighing.told(weights);
        work.become(weights);
      }
    }
    return this;
  }

  /** Who is not the oldest any more begins anew if it is again. */
  private void onLook() {
    if (decides()) {
      jvms.tell(new JvmGathering.Gather(Optional.empty(), seen));
    } else {
      weighing = Weighing.begun(work.weights());
    }
  }

  private boolean decides() {
    var cluster = Cluster.get(getContext().getSystem());
    var self = cluster.selfMember();
    var members = cluster.state().getMembers();
    return Membership.jvms(getContext().getSystem()) > 1
        && StreamSupport.stream(members.spliterator(), false)
            .noneMatch((Member other) -> other.isOlderThan(self));
  }

  private void onSeen(Gathered gathered) {
    if (gathered.tooMany()) {
      return;
    }
    var before = weighing.weights();
    weighing =
        weighing.look(
            gathered.reports().entrySet().stream()
                .collect(toMap(Map.Entry::getKey, each -> each.getValue().done())),
            JvmViews.up(gathered),
            work.shards());
    var weights = weighing.weights();
    if (weights.number() != before.number()) {
      getContext().getLog().info("Shards get new weights, number {}: some move", weights.number());
    }
    work.become(weights);
    if (weights.number() > 0) {
      topic.tell(Topic.publish(new Weighed(weights)));
    }
  }
}
