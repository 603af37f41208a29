package dev.sequitur.scheduler.runtime;

import akka.actor.Address;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.DispatcherSelector;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Join;
import akka.cluster.typed.JoinSeedNodes;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.cluster.ClusterConfiguration;
import dev.sequitur.cluster.SeveralJvmsSettings;
import dev.sequitur.cluster.SingleJvmSettings;
import dev.sequitur.cluster.metrics.Shown;
import dev.sequitur.persistence.leveldb.LevelDbExtension;
import dev.sequitur.persistence.postgres.PostgresExtension;
import dev.sequitur.persistence.postgres.PostgresSettings;
import dev.sequitur.persistence.store.QueueStores;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.port.ScheduledCalls;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.SchedulerSettings;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** A node's scheduler alone, over a data directory of its own. */
public final class TestScheduler implements AutoCloseable {
  public static final AccountId OPERATOR = new AccountId("operator");
  private static final long PATIENCE_SECONDS = 60;

  private final ActorSystem<Void> system;
  private final SchedulerNode scheduler;
  private final PrometheusRegistry registry;

  private TestScheduler(ActorSystem<Void> system, SchedulerSetup setup) {
    this.system = system;
    this.registry = setup.registry();
    this.scheduler = RunningScheduler.start(system, setup);
  }

  public static TestScheduler start(
      Path directory, QueueSetup queues, SchedulerSettings settings, ScheduledCalls calls) {
    return start(directory, queues, settings, calls, ConfigFactory.empty(), InstantSource.system());
  }

  /**
   * @param changes of the configuration
   */
  static TestScheduler start(
      Path directory,
      QueueSetup queues,
      SchedulerSettings settings,
      ScheduledCalls calls,
      Config changes,
      InstantSource clock) {
    return start(directory, queues, settings, calls, changes, clock, stores -> stores);
  }

  /**
   * @param seen the stores as the queues see them
   */
  static TestScheduler start(
      Path directory,
      QueueSetup queues,
      SchedulerSettings settings,
      ScheduledCalls calls,
      Config changes,
      InstantSource clock,
      UnaryOperator<QueueStores> seen) {
    var config =
        ClusterConfiguration.singleJvm(
            new SingleJvmSettings("node1", directory),
            ConfigFactory.parseString(
                    """
                    akka.loglevel = WARNING
                    akka.coordinated-shutdown.run-by-jvm-shutdown-hook = off
                    akka.cluster.sharding.entity-restart-backoff = 200ms
                    sequitur.persistence.level-db.min-free-disk = 0
                    """)
                .withFallback(changes));
    ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "node1", config);
    var cluster = Cluster.get(system);
    cluster.manager().tell(Join.create(cluster.selfMember().address()));
    var stores =
        QueueStores.in(
            LevelDbExtension.get(system).checkpoints(),
            system
                .dispatchers()
                .lookup(DispatcherSelector.fromConfig("sequitur.persistence.read-dispatcher")));
    var setup =
        new SchedulerSetup(
            new NodeName("node1"),
            queues,
            settings,
            calls,
            seen.apply(stores),
            new PrometheusRegistry(),
            clock);
    return new TestScheduler(system, setup);
  }

  /**
   * One JVM of a node that has several.
   *
   * @param seedPort of the first of them
   */
  record Jvm(int port, int seedPort, PostgresSettings database, InstantSource clock) {
    /** Whose clock is right. */
    Jvm(int port, int seedPort, PostgresSettings database) {
      this(port, seedPort, database, InstantSource.system());
    }
  }

  /** Without TLS: both are in this process. */
  static TestScheduler startOfSeveral(
      Jvm jvm, QueueSetup queues, SchedulerSettings settings, ScheduledCalls calls) {
    var config =
        ClusterConfiguration.severalJvms(
            new SeveralJvmsSettings(
                "node1",
                SeveralJvmsSettings.Remoting.onLoopback(jvm.port()),
                List.of("127.0.0.1:" + jvm.seedPort()),
                jvm.database()),
            ConfigFactory.parseString(
                """
                akka.loglevel = WARNING
                akka.coordinated-shutdown.run-by-jvm-shutdown-hook = off
                """));
    ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "node1", config);
    var seed = new Address("akka", "node1", "127.0.0.1", jvm.seedPort());
    Cluster.get(system).manager().tell(new JoinSeedNodes(List.of(seed)));
    var stores =
        QueueStores.in(
            PostgresExtension.get(system).database(),
            system
                .dispatchers()
                .lookup(
                    DispatcherSelector.fromConfig("sequitur.persistence.postgresql.dispatcher")));
    var setup =
        new SchedulerSetup(
            new NodeName("node1"),
            queues,
            settings,
            calls,
            stores,
            new PrometheusRegistry(),
            jvm.clock());
    return new TestScheduler(system, setup);
  }

  public SchedulerNode node() {
    return scheduler;
  }

  /** What {@code /metrics} would show. */
  Map<String, Double> metrics() {
    return Shown.in(registry);
  }

  ActorSystem<Void> system() {
    return system;
  }

  public static <T> T get(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Ends the actors at once, as far as that is possible within a JVM. */
  @Override
  public void close() {
    system.terminate();
    get(system.getWhenTerminated());
  }
}
