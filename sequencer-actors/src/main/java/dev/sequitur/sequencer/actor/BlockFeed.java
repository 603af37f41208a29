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
import dev.sequitur.protocol.indexing.NoticeParts;
import dev.sequitur.protocol.indexing.WantedShards;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.sequencer.setup.GroupRegistry;
import dev.sequitur.sequencer.setup.NodeSetup;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Gives the blocks that the node's {@link LedgerIndexer} has read to those in this JVM that want
 * them: the JVM's height and groups, coordinators, endorsers and the like. One in each JVM, so that
 * an entity need not know where the indexer is, and a block travels once to each JVM.
 *
 * <p>Nothing is assured here: whoever must not miss a block is told by the indexer itself. Blocks
 * come in order and each once. One that was lost on the way is asked for, and so is one that the
 * indexer sent before it heard what is wanted here; if it no longer has that, it is left out, and
 * what has become of groups in it is read before the next one: some have begun, and committees may
 * have changed.
 */
public final class BlockFeed extends AbstractBehavior<BlockFeedCommand> {
  private static final Duration FOLLOW_AGAIN = Duration.ofSeconds(1);

  private record Subscriber(
      ContractAddress contract, ActorRef<BlockNotice> ref, boolean heightOnly) {}

  private final GroupRegistry groups;
  private final NodeStore store;
  private final int shards;
  private final NodeStanding standing;
  private final InstantSource clock;
  private final TimerScheduler<BlockFeedCommand> timers;
  private final Map<ActorRef<?>, Subscriber> subscribers = new HashMap<>();

  /** How many of them want to hear of the contracts of a shard. */
  private final Map<Integer, Integer> wanted = new HashMap<>();

  /** Whoever is in memory may wait for a block: those that subscribe, and others. */
  private final Set<ActorRef<?>> awaiting = new HashSet<>();

  private ActorRef<LedgerIndexer.Command> indexer;
  private BlockHeight known;

  /** Up to which block it was read what has become of groups, because blocks were left out. */
  private BlockHeight readUpTo = BlockHeight.ZERO;

  private boolean reading;

  /** What was asked for out of turn, until something new comes of it. */
  private Optional<Wanted> asked = Optional.empty();

  private Parts parts = Parts.NONE;

  private record Wanted(BlockHeight after, WantedShards shards) {}

  /** What has come of the next block. */
  private record Parts(
      BlockHeight height, WantedShards told, int next, Map<ContractAddress, BlockNotice> notices) {
    static final Parts NONE =
        new Parts(BlockHeight.ZERO, WantedShards.none(1), 0, new LinkedHashMap<>());

    boolean continuesWith(BlockFeedCommand.Indexed block) {
      return block.part() == next && block.height().equals(height) && block.told().equals(told);
    }
  }

  /**
   * @param shards how many the node has of each kind of entity
   */
  public static Behavior<BlockFeedCommand> create(
      NodeSetup setup, NodeStanding standing, int shards) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> new BlockFeed(context, timers, setup, standing, shards)));
  }

  private BlockFeed(
      ActorContext<BlockFeedCommand> context,
      TimerScheduler<BlockFeedCommand> timers,
      NodeSetup setup,
      NodeStanding standing,
      int shards) {
    super(context);
    this.shards = shards;
    this.groups = setup.ports().groups();
    this.store = setup.ports().store();
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
      case BlockFeedCommand.ReadMissed(var upTo, var failure) -> onReadMissed(upTo, failure);
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
    asked = Optional.empty();
    indexer.tell(
        new LedgerIndexer.Follow(getContext().getSelf(), known, !awaiting.isEmpty(), wanted()));
    return this;
  }

  private WantedShards wanted() {
    return WantedShards.some(shards, wanted.keySet());
  }

  /** Once: all that is on its way may show that something was lost. */
  private Behavior<BlockFeedCommand> askAgain() {
    var now = Optional.of(new Wanted(known, wanted()));
    if (!asked.equals(now)) {
      follow();
      asked = now;
    }
    return this;
  }

  private Behavior<BlockFeedCommand> onAwait(ActorRef<?> who) {
    getContext().watch(who);
    awaits(who);
    return this;
  }

  /**
   * The first one does not wait until the indexer is told again.
   *
   * @return whether that was told
   */
  private boolean awaits(ActorRef<?> who) {
    boolean isFirst = awaiting.isEmpty();
    awaiting.add(who);
    if (isFirst && indexer != null) {
      follow();
      return true;
    }
    return false;
  }

  /** How many want to hear of the contract's shard now. */
  private int changed(Subscriber subscriber, int by) {
    int shard = WantedShards.shard(subscriber.contract(), shards);
    var now = wanted.merge(shard, by, (before, more) -> before + more == 0 ? null : before + more);
    return now == null ? 0 : now;
  }

  private Behavior<BlockFeedCommand> onIndexed(BlockFeedCommand.Indexed block) {
    if (reading || block.height().compareTo(known) <= 0) {
      return this;
    }
    if (block.after().compareTo(known) > 0 || !block.told().covers(wanted())) {
      return askAgain();
    }
    var before = new BlockHeight(block.height().value() - 1);
    if (before.compareTo(known) > 0 && before.compareTo(readUpTo) > 0 && groups.isInUse()) {
      return readMissed(before);
    }
    if (block.part() == 0) {
      parts = new Parts(block.height(), block.told(), 0, new LinkedHashMap<>());
    } else if (!parts.continuesWith(block)) {
      return askAgain();
    }
    block.groups().forEach(groups::take);
    NoticeParts.join(parts.notices(), block.notices());
    parts = new Parts(parts.height(), parts.told(), block.part() + 1, parts.notices());
    if (parts.next() == block.parts()) {
      onWhole(block, parts.notices());
      parts = Parts.NONE;
    }
    return this;
  }

  /** What the indexer no longer has was stored before, with the changes that it has. */
  private Behavior<BlockFeedCommand> readMissed(BlockHeight upTo) {
    reading = true;
    var self = getContext().getSelf();
    groups
        .readMissed(readUpTo.compareTo(known) > 0 ? readUpTo : known, upTo, store)
        .whenComplete(
            (done, failure) ->
                self.tell(
                    new BlockFeedCommand.ReadMissed(
                        upTo,
                        Optional.ofNullable(failure)
                            .map(it -> String.valueOf(Answers.cause(it).getMessage())))));
    return this;
  }

  /** Meanwhile blocks were not taken: they are asked for; after a failure with the next look. */
  private Behavior<BlockFeedCommand> onReadMissed(BlockHeight upTo, Optional<String> failure) {
    reading = false;
    if (failure.isPresent()) {
      getContext()
          .getLog()
          .warn(
              "Groups cannot be read after blocks that were missed, and are again: {}",
              failure.get());
      return this;
    }
    readUpTo = upTo;
    return follow();
  }

  private void onWhole(BlockFeedCommand.Indexed block, Map<ContractAddress, BlockNotice> notices) {
    known = block.height();
    asked = Optional.empty();
    standing.height(block.height());
    var heightOnly = BlockNotice.heightOnly(block.height(), block.indexed());
    for (var subscriber : subscribers.values()) {
      var notice = notices.get(subscriber.contract());
      if (notice == null) {
        subscriber.ref().tell(heightOnly);
      } else if (!subscriber.heightOnly()) {
        subscriber.ref().tell(notice);
      }
    }
  }

  private Behavior<BlockFeedCommand> subscribe(
      ActorRef<?> watch,
      ContractAddress contract,
      ActorRef<BlockNotice> subscriber,
      boolean heightOnly) {
    getContext().watch(watch);
    var now = new Subscriber(contract, subscriber, heightOnly);
    var before = subscribers.put(watch, now);
    boolean isFirstOfShard = changed(now, 1) == 1;
    if (before != null) {
      changed(before, -1);
    }
    if (!awaits(watch) && isFirstOfShard && indexer != null) {
      follow();
    }
    // It may have started before the newest block was handed on, and must not stay behind.
    subscriber.tell(BlockNotice.heightOnly(standing.height(), clock.instant()));
    return this;
  }

  private Behavior<BlockFeedCommand> onTerminated(Terminated terminated) {
    var gone = subscribers.remove(terminated.getRef());
    if (gone != null) {
      changed(gone, -1);
    }
    awaiting.remove(terminated.getRef());
    return this;
  }
}
