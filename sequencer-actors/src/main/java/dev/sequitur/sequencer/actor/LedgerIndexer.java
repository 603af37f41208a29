package dev.sequitur.sequencer.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.SupervisorStrategy;
import akka.actor.typed.Terminated;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import dev.sequitur.persistence.serialization.ProtocolSerializable;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.port.NodeStore.IndexedTo;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Reads the base ledger block by block; its pace is the node's block height. A block is handed on
 * when it is final, which it is after the configured confirmations (A18), so that nobody has to
 * take anything back. Those who must not miss a block acknowledge it; the place from which to read
 * on after a restart moves only when they all have.
 *
 * <p>Remembered across a restart, in the node store: how far every block has been acknowledged.
 */
public final class LedgerIndexer extends AbstractBehavior<LedgerIndexer.Command> {
  /** Blocks that may be handed on before the oldest is acknowledged. */
  private static final int WINDOW = 64;

  private static final int FETCH = 32;
  private static final Duration REDELIVER_AFTER = Duration.ofSeconds(5);

  /** What the indexer is told. */
  public sealed interface Command extends ProtocolSerializable {}

  /** Everything that follows from the block is durable with {@code who}. */
  public record Ack(BlockHeight height, String who) implements Command {}

  /**
   * From the feed of a JVM, again and again.
   *
   * @param known up to which it has the blocks
   */
  public record Follow(ActorRef<BlockFeedCommand> feed, BlockHeight known) implements Command {}

  /** Everybody whom blocks are handed to can be told now: reading begins. */
  public record Begin() implements Command {}

  private record Loaded(IndexedTo indexedTo) implements Command {}

  private record Poll() implements Command {}

  private record Fetched(BlockHeight head, List<Block> blocks) implements Command {}

  private record FetchFailed(Throwable cause) implements Command {}

  private record Stored(IndexedTo upTo) implements Command {}

  /**
   * @param open who has not acknowledged, with how to tell them again
   */
  private record Delivery(IndexedTo block, Map<String, Runnable> open, Instant at) {}

  private final NodeServices services;
  private final TimerScheduler<Command> timers;
  private final BlockDelivery delivery;
  private final LedgerReach reach = new LedgerReach();
  private final BlockFollowers followers = new BlockFollowers();
  private final TreeMap<BlockHeight, Delivery> unacknowledged = new TreeMap<>();
  private BlockHeight next;
  private boolean fetching;
  private boolean storing;
  private IndexedTo reached;
  private IndexedTo stored;

  /**
   * One for the whole node, wherever it is started: goes on where the one before it was, and begins
   * by itself.
   */
  public static Behavior<Command> create(NodeServices services) {
    Behavior<Command> loading =
        Behaviors.setup(
            context -> {
              context.pipeToSelf(
                  services.setup().ports().store().indexedTo(),
                  (stored, failure) -> loaded(stored, failure));
              return Behaviors.withStash(
                  1_000,
                  waiting ->
                      Behaviors.receive(Command.class)
                          .onMessage(
                              Loaded.class,
                              found -> {
                                context.getSelf().tell(new Begin());
                                return waiting.unstashAll(create(services, found.indexedTo()));
                              })
                          .onMessage(
                              FetchFailed.class,
                              failed -> {
                                throw new IllegalStateException(
                                    "The node store cannot be read", failed.cause());
                              })
                          .onAnyMessage(
                              message -> {
                                waiting.stash(message);
                                return Behaviors.same();
                              })
                          .build());
            });
    return Behaviors.supervise(loading)
        .onFailure(
            SupervisorStrategy.restartWithBackoff(
                Duration.ofMillis(500), Duration.ofSeconds(10), 0.2));
  }

  private static Command loaded(Optional<IndexedTo> stored, Throwable failure) {
    return failure == null
        ? new Loaded(stored.orElse(new IndexedTo(BlockHeight.ZERO, new Hash(0, 0, 0, 0))))
        : new FetchFailed(failure);
  }

  /**
   * @param indexedTo where every block up to has been acknowledged
   */
  public static Behavior<Command> create(NodeServices services, IndexedTo indexedTo) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> new LedgerIndexer(context, timers, services, indexedTo)));
  }

  private LedgerIndexer(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      NodeServices services,
      IndexedTo indexedTo) {
    super(context);
    this.services = services;
    this.timers = timers;
    this.delivery = new BlockDelivery(services, context.getSelf());
    this.reached = indexedTo;
    this.stored = indexedTo;
    this.next = new BlockHeight(indexedTo.height().value() + 1);
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Begin.class, this::onBegin)
        .onMessage(Poll.class, this::onPoll)
        .onMessage(Fetched.class, this::onFetched)
        .onMessage(Ack.class, this::onAck)
        .onMessage(Follow.class, this::onFollow)
        .onMessage(FetchFailed.class, this::onFetchFailed)
        .onMessage(Stored.class, this::onStored)
        .onSignal(Terminated.class, this::onTerminated)
        .build();
  }

  private Behavior<Command> onBegin(Begin begin) {
    timers.startTimerWithFixedDelay(new Poll(), services.setup().rules().pollInterval());
    return this;
  }

  private Behavior<Command> onFollow(Follow follow) {
    if (followers.add(follow.feed(), follow.known())) {
      getContext().watch(follow.feed());
    }
    return this;
  }

  private Behavior<Command> onTerminated(Terminated terminated) {
    followers.remove(terminated.getRef());
    return this;
  }

  private Behavior<Command> onPoll(Poll poll) {
    redeliver();
    storeProgress();
    if (fetching || unacknowledged.size() >= WINDOW) {
      return this;
    }
    fetching = true;
    var ledger = services.setup().ports().ledger();
    var from = next;
    var fetched =
        ledger
            .head()
            .thenCompose(
                head ->
                    head.compareTo(from) < 0
                        ? CompletableFuture.completedFuture(new Fetched(head, List.of()))
                        : ledger.blocks(from, FETCH).thenApply(b -> new Fetched(head, b)));
    getContext()
        .pipeToSelf(
            fetched, (result, failure) -> failure == null ? result : new FetchFailed(failure));
    return this;
  }

  private Behavior<Command> onFetchFailed(FetchFailed failed) {
    fetching = false;
    services.counters().add("sequitur_ledger_unreachable_total", 1);
    reach.failed(failed.cause(), services.now()).ifPresent(getContext().getLog()::warn);
    return this;
  }

  private Behavior<Command> onFetched(Fetched fetched) {
    fetching = false;
    if (reach.reached()) {
      getContext().getLog().info("The base ledger can be read again");
    }
    int handedOn = 0;
    long finalHeight = fetched.head().value() - services.setup().rules().confirmations();
    for (var block : fetched.blocks()) {
      if (block.height().equals(next)
          && next.value() <= finalHeight
          && unacknowledged.size() < WINDOW) {
        handOn(block);
        handedOn++;
        next = new BlockHeight(next.value() + 1);
      }
    }
    // Blocks that are not final yet are no reason to ask again at once.
    if (handedOn == FETCH) {
      getContext().getSelf().tell(new Poll());
    }
    return this;
  }

  private void handOn(Block block) {
    var now = services.now();
    var split = delivery.split(block);
    services.indexed(block.height());
    var open = delivery.deliver(block, split, now);
    unacknowledged.put(
        block.height(), new Delivery(new IndexedTo(block.height(), block.hash()), open, now));
    followers.handOn(delivery.forFeeds(block, split, now));
    storeProgress();
  }

  private Behavior<Command> onAck(Ack ack) {
    var waiting = unacknowledged.get(ack.height());
    if (waiting != null) {
      waiting.open().remove(ack.who());
      storeProgress();
    }
    return this;
  }

  /** Writes the newest block before which nothing is open; one write at a time. */
  private void storeProgress() {
    var before = stored;
    var newest = reached;
    while (!unacknowledged.isEmpty() && unacknowledged.firstEntry().getValue().open().isEmpty()) {
      newest = unacknowledged.pollFirstEntry().getValue().block();
    }
    reached = newest;
    if (!reached.equals(stored) && !storing) {
      storing = true;
      var written = reached;
      getContext()
          .pipeToSelf(
              services.setup().ports().store().putIndexedTo(written),
              (done, failure) -> new Stored(failure == null ? written : before));
    }
  }

  /** What came meanwhile is written by the next look at the ledger. */
  private Behavior<Command> onStored(Stored done) {
    storing = false;
    stored = done.upTo();
    return this;
  }

  /** Whoever has not acknowledged may have been restarted meanwhile. */
  private void redeliver() {
    var now = services.now();
    for (var entry : List.copyOf(unacknowledged.entrySet())) {
      var waiting = entry.getValue();
      if (waiting.at().plus(REDELIVER_AFTER).isBefore(now)) {
        waiting.open().values().forEach(Runnable::run);
        unacknowledged.put(entry.getKey(), new Delivery(waiting.block(), waiting.open(), now));
      }
    }
  }
}
