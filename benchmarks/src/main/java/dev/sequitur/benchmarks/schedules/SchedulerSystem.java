package dev.sequitur.benchmarks.schedules;

import akka.actor.Address;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.DispatcherSelector;
import akka.actor.typed.javadsl.AskPattern;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.MemberStatus;
import akka.cluster.sharding.ShardRegion;
import akka.cluster.sharding.typed.GetShardRegionState;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Join;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.cluster.ClusterConfiguration;
import dev.sequitur.cluster.SeveralJvmsSettings;
import dev.sequitur.cluster.SingleJvmSettings;
import dev.sequitur.persistence.leveldb.LevelDbExtension;
import dev.sequitur.persistence.postgres.PostgresExtension;
import dev.sequitur.persistence.postgres.PostgresSettings;
import dev.sequitur.persistence.store.JvmName;
import dev.sequitur.persistence.store.NodeIdentity;
import dev.sequitur.persistence.store.QueueStores;
import dev.sequitur.persistence.store.SharedNodeStore;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.port.ScheduledCalls;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.SchedulerSettings;
import dev.sequitur.scheduler.actor.QueueActor;
import dev.sequitur.scheduler.runtime.RunningScheduler;
import dev.sequitur.scheduler.runtime.SchedulerSetup;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** A node's scheduler with nothing else of a node, over its real journal. */
final class SchedulerSystem implements AutoCloseable {
  private static final String NODE = "node1";

  private final ActorSystem<Void> system;
  private final SchedulerNode node;

  private SchedulerSystem(ActorSystem<Void> system, SchedulerNode node) {
    this.system = system;
    this.node = node;
  }

  /** As a node of one JVM has it: every store in LevelDB, fsync on. */
  static SchedulerSystem embedded(Path directory, QueueSetup queues, SchedulerSettings settings) {
    var config =
        ClusterConfiguration.singleJvm(
            new SingleJvmSettings(NODE, directory.resolve("data")),
            ConfigFactory.systemProperties());
    ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), NODE, config);
    var stores = QueueStores.in(LevelDbExtension.get(system).checkpoints(), executor(system));
    return start(system, Cluster.get(system).selfMember().address(), stores, queues, settings);
  }

  /**
   * As one of several JVMs of a node has it; without TLS.
   *
   * @param ports its own, then that of the first JVM, if that is another
   */
  static SchedulerSystem onPostgres(
      PostgresSettings database,
      List<Integer> ports,
      QueueSetup queues,
      SchedulerSettings settings) {
    int port = ports.get(0);
    int first = ports.get(ports.size() - 1);
    var several =
        new SeveralJvmsSettings(
            NODE,
            SeveralJvmsSettings.Remoting.onLoopback(port),
            List.of("127.0.0.1:" + first),
            database);
    var config = ClusterConfiguration.severalJvms(several, ConfigFactory.systemProperties());
    ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), NODE, config);
    // Only a JVM of a node may leave out one that has died.
    var identity =
        new NodeIdentity(new NodeName(NODE), Bytes.of(new byte[1]), JvmName.self(system));
    var unused = SharedNodeStore.open(system, identity);
    var stores = QueueStores.in(PostgresExtension.get(system).database(), executor(system));
    return start(system, address(first), stores, queues, settings);
  }

  private static Address address(int port) {
    return new Address("akka", NODE, "127.0.0.1", port);
  }

  private static Executor executor(ActorSystem<Void> system) {
    return system.dispatchers().lookup(DispatcherSelector.blocking());
  }

  private static SchedulerSystem start(
      ActorSystem<Void> system,
      Address first,
      QueueStores stores,
      QueueSetup queues,
      SchedulerSettings settings) {
    Cluster.get(system).manager().tell(Join.create(first));
    var setup =
        new SchedulerSetup(
            new NodeName(NODE),
            queues,
            settings,
            new NoCalls(),
            stores,
            new PrometheusRegistry(),
            InstantSource.system());
    return new SchedulerSystem(system, RunningScheduler.start(system, setup));
  }

  /** JVMs of the node that are up. */
  int members() {
    int up = 0;
    for (var member : Cluster.get(system).state().getMembers()) {
      up += member.status().equals(MemberStatus.up()) ? 1 : 0;
    }
    return up;
  }

  /** Whether this JVM has the queue in memory now. */
  boolean holds(QueueName queue) {
    CompletionStage<ShardRegion.CurrentShardRegionState> state =
        AskPattern.ask(
            ClusterSharding.get(system).shardState(),
            replyTo -> new GetShardRegionState(QueueActor.KEY, replyTo),
            Duration.ofSeconds(10),
            system.scheduler());
    return state.toCompletableFuture().join().getShards().stream()
        .anyMatch(shard -> shard.getEntityIds().contains(queue.value()));
  }

  SchedulerNode node() {
    return node;
  }

  @Override
  public void close() {
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().join();
  }

  /** What is measured runs inside the queue. */
  private static final class NoCalls implements ScheduledCalls {
    @Override
    public Optional<Refusal> refuses(Target.Call call) {
      return Optional.of(new Refusal(Refusal.Code.BAD_STATE, "There is no sequencer here."));
    }

    @Override
    public CompletionStage<TransactionId> submit(String key, Target.Call call) {
      return CompletableFuture.failedFuture(new IllegalStateException("There is no sequencer."));
    }

    @Override
    public CompletionStage<Optional<Ended>> ended(TransactionId transaction) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
  }
}
