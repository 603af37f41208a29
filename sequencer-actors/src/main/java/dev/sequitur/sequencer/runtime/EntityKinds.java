package dev.sequitur.sequencer.runtime;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Adapter;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.sharding.ShardCoordinator.ShardAllocationStrategy;
import akka.cluster.sharding.typed.ClusterShardingSettings;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.Entity;
import akka.cluster.sharding.typed.javadsl.EntityContext;
import akka.cluster.sharding.typed.javadsl.EntityTypeKey;
import com.typesafe.config.Config;
import dev.sequitur.cluster.TrustedPaths;
import dev.sequitur.cluster.placement.AwakeEntities;
import dev.sequitur.cluster.placement.EvenAllocation;
import dev.sequitur.cluster.placement.PatientAllocation;
import dev.sequitur.cluster.placement.ShardWork;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.sequencer.actor.CoordinatorActor;
import dev.sequitur.sequencer.actor.EndorserActor;
import dev.sequitur.sequencer.actor.MessageBookActor;
import dev.sequitur.sequencer.actor.NodeServices;
import dev.sequitur.sequencer.actor.SenderActor;
import dev.sequitur.sequencer.actor.StateStoreActor;
import dev.sequitur.sequencer.actor.SubmitterActor;
import java.time.Duration;
import java.util.Set;
import java.util.function.Function;

/**
 * Registers the kinds of entities with Cluster Sharding. Sender, submitter, state store and message
 * book are remembered: with unfinished work they come back by themselves after their JVM dies. A
 * coordinator forgets what it knows when it moves to a JVM that has joined, so its shard waits for
 * a good moment ({@link PatientAllocation}); all others move at once.
 *
 * <p>Each JVM has the same number of shards, and the same ones of each kind, so that the entities
 * of one contract are in one JVM and mostly tell each other without a network.
 */
final class EntityKinds {
  private final ClusterSharding sharding;
  private final NodeServices services;
  private final Config config;
  private final ClusterShardingSettings remembered;
  private final ClusterShardingSettings forgotten;

  /** So that each JVM has its share within three minutes of its start, however long a range is. */
  private static final Duration LIVE_SHARD_WAITS = Duration.ofMinutes(1);

  /** Those that are named by a contract. */
  static final Set<String> OF_A_CONTRACT =
      Set.of(
          CoordinatorActor.KEY.name(),
          EndorserActor.KEY.name(),
          StateStoreActor.KEY.name(),
          MessageBookActor.KEY.name(),
          SenderActor.KEY.name(),
          SubmitterActor.KEY.name());

  private interface Creation<C> {
    Behavior<C> create(
        NodeServices services,
        ContractAddress contract,
        ActorRef<ClusterSharding.ShardCommand> shard);
  }

  private EntityKinds(ActorSystem<?> system, NodeServices services) {
    this.sharding = ClusterSharding.get(system);
    this.services = services;
    this.config = system.settings().config();
    this.remembered =
        ClusterShardingSettings.fromConfig(config.getConfig("sequitur.sharding.remembered"));
    this.forgotten =
        ClusterShardingSettings.fromConfig(config.getConfig("sequitur.sharding.volatile"));
  }

  static void init(ActorSystem<?> system, NodeServices services) {
    var kinds = new EntityKinds(system, services);
    // Remembered entities wake at once: whom they speak to comes before them.
    kinds.init(
        CoordinatorActor.KEY,
        CoordinatorActor::create,
        new CoordinatorActor.Stop(),
        kinds.forgotten);
    kinds.init(EndorserActor.KEY, EndorserActor::create, new EndorserActor.Stop(), kinds.forgotten);
    kinds.init(
        StateStoreActor.KEY, StateStoreActor::create, new StateStoreActor.Stop(), kinds.remembered);
    kinds.init(
        MessageBookActor.KEY,
        MessageBookActor::create,
        new MessageBookActor.Stop(),
        kinds.remembered);
    kinds.init(SenderActor.KEY, SenderActor::create, new SenderActor.Stop(), kinds.remembered);
    kinds.init(
        SubmitterActor.KEY, SubmitterActor::create, new SubmitterActor.Stop(), kinds.remembered);
    kinds.init(
        SubmitterActor.PUBLIC_KEY,
        new SubmitterActor.Stop(),
        kinds.remembered,
        context ->
            SubmitterActor.createPublic(services, context.getEntityId(), context.getShard()));
  }

  private <C> void init(
      EntityTypeKey<C> key, Creation<C> creation, C stop, ClusterShardingSettings settings) {
    init(
        key,
        stop,
        settings,
        context -> {
          var contract = new ContractAddress(context.getEntityId());
          var shard = context.getShard();
          return AwaitedGroup.entity(
              services,
              new AwaitedGroup.Wish<>(
                  contract, stop, shard, () -> creation.create(services, contract, shard)));
        });
  }

  private <C> void init(
      EntityTypeKey<C> key,
      C stop,
      ClusterShardingSettings settings,
      Function<EntityContext<C>, Behavior<C>> creation) {
    TrustedPaths.requireSharded(config, key.name());
    sharding.init(
        Entity.of(key, context -> seen(key, context.getEntityId(), creation.apply(context)))
            .withStopMessage(stop)
            .withSettings(settings)
            .withAllocationStrategy(allocation(key, settings.numberOfShards())));
  }

  /** So that it can be said where an entity is, and what it does counts for its shard. */
  private <C> Behavior<C> seen(EntityTypeKey<C> key, String entity, Behavior<C> behavior) {
    return Behaviors.setup(
        context -> {
          var classic = context.getSystem().classicSystem();
          AwakeEntities.get(classic)
              .woke(key.name(), entity, Adapter.toClassic(context.getSelf()), services.now());
          return ShardWork.get(classic).counting(entity, behavior);
        });
  }

  private ShardAllocationStrategy allocation(EntityTypeKey<?> key, int shards) {
    var even = new EvenAllocation(shards);
    long rangeSize = services.setup().rules().selection().rangeSize();
    return key == CoordinatorActor.KEY
        ? new PatientAllocation(
            even,
            key.name(),
            LIVE_SHARD_WAITS,
            () -> services.height().range(rangeSize).index(),
            System::nanoTime)
        : even;
  }
}
