package dev.sequitur.sequencer.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.Terminated;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import dev.sequitur.cluster.serialization.ProtocolSerializable;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.sequencer.runtime.NodeServices;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Gives the blocks that the node's {@link LedgerIndexer} has read to those in this JVM that want
 * them: the JVM's height and groups, coordinators, endorsers and the like. One in each JVM, so that
 * an entity need not know where the indexer is, and a block travels once to each JVM.
 *
 * <p>Nothing is assured here: whoever must not miss a block is told by the indexer itself. Blocks
 * come in order and each once. One that was lost on the way is asked for; if the indexer no longer
 * has it, it is left out.
 */
public final class BlockFeed extends AbstractBehavior<BlockFeed.Command> {
  private static final Duration FOLLOW_AGAIN = Duration.ofSeconds(1);

  /** What the feed is told. */
  public sealed interface Command extends ProtocolSerializable {}

  /** Wants every block, with what it has of the contract, while {@code watch} lives. */
  public record Subscribe(
      ContractAddress contract, ActorRef<BlockNotice> subscriber, ActorRef<?> watch)
      implements Command {}

  /** Wants the height of every block that has nothing of the contract. */
  public record SubscribeHeight(
      ContractAddress contract, ActorRef<BlockNotice> subscriber, ActorRef<?> watch)
      implements Command {}

  /** From now on follows the indexer, wherever in the node it is. */
  public record Begin(ActorRef<LedgerIndexer.Command> indexer) implements Command {}

  /**
   * A block as the indexer hands it on.
   *
   * @param after the newest that this one may follow
   * @param notices by contract, of those that it has something of
   * @param groups that begin with it
   */
  public record Indexed(
      BlockHeight height,
      BlockHeight after,
      Instant indexed,
      Map<ContractAddress, BlockNotice> notices,
      List<PrivacyGroup> groups)
      implements Command {
    Indexed following(BlockHeight known) {
      return new Indexed(height, known, indexed, notices, groups);
    }
  }

  private record Follow() implements Command {}

  private record Subscriber(
      ContractAddress contract, ActorRef<BlockNotice> ref, boolean heightOnly) {}

  private final NodeServices services;
  private final TimerScheduler<Command> timers;
  private final Map<ActorRef<?>, Subscriber> subscribers = new HashMap<>();
  private ActorRef<LedgerIndexer.Command> indexer;
  private BlockHeight known;

  public static Behavior<Command> create(NodeServices services) {
    return Behaviors.setup(
        context -> Behaviors.withTimers(timers -> new BlockFeed(context, timers, services)));
  }

  private BlockFeed(
      ActorContext<Command> context, TimerScheduler<Command> timers, NodeServices services) {
    super(context);
    this.services = services;
    this.timers = timers;
    this.known = services.height();
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Indexed.class, this::onIndexed)
        .onMessage(
            Subscribe.class,
            wish -> subscribe(wish.watch(), wish.contract(), wish.subscriber(), false))
        .onMessage(
            SubscribeHeight.class,
            wish -> subscribe(wish.watch(), wish.contract(), wish.subscriber(), true))
        .onMessage(Begin.class, this::onBegin)
        .onMessage(Follow.class, this::onFollow)
        .onSignal(Terminated.class, this::onTerminated)
        .build();
  }

  private Behavior<Command> onBegin(Begin begin) {
    indexer = begin.indexer();
    // The indexer may have moved to another JVM and know nothing of this one.
    timers.startTimerWithFixedDelay(new Follow(), Duration.ZERO, FOLLOW_AGAIN);
    return this;
  }

  private Behavior<Command> onFollow(Follow follow) {
    indexer.tell(new LedgerIndexer.Follow(getContext().getSelf(), known));
    return this;
  }

  private Behavior<Command> onIndexed(Indexed block) {
    if (block.height().compareTo(known) <= 0) {
      return this;
    }
    if (block.after().compareTo(known) > 0) {
      return onFollow(new Follow());
    }
    known = block.height();
    block.groups().forEach(services.groups()::add);
    services.indexed(block.height());
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

  private Behavior<Command> subscribe(
      ActorRef<?> watch,
      ContractAddress contract,
      ActorRef<BlockNotice> subscriber,
      boolean heightOnly) {
    getContext().watch(watch);
    subscribers.put(watch, new Subscriber(contract, subscriber, heightOnly));
    // It may have started before the newest block was handed on, and must not stay behind.
    subscriber.tell(BlockNotice.heightOnly(services.height(), services.now()));
    return this;
  }

  private Behavior<Command> onTerminated(Terminated terminated) {
    subscribers.remove(terminated.getRef());
    return this;
  }
}
