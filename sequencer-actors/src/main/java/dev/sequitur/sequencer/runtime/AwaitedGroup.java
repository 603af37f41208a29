package dev.sequitur.sequencer.runtime;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.StashBuffer;
import akka.actor.typed.javadsl.TimerScheduler;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.sequencer.actor.BlockFeedCommand;
import dev.sequitur.sequencer.actor.NodeServices;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * An entity that is woken before its JVM has heard of its group, which another JVM has taken up
 * just now: looks into the node store until the group is there, then begins.
 */
final class AwaitedGroup {
  private static final int LOOKS = 25;
  private static final Duration BETWEEN = Duration.ofMillis(200);
  private static final int WAITING = 10_000;

  private final ActorContext<Object> context;
  private final TimerScheduler<Object> timers;
  private final StashBuffer<Object> waiting;
  private final NodeServices services;
  private final Wish<?> wish;
  private int looks;

  private record Look() {}

  /**
   * @param failure why the node store could not be asked
   */
  private record Found(Optional<PrivacyGroup> group, Optional<Throwable> failure) {}

  /**
   * @param stop what the shard says when it wants the entity to end
   * @param begin makes the entity, once the group is known
   */
  record Wish<C>(
      ContractAddress contract,
      C stop,
      ActorRef<ClusterSharding.ShardCommand> shard,
      Supplier<Behavior<C>> begin) {}

  private AwaitedGroup(
      ActorContext<Object> context,
      TimerScheduler<Object> timers,
      StashBuffer<Object> waiting,
      NodeServices services,
      Wish<?> wish) {
    this.context = context;
    this.timers = timers;
    this.waiting = waiting;
    this.services = services;
    this.wish = wish;
  }

  /** The entity itself if its group is known already. */
  static <C> Behavior<C> entity(NodeServices services, Wish<C> wish) {
    if (services.groups().find(wish.contract()).isPresent()) {
      return wish.begin().get();
    }
    Behavior<Object> awaiting =
        Behaviors.setup(
            context ->
                Behaviors.withTimers(
                    timers ->
                        Behaviors.withStash(
                            WAITING,
                            stash ->
                                new AwaitedGroup(context, timers, stash, services, wish).begin())));
    return awaiting.narrow();
  }

  private Behavior<Object> begin() {
    context.getSelf().tell(new Look());
    services.feed().tell(new BlockFeedCommand.Await(context.getSelf()));
    return Behaviors.receiveMessage(this::onMessage);
  }

  private Behavior<Object> onMessage(Object message) {
    if (message instanceof Look) {
      context.pipeToSelf(
          services.store().groupAt(wish.contract()),
          (stored, failure) ->
              failure == null
                  ? new Found(stored.flatMap(StoredGroup::group), Optional.empty())
                  : new Found(Optional.empty(), Optional.of(failure)));
    } else if (message instanceof Found found) {
      return onFound(found);
    } else if (message.equals(wish.stop())) {
      return Behaviors.stopped();
    } else if (!waiting.isFull()) {
      waiting.stash(message);
    }
    return Behaviors.same();
  }

  @SuppressWarnings("unchecked") // What is stashed came to the entity and is of its type.
  private Behavior<Object> onFound(Found found) {
    found.group().ifPresent(services.groups()::add);
    if (services.groups().find(wish.contract()).isPresent()) {
      return waiting.unstashAll((Behavior<Object>) (Behavior<?>) wish.begin().get());
    }
    looks++;
    var missing =
        found
            .failure()
            .map(
                why ->
                    "The group with contract %s cannot be read in the node store (%s)"
                        .formatted(wish.contract(), Answers.root(why).getMessage()))
            .orElse("There is no group with contract " + wish.contract() + " in the node store");
    if (looks < LOOKS) {
      // Many may wait at once, as after a start: see NodeServices.
      services
          .standing()
          .warnSeldom(
              missing
                  + "; what was sent to it waits, and it is looked for every %d ms, at most %d times"
                      .formatted(BETWEEN.toMillis(), LOOKS));
      timers.startSingleTimer(new Look(), BETWEEN);
    } else {
      context
          .getLog()
          .atWarn()
          .addKeyValue("contract", wish.contract().toString())
          .log("{}; it is looked for again once something is sent to it", missing);
      wish.shard().tell(new ClusterSharding.Passivate<>(context.getSelf()));
    }
    return Behaviors.same();
  }
}
