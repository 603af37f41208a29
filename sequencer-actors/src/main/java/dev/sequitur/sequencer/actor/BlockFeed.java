package dev.sequitur.sequencer.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.Terminated;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.indexing.BlockNotice;
import dev.sequitur.sequencer.setup.GroupRegistry;
import dev.sequitur.sequencer.setup.NodeSetup;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Gives the blocks that the node's {@link LedgerIndexer} has read to those in this JVM that want
 * them: the JVM's height and groups, coordinators, endorsers and the like. One in each JVM, so that
 * an entity need not know where the indexer is, and a block travels once to each JVM.
 *
 * <p>Nothing is assured here: whoever must not miss a block is told by the indexer itself. Blocks
 * come in order and each once. One that was lost on the way is asked for; if the indexer no longer
 * has it, it is left out.
 */
public final class BlockFeed extends AbstractBehavior<BlockFeedCommand> {
  private static final Duration FOLLOW_AGAIN = Duration.ofSeconds(1);

  private record Subscriber(
      ContractAddress contract, ActorRef<BlockNotice> ref, boolean heightOnly) {}

  private final GroupRegistry groups;
  private final NodeStanding standing;
  private final InstantSource clock;
  private final TimerScheduler<BlockFeedCommand> timers;
  private final Map<ActorRef<?>, Subscriber> subscribers = new HashMap<>();

  /** Whoever is in memory may wait for a block: those that subscribe, and others. */
  private final Set<ActorRef<?>> awaiting = new HashSet<>();

  private ActorRef<LedgerIndexer.Command> indexer;
  private BlockHeight known;

  public static Behavior<BlockFeedCommand> create(NodeSetup setup, NodeStanding standing) {
    return Behaviors.setup(
        context -> Behaviors.withTimers(timers -> new BlockFeed(context, timers, setup, standing)));
  }

  private BlockFeed(
      ActorContext<BlockFeedCommand> context,
      TimerScheduler<BlockFeedCommand> timers,
      NodeSetup setup,
      NodeStanding standing) {
    super(context);
    this.groups = setup.ports().groups();
    this.standing = standing;
    this.clock = setup.clock();
    this.timers = timers;
    this.known = standing.height();
  }

  @Override
  public Receive<BlockFeedCommand> createReceive() {
    return newReceiveBuilder()
        .onAnyMessage(this::onCommand)
        .onSignal(Terminated.class, this::onTerminated)
        .build();
  }

  private Behavior<BlockFeedCommand> onCommand(BlockFeedCommand command) {
    return switch (command) {
      case BlockFeedCommand.Indexed block -> onIndexed(block);
      case BlockFeedCommand.Subscribe(var contract, var subscriber, var watch) ->
          subscribe(watch, contract, subscriber, false);
      case BlockFeedCommand.SubscribeHeight(var contract, var subscriber, var watch) ->
          subscribe(watch, contract, subscriber, true);
      case BlockFeedCommand.Await(var watch) -> onAwait(watch);
      case BlockFeedCommand.Begin(var of) -> onBegin(of);
      case BlockFeedCommand.Follow() -> follow();
    };
  }

  private Behavior<BlockFeedCommand> onBegin(ActorRef<LedgerIndexer.Command> of) {
    indexer = of;
    // The indexer may have moved to another JVM and know nothing of this one.
    timers.startTimerWithFixedDelay(new BlockFeedCommand.Follow(), Duration.ZERO, FOLLOW_AGAIN);
    return this;
  }

  private Behavior<BlockFeedCommand> follow() {
    indexer.tell(new LedgerIndexer.Follow(getContext().getSelf(), known, !awaiting.isEmpty()));
    return this;
  }

  private Behavior<BlockFeedCommand> onAwait(ActorRef<?> who) {
    getContext().watch(who);
    awaits(who);
    return this;
  }

  /** The first one does not wait until the indexer is told again. */
  private void awaits(ActorRef<?> who) {
    boolean isFirst = awaiting.isEmpty();
    awaiting.add(who);
    if (isFirst && indexer != null) {
      follow();
    }
  }

  private Behavior<BlockFeedCommand> onIndexed(BlockFeedCommand.Indexed block) {
    if (block.height().compareTo(known) <= 0) {
      return this;
    }
    if (block.after().compareTo(known) > 0) {
      return follow();
    }
    known = block.height();
    block.groups().forEach(groups::add);
    standing.indexed(block.height());
    var heightOnly = BlockNotice.heightOnly(block.height(), block.indexed());
    for (var subscriber : subscribers.values()) {
      var notice = block.notices().get(subscriber.contract());
      if (notice == null) {
        subscriber.ref().tell(heightOnly);
      } else if (!subscriber.heightOnly()) {
        subscriber.ref().tell(notice);
      }
    }
    return this;
  }

  private Behavior<BlockFeedCommand> subscribe(
      ActorRef<?> watch,
      ContractAddress contract,
      ActorRef<BlockNotice> subscriber,
      boolean heightOnly) {
    getContext().watch(watch);
    subscribers.put(watch, new Subscriber(contract, subscriber, heightOnly));
    awaits(watch);
    // It may have started before the newest block was handed on, and must not stay behind.
    subscriber.tell(BlockNotice.heightOnly(standing.height(), clock.instant()));
    return this;
  }

  private Behavior<BlockFeedCommand> onTerminated(Terminated terminated) {
    subscribers.remove(terminated.getRef());
    awaiting.remove(terminated.getRef());
    return this;
  }
}
