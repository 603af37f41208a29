package dev.sequitur.sequencer.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.Terminated;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.StashBuffer;
import akka.actor.typed.javadsl.TimerScheduler;
import dev.sequitur.persistence.serialization.ProtocolSerializable;
import dev.sequitur.protocol.errand.NewGroupReceipts;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.indexing.BlockDelivery;
import dev.sequitur.protocol.indexing.Indexer;
import dev.sequitur.protocol.indexing.LookPace;
import dev.sequitur.protocol.indexing.WantedShards;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.machine.Host;
import dev.sequitur.protocol.port.GroupStore.KnownGroup;
import dev.sequitur.protocol.port.NodeStore.Deployment;
import dev.sequitur.protocol.port.NodeStore.IndexedTo;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.port.ReadSoFar;
import dev.sequitur.sequencer.setup.CommitteeNews;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the node's {@link Indexer}: fetches what it wants of the ledger, tells those who must not
 * miss a block, and gives every block to the feeds of the node's JVMs.
 *
 * <p>Remembered across a restart, in the node store: how far every block has been acknowledged.
 */
public final class LedgerIndexer extends AbstractBehavior<LedgerIndexer.Command> {
  private static final Logger LOG = LoggerFactory.getLogger(LedgerIndexer.class);

  private static final int MOST_WAITING = 1_000;

  /** What the indexer is told. */
  public sealed interface Command extends ProtocolSerializable {}

  /** Everything that follows from the block is durable with {@code who}. */
  public record Ack(BlockHeight height, String who) implements Command {}

  /**
   * From the feed of a JVM, again and again.
   *
   * @param known up to which it has the blocks
   * @param awaits whether somebody in its JVM waits for a block
   * @param wanted of which contracts it wants to hear
   */
  public record Follow(
      ActorRef<BlockFeedCommand> feed, BlockHeight known, boolean awaits, WantedShards wanted)
      implements Command {}

  /** Everybody whom blocks are handed to can be told now: reading begins. */
  public record Begin() implements Command {}

  private record Loaded(IndexedTo indexedTo, Optional<ReadSoFar.Reindex> reindex)
      implements Command {}

  private record Poll() implements Command {}

  private record Fetched(BlockHeight head, List<Block> blocks) implements Command {}

  private record FetchFailed(Throwable cause) implements Command {}

  private record Stored(Indexer.Input outcome) implements Command {}

  private final NodeServices services;
  private final TimerScheduler<Command> timers;
  private final Host<Indexer.Input, Indexer.State, Void, Indexer.Effect> host;
  private final GroupsOfBlocks concerned;
  private final LedgerReach reach = new LedgerReach("The base ledger");
  private LedgerReading reading = LedgerReading.NONE;
  private final BlockFollowers followers = new BlockFollowers();
  private LookPace pace = LookPace.NEW;

  /**
   * One for the whole node, wherever it is started: goes on where the one before it was, and begins
   * by itself.
   *
   * @param comparer makes groups what the ledger shows, where it is read again
   */
  public static Behavior<Command> create(
      NodeServices services, ActorRef<LedgerComparer.Command> comparer) {
    return Restarting.afterFailures(
        Behaviors.setup(
            context ->
                Behaviors.withTimers(
                    timers ->
                        Behaviors.withStash(
                            MOST_WAITING,
                            waiting ->
                                new Beginning(context, timers, waiting, services, comparer)))));
  }

  /** It is not known yet where it goes on: what it is told waits, and the question is repeated. */
  private static final class Beginning extends AbstractBehavior<Command> {
    private final NodeServices services;
    private final ActorRef<LedgerComparer.Command> comparer;
    private final TimerScheduler<Command> timers;
    private final StashBuffer<Command> waiting;
    private final LedgerReach reach = new LedgerReach("The node store or the base ledger");
    private Duration pause = Restarting.PAUSES.initial();

    private Beginning(
        ActorContext<Command> context,
        TimerScheduler<Command> timers,
        StashBuffer<Command> waiting,
        NodeServices services,
        ActorRef<LedgerComparer.Command> comparer) {
      super(context);
      this.services = services;
      this.comparer = comparer;
      this.timers = timers;
      this.waiting = waiting;
      load();
    }

    private void load() {
      var found =
          services
              .store()
              .readSoFar()
              .thenCompose(
                  stored ->
                      stored
                          .map(this::stored)
                          .orElseGet(
                              () ->
                                  beginning(services)
                                      .thenApply(from -> new Loaded(from, Optional.empty()))));
      getContext()
          .pipeToSelf(
              found, (loaded, failure) -> failure == null ? loaded : new FetchFailed(failure));
    }

    /**
     * Until groups are made what the ledger shows that is read again, nothing is done upon what
     * they hold (CNF-11). Changes of committees in blocks that are to be read are taken back first:
     * they may be in none of them.
     */
    private CompletionStage<Loaded> stored(ReadSoFar read) {
      var loaded = new Loaded(read.to(), read.reindex());
      return read.reindex()
          .<CompletionStage<Loaded>>map(
              reindex -> {
                var rereading = new LedgerRereading(services);
                var since = new BlockHeight(reindex.fork().value() + 1);
                return services
                    .everyGroup(contract -> committeeOf(contract, read.to().height()))
                    .thenCompose(
                        done -> services.everyGroup(contract -> rereading.tell(contract, since)))
                    .thenApply(done -> loaded);
              })
          .orElseGet(() -> CompletableFuture.completedStage(loaded));
    }

    /** A group has no change of a block above that one. */
    private CompletionStage<Void> committeeOf(ContractAddress contract, BlockHeight read) {
      var next = new BlockHeight(read.value() + 1);
      return services
          .store()
          .groupAt(contract)
          .thenCompose(
              stored ->
                  stored
                      .flatMap(StoredGroup::group)
                      .filter(group -> !group.asOf(next).equals(group))
                      .map(group -> takeBack(stored.orElseThrow(), group.asOf(next), next))
                      .orElseGet(() -> CompletableFuture.completedStage(null)));
    }

    /**
     * @param next the first block that is to be read: that nothing of the group may stand in those
     *     above the fork does not mean that its contract stands below
     */
    private CompletionStage<Void> takeBack(
        StoredGroup stored, PrivacyGroup before, BlockHeight next) {
      return put(services, stored, before, next)
          .thenRun(
              () -> {
                services.groups().change(before);
                LOG.warn(
                    "The committee of the group {} is again that of change {}: blocks with later"
                        + " ones were replaced, and those that come again are read again",
                    before.id(),
                    before.committees().number());
              });
    }

    @Override
    public Receive<Command> createReceive() {
      return newReceiveBuilder().onAnyMessage(this::onCommand).build();
    }

    private Behavior<Command> onCommand(Command command) {
      return switch (command) {
        case Loaded(var indexedTo, var reindex) -> onLoaded(indexedTo, reindex);
        case FetchFailed(var cause) -> onFailed(cause);
        case Poll() -> onPoll();
        case Follow ignored -> onOther(command);
        case Begin ignored -> onOther(command);
        case Ack ignored -> onOther(command);
        case Fetched ignored -> onOther(command);
        case Stored ignored -> onOther(command);
      };
    }

    private Behavior<Command> onLoaded(IndexedTo indexedTo, Optional<ReadSoFar.Reindex> reindex) {
      if (reach.reached()) {
        LOG.info("The node store and the base ledger can be read again");
      }
      getContext().getSelf().tell(new Begin());
      reindex.ifPresent(
          begun -> getContext().spawnAnonymous(LedgerReindexer.create(services, comparer, begun)));
      return waiting.unstashAll(create(services, indexedTo));
    }

    private Behavior<Command> onFailed(Throwable cause) {
      reach.failed(cause, services.now()).ifPresent(LOG::warn);
      timers.startSingleTimer(new Poll(), pause);
      pause = Restarting.PAUSES.longer(pause);
      return this;
    }

    private Behavior<Command> onPoll() {
      load();
      return this;
    }

    /** The feeds say again who they are. */
    private Behavior<Command> onOther(Command message) {
      if (!waiting.isFull()) {
        waiting.stash(message);
      }
      return this;
    }
  }

  /**
   * Where a node begins that has read nothing (CNF-7). The newest block comes before the question
   * for its groups, so that none of which it is told later can stand in a block before.
   */
  private static CompletionStage<IndexedTo> beginning(NodeServices services) {
    var ledger = services.ledger();
    if (ledger.tellsGenesis()) {
      return CompletableFuture.completedStage(
          new IndexedTo(BlockHeight.ZERO, new Hash(0, 0, 0, 0)));
    }
    int confirmations = services.setup().rules().confirmations();
    return ledger
        .head()
        .thenCombine(
            services.store().groups(Optional.empty(), 1),
            (head, groups) ->
                groups.isEmpty()
                    ? CompletableFuture.completedStage(
                        new BlockHeight(Math.max(1, head.value() - confirmations)))
                    : ledger.firstBlock())
        .thenCompose(first -> first)
        .thenCompose(first -> ledger.blocks(first, 1))
        .thenApply(LedgerIndexer::before);
  }

  static IndexedTo before(List<Block> first) {
    return first.stream()
        .findFirst()
        .map(block -> new IndexedTo(new BlockHeight(block.height().value() - 1), block.parent()))
        .orElse(new IndexedTo(BlockHeight.ZERO, new Hash(0, 0, 0, 0)));
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
    this.concerned =
        new GroupsOfBlocks(services.groups(), services.store(), services.ledger()::blocks);
    var indexer =
        new Indexer(
            services.setup().rules().confirmations(), new GroupsOfNode(services, concerned));
    var machine = indexer.machine(indexedTo);
    this.host = new Host<>(machine, machine.initial());
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onAnyMessage(this::onCommand)
        .onSignal(Terminated.class, this::onTerminated)
        .onSignal(PostStop.class, stopped -> onStopped())
        .build();
  }

  private Behavior<Command> onCommand(Command command) {
    return switch (command) {
      case Begin() -> onBegin();
      case Poll() -> onPoll();
      case Fetched fetched -> onFetched(fetched);
      case Ack(var height, var who) -> on(new Indexer.Input.Acknowledged(height, who));
      case Follow follow -> onFollow(follow);
      case FetchFailed failed -> onFetchFailed(failed);
      case Stored(var outcome) -> on(outcome);
      // Where it goes on is known.
      case Loaded ignored -> this;
    };
  }

  private Behavior<Command> onBegin() {
    timers.startTimerWithFixedDelay(new Poll(), services.setup().rules().pollInterval());
    return this;
  }

  private Behavior<Command> onPoll() {
    var now = services.now();
    boolean awaited = followers.await() || !host.state().unacknowledged().isEmpty();
    if (!pace.isDue(now, awaited, services.ledger().idlePause())) {
      return this;
    }
    pace = pace.at(now);
    return on(host.machine().tick());
  }

  private Behavior<Command> onFollow(Follow follow) {
    var wish = new BlockFollowers.Wish(follow.awaits(), follow.wanted());
    if (followers.add(follow.feed(), follow.known(), wish)) {
      getContext().watch(follow.feed());
    }
    return this;
  }

  private Behavior<Command> onTerminated(Terminated terminated) {
    followers.remove(terminated.getRef());
    return this;
  }

  /** The next one may be in another JVM, and finds out for itself. */
  private Behavior<Command> onStopped() {
    services.standing().reading(LedgerReading.NONE);
    return this;
  }

  private Behavior<Command> onFetchFailed(FetchFailed failed) {
    services.metrics().ledgerUnreachable();
    reach.failed(failed.cause(), services.now()).ifPresent(getContext().getLog()::warn);
    tell(reading.unread(reach.remark()));
    return on(new Indexer.Input.FetchFailed());
  }

  private Behavior<Command> onFetched(Fetched fetched) {
    tell(reading.at(fetched.head()));
    if (reach.reached()) {
      tell(reading.unread(Optional.empty()));
      getContext().getLog().info("The base ledger can be read again");
    }
    fetched.blocks().forEach(block -> on(new Indexer.Input.Read(fetched.head(), block)));
    return on(new Indexer.Input.FetchEnded());
  }

  private void tell(LedgerReading now) {
    reading = now;
    services.standing().reading(now);
  }

  private Behavior<Command> on(Indexer.Input input) {
    host.fold(List.of(input), services.now()).effects().forEach(this::perform);
    return this;
  }

  private void perform(Indexer.Effect effect) {
    switch (effect) {
      case Indexer.Effect.Fetch(var from, var limit) -> fetch(from, limit);
      case Indexer.Effect.Reached(var ignored, var begun, var changed) -> {
        begun.forEach(services.groups()::add);
        changed.forEach(services.groups()::change);
      }
      case Indexer.Effect.Deliver(var delivery) -> deliver(delivery);
      case Indexer.Effect.HandOn(var height, var indexed, var notices, var begun) ->
          followers.handOn(new BlockFollowers.Block(height, indexed, notices, begun));
      case Indexer.Effect.StoreProgress(var upTo) -> storeProgress(upTo);
      case Indexer.Effect.CountRevert(var reason) -> services.metrics().reverted(reason);
      case Indexer.Effect.Undone(var rift) -> {
        services.metrics().blocksUndone();
        getContext().getLog().warn(LedgerRift.undone(rift));
      }
      case Indexer.Effect.Halted(var rift) -> {
        tell(reading.parted(Optional.of(LedgerRift.halted(rift))));
        getContext().getLog().error(LedgerRift.halted(rift));
      }
      case Indexer.Effect.Resumed ignored -> {
        tell(reading.parted(Optional.empty()));
        getContext()
            .getLog()
            .info("The base ledger has again what was read of it: reading goes on.");
      }
    }
  }

  private void fetch(BlockHeight from, int limit) {
    getContext()
        .pipeToSelf(
            services
                .ledger()
                .look(from, limit)
                .thenCompose(look -> concerned.seek(look.blocks()).thenApply(sought -> look)),
            (look, failure) ->
                failure == null
                    ? new Fetched(look.head(), look.blocks())
                    : new FetchFailed(failure));
  }

  private void deliver(BlockDelivery delivery) {
    var entities = services.entities();
    ActorRef<Ack> acknowledged = getContext().getSelf().narrow();
    switch (delivery) {
      case BlockDelivery.ToSender(var contract, var notice) ->
          entities.sender(contract).tell(new SenderActor.BlockIndexed(notice, acknowledged));
      case BlockDelivery.ToStateStore(var contract, var notice, var after) ->
          entities
              .stateStore(contract)
              .tell(new StateStoreActor.BlockIndexed(notice, after, acknowledged));
      case BlockDelivery.ToSubmitter(var contract, var height, var own) ->
          entities
              .submitter(contract)
              .tell(new SubmitterActor.BlockIndexed(height, own, acknowledged));
      case BlockDelivery.ToPublicSubmitter(var from, var height, var own) ->
          entities
              .publicSubmitter(from)
              .tell(new SubmitterActor.BlockIndexed(height, own, acknowledged));
      case BlockDelivery.ToNodeStore store -> store(store);
      case BlockDelivery.OfCommittee(var group, var height) -> store(delivery, group);
    }
  }

  /**
   * Added to what is stored of it already, and the transaction that asked for it gets its receipt;
   * as long as they are not, the block is not done.
   */
  private void store(BlockDelivery.ToNodeStore delivery) {
    var group = delivery.group();
    var self = getContext().getSelf();
    services
        .store()
        .putKnown(
            StoredGroup.of(group.id(), delivery.known()).withGroup(Optional.of(group)),
            KnownGroup.of(group, services.groups().submitter(group.contract()), services.self()),
            delivery.height())
        .thenCompose(
            done -> new NewGroupReceipts(services, services.store()).made(group, delivery.at()))
        .whenComplete(
            (done, failure) -> {
              if (failure == null) {
                self.tell(new Ack(delivery.height(), delivery.to()));
              } else {
                LOG.warn(
                    "Cannot store the group {}, and reading the base ledger waits for it",
                    group.id(),
                    failure);
              }
            });
  }

  /** As long as it is not stored, the block is not done. */
  private void store(BlockDelivery delivery, PrivacyGroup changed) {
    var self = getContext().getSelf();
    keep(services, changed, delivery.height())
        .whenComplete(
            (done, failure) -> {
              if (failure == null) {
                services.standing().committees().tell(news(changed, delivery.height()));
                self.tell(new Ack(delivery.height(), delivery.to()));
              } else {
                LOG.warn(
                    "Cannot store another committee of the group {}, and reading the base ledger waits for it",
                    changed.id(),
                    failure);
              }
            });
  }

  private static CommitteeNews.News news(PrivacyGroup changed, BlockHeight block) {
    return new CommitteeNews.News(
        changed.contract(),
        changed.committees().number(),
        CommitteeNews.What.CHANGED,
        changed.committee().identities(),
        Optional.of(block),
        Optional.empty());
  }

  /**
   * A group as the base ledger shows it, or as this JVM or the store knows it if that has later
   * changes: another JVM may read the blocks.
   *
   * @return what is kept
   */
  static CompletionStage<PrivacyGroup> keep(
      NodeServices services, PrivacyGroup shown, BlockHeight at) {
    return services
        .store()
        .group(shown.id())
        .thenCompose(
            stored -> {
              var now =
                  shown
                      .orLater(services.groups().find(shown.contract()))
                      .orLater(
                          stored
                              .flatMap(StoredGroup::group)
                              .filter(it -> it.contract().equals(shown.contract())));
              return put(
                      services,
                      stored.orElseGet(() -> StoredGroup.of(shown.id(), services.now())),
                      now,
                      at)
                  .thenApply(done -> now);
            });
  }

  /** With another committee than it was stored with. */
  private static CompletionStage<Void> put(
      NodeServices services, StoredGroup stored, PrivacyGroup now, BlockHeight at) {
    var submitter = services.groups().submitter(now.contract());
    return services
        .store()
        .putKnown(
            stored
                .withGroup(Optional.of(now))
                .withDeployment(stored.deployment().or(() -> Optional.of(begunWith(now)))),
            KnownGroup.of(now, submitter, services.self()),
            at);
  }

  /** Who reads the ledger again needs it where that has only the hash (AGR-9). */
  private static Deployment begunWith(PrivacyGroup group) {
    var terms = LedgerTransaction.Deploy.of(group);
    return new Deployment(terms.domain(), terms.genesis());
  }

  private void storeProgress(IndexedTo upTo) {
    getContext()
        .pipeToSelf(
            services.store().putIndexedTo(upTo),
            (done, failure) ->
                new Stored(
                    failure == null
                        ? new Indexer.Input.Stored(upTo)
                        : new Indexer.Input.NotStored()));
  }

  /** Those of the node's registry, and those that its domains and keys let it take part in. */
  private record GroupsOfNode(NodeServices services, GroupsOfBlocks concerned)
      implements Indexer.Groups {
    @Override
    public boolean isKnown(ContractAddress contract) {
      return services.groups().isKnown(contract);
    }

    @Override
    public Optional<ContractAddress> submitsFor(LedgerAddress signer) {
      return services.groups().contractOf(signer);
    }

    @Override
    public Optional<Identity> signsPublicly(LedgerAddress signer) {
      return services.groups().publicSender(signer);
    }

    @Override
    public Optional<PrivacyGroup> group(ContractAddress contract) {
      return services.groups().find(contract).or(() -> concerned.joining(contract));
    }

    @Override
    public Optional<PrivacyGroup> beginsWith(LedgerReceipt.Deployed deployed) {
      var genesis = deployed.genesis();
      if (!genesis.committee().hasMemberOn(services.self())
          || !services.setup().domains().containsKey(deployed.domain())) {
        return Optional.empty();
      }
      if (NodeKeyNames.areClaimedBy(genesis.committee(), services.self())) {
        services
            .standing()
            .warnSeldom(
                genesis.group()
                    + " names a key of this node's own as a member of it; this node takes no part in"
                    + " that group.");
        return Optional.empty();
      }
      return concerned.standsElsewhere(deployed)
          ? Optional.empty()
          : Optional.of(deployed.group(services.setup().rules().chainId()));
    }
  }
}
