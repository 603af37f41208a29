package dev.sequitur.sequencer.runtime;

import akka.Done;
import akka.actor.CoordinatedShutdown;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.DispatcherSelector;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.AskPattern;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.typed.ClusterSingleton;
import akka.cluster.typed.SingletonActor;
import akka.pattern.Patterns;
import dev.sequitur.cluster.TrustedPaths;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.IndexedTo;
import dev.sequitur.protocol.sender.Handover;
import dev.sequitur.sequencer.actor.BlockFeed;
import dev.sequitur.sequencer.actor.BlockFeedCommand;
import dev.sequitur.sequencer.actor.ChangeKeeper;
import dev.sequitur.sequencer.actor.CheckpointKeeper;
import dev.sequitur.sequencer.actor.Entities;
import dev.sequitur.sequencer.actor.GasKeeper;
import dev.sequitur.sequencer.actor.IntentHandover;
import dev.sequitur.sequencer.actor.LedgerComparer;
import dev.sequitur.sequencer.actor.LedgerFork;
import dev.sequitur.sequencer.actor.LedgerIndexer;
import dev.sequitur.sequencer.actor.NodeServices;
import dev.sequitur.sequencer.actor.NodeStanding;
import dev.sequitur.sequencer.actor.RoomKeeper;
import dev.sequitur.sequencer.setup.NodeSetup;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the actors of a node, and has them take up what was unfinished. */
public final class SequencerStart {
  private static final Logger LOG = LoggerFactory.getLogger(SequencerStart.class);
  private static final String INDEXER = "ledger-indexer";
  private static final String COMPARER = "ledger-comparer";
  private static final String GAS_KEEPER = "gas-keeper";
  private static final String ROOM_KEEPER = "room-keeper";
  private static final String CHECKPOINT_KEEPER = "checkpoint-keeper";
  private static final String CHANGE_KEEPER = "change-keeper";

  /** What runs in one of the node's JVMs at a time. */
  static final List<String> SINGLETONS =
      List.of(INDEXER, COMPARER, GAS_KEEPER, ROOM_KEEPER, CHANGE_KEEPER, CHECKPOINT_KEEPER);

  private static final Duration ASK = Duration.ofSeconds(10);
  private static final int READS = 8;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final double PAUSE_RANDOMNESS = 0.2;

  private final ActorSystem<?> system;
  private final NodeSetup setup;
  private final NodeStore store;

  private SequencerStart(ActorSystem<?> system, NodeSetup setup) {
    this.system = system;
    this.setup = setup;
    this.store = setup.ports().store();
  }

  /**
   * As {@link #start(ActorSystem, NodeSetup, Optional)}, of a ledger that is read on from where it
   * was.
   */
  public static CompletionStage<RunningSequencer> start(ActorSystem<?> system, NodeSetup setup) {
    return start(system, setup, Optional.empty());
  }

  /**
   * Starts a node.
   *
   * @param system configured by a profile of cluster-config; a cluster of its own, not yet joined
   * @param gone the block that was read last and is gone, if the ledger is to be read again from
   *     where it has parted from what was read (CNF-10). Fails with a sentence for the operator if
   *     it is and another JVM of the node runs
   * @return completes when the node takes part in the protocol
   */
  public static CompletionStage<RunningSequencer> start(
      ActorSystem<?> system, NodeSetup setup, Optional<Hash> gone) {
    return new SequencerStart(system, setup).run(gone);
  }

  private CompletionStage<RunningSequencer> run(Optional<Hash> gone) {
    CarriedTraces.carry(system, setup.spans());
    var writers = setup.ports().writers();
    var entered = new CompletableFuture<Done>();
    var fellows =
        system.systemActorOf(
            FellowJvms.create(store, writers, entered), "fellow-jvms", Props.empty());
    return AskPattern.<FellowJvms.Command, Done>ask(
            fellows, FellowJvms.AwaitListening::new, ASK, system.scheduler())
        .thenCompose(listening -> patiently(writers::others))
        .thenCompose(others -> Membership.join(system, !others.isEmpty()))
        .thenCompose(joined -> entered)
        .thenCompose(joined -> gone.map(this::reindex).orElseGet(() -> completed()))
        .thenCompose(joined -> patiently(store::indexedTo))
        .thenCompose(
            indexedTo ->
                patiently(store::countKnown).thenApply(groups -> actors(indexedTo, groups)))
        .thenCompose(node -> takeUpUnfinished(node, fellows).thenApply(done -> node));
  }

  private static CompletionStage<Void> completed() {
    return CompletableFuture.completedStage(null);
  }

  /** A ledger that cannot be asked keeps no node from starting: it halts there as before. */
  private CompletionStage<Void> reindex(Hash gone) {
    var fork = new LedgerFork(setup.ports().ledger(), store);
    return patiently(() -> fork.find(gone))
        .exceptionally(
            failure -> {
              LOG.warn(
                  "Where the base ledger has parted from what this node has read cannot be found, so it"
                      + " is not read again. Start the node once more with --reindex: {}",
                  Answers.cause(failure).getMessage());
              return Optional.empty();
            })
        .thenCompose(from -> from.map(block -> reindex(fork, block)).orElseGet(() -> completed()));
  }

  /** Whoever was told of blocks that are gone must have ended. */
  private CompletionStage<Void> reindex(LedgerFork fork, IndexedTo from) {
    return Membership.jvms(system) > 1
        ? CompletableFuture.failedFuture(
            new IllegalStateException(
                "Other JVMs of this node run: stop them all, start this one with --reindex, and"
                    + " then the others without."))
        : fork.begin(from);
  }

  /** A database may be slow just when many JVMs start. */
  private <T> CompletionStage<T> patiently(Callable<CompletionStage<T>> read) {
    return Patterns.retry(read, READS, FIRST_PAUSE, LONGEST_PAUSE, PAUSE_RANDOMNESS, system);
  }

  private RunningSequencer actors(Optional<IndexedTo> indexedTo, long groups) {
    var standing =
        new NodeStanding(setup, indexedTo.map(IndexedTo::height).orElse(BlockHeight.ZERO), groups);
    int shards = system.settings().config().getInt("sequitur.sharding.remembered.number-of-shards");
    var feed =
        system.systemActorOf(
            BlockFeed.create(setup, standing, shards), "block-feed", Props.empty());
    var computing = system.dispatchers().lookup(DispatcherSelector.defaultDispatcher());
    var services =
        new NodeServices(
            setup,
            standing,
            new NodeServices.Actors(feed, gasKeeper(standing, computing)),
            new Entities(ClusterSharding.get(system)),
            computing);
    var comparer = singleton(COMPARER, LedgerComparer.create(services));
    var node = new RunningSequencer(system, services, comparer);
    EntityKinds.init(system, services);
    var indexer = singleton(INDEXER, LedgerIndexer.create(services, comparer));
    keepRoom(standing);
    keepCheckpoints(standing);
    singleton(CHANGE_KEEPER, ChangeKeeper.create(services, comparer));
    feed.tell(new BlockFeedCommand.Begin(indexer));
    var transport = setup.ports().transport();
    transport.receive(node.inbound());
    CoordinatedShutdown.get(system)
        .addTask(
            CoordinatedShutdown.PhaseServiceStop(),
            "close-transport",
            () -> {
              transport.close();
              return CompletableFuture.completedFuture(Done.getInstance());
            });
    return node;
  }

  /** Where gas costs money. */
  private Optional<ActorRef<GasKeeper.Command>> gasKeeper(
      NodeStanding standing, Executor computing) {
    // Also where it is not started: the node's other JVMs may start it.
    TrustedPaths.requireSingleton(system.settings().config(), GAS_KEEPER);
    return setup.rules().gas().ceiling().max() > 0
        ? setup
            .ports()
            .ledger()
            .gasMoney()
            .map(
                money -> singleton(GAS_KEEPER, GasKeeper.create(setup, standing, money, computing)))
        : Optional.empty();
  }

  /** Where something is ever forgotten. */
  private void keepRoom(NodeStanding standing) {
    TrustedPaths.requireSingleton(system.settings().config(), ROOM_KEEPER);
    if (setup.rules().room().keep().isPresent()) {
      singleton(ROOM_KEEPER, RoomKeeper.create(setup, standing));
    }
  }

  /** Where the ledger can have checkpoints. */
  private void keepCheckpoints(NodeStanding standing) {
    TrustedPaths.requireSingleton(system.settings().config(), CHECKPOINT_KEEPER);
    var ports = setup.ports();
    ports
        .witness()
        .ifPresent(
            witness ->
                singleton(
                    CHECKPOINT_KEEPER, CheckpointKeeper.create(ports.store(), witness, standing)));
  }

  private <T> ActorRef<T> singleton(String name, Behavior<T> behavior) {
    TrustedPaths.requireSingleton(system.settings().config(), name);
    return ClusterSingleton.get(system).init(SingletonActor.of(behavior, name));
  }

  /** Senders with unfinished intents, and groups whose contract is not confirmed. */
  private CompletionStage<Void> takeUpUnfinished(
      RunningSequencer node, ActorRef<FellowJvms.Command> fellows) {
    var handover = node.handover();
    var groups = setup.ports().groups();
    fellows.tell(new FellowJvms.Inform(handover, () -> takeUpGroups(node)));
    return patiently(store::sendersWithPublicPending)
        .thenCompose(
            senders -> {
              handover.tell(new IntentHandover.Told(new Handover.Input.PublicsAccepted(senders)));
              return patiently(store::contractsWithPending);
            })
        .thenCompose(
            contracts ->
                patiently(() -> groups.seek(contracts, store)).thenApply(sought -> contracts))
        .thenCompose(
            contracts -> {
              var known = contracts.stream().filter(groups::isKnown).collect(Collectors.toSet());
              handover.tell(new IntentHandover.Told(new Handover.Input.InDoubt(known)));
              return takeUpGroups(node);
            });
  }

  /** Those that are stored first: what asks for one of them then only waits for it. */
  private CompletionStage<Void> takeUpGroups(RunningSequencer node) {
    return patiently(node.making()::takeUp);
  }
}
