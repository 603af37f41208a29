package dev.sequitur.sequencer.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.sharding.ShardCoordinator.ShardAllocationStrategy;
import akka.cluster.sharding.ShardRegion.CurrentShardRegionState;
import akka.cluster.sharding.typed.GetShardRegionState;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.Entity;
import akka.cluster.sharding.typed.javadsl.EntityTypeKey;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Join;
import dev.sequitur.cluster.metrics.Shown;
import dev.sequitur.cluster.placement.EvenAllocation;
import dev.sequitur.cluster.placement.PatientAllocation;
import dev.sequitur.cluster.placement.RegionCoordinators;
import dev.sequitur.cluster.placement.ShareGauges;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two actor systems of one cluster in this process. */
class MovingShardsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration LONGEST = Duration.ofMinutes(1);
  private static final int SHARDS = 16;
  private static final EntityTypeKey<String> PATIENT =
      EntityTypeKey.create(String.class, "patient");
  private static final EntityTypeKey<String> MOVING = EntityTypeKey.create(String.class, "moving");

  private final JvmsOfOneNode jvms = new JvmsOfOneNode();
  private final AtomicLong range = new AtomicLong(7);
  private final AtomicLong nanos = new AtomicLong();

  private ActorTestKit jvm() {
    var kit =
        jvms.start(
            """
            akka.cluster.sharding {
              number-of-shards = %d
              rebalance-interval = 200ms
              state-store-mode = ddata
              remember-entities = off
            }
            """
                .formatted(SHARDS));
    var first = Cluster.get(jvms.first().system());
    Cluster.get(kit.system()).manager().tell(Join.create(first.selfMember().address()));
    init(kit, PATIENT, patient());
    init(kit, MOVING, new EvenAllocation(SHARDS));
    return kit;
  }

  private PatientAllocation patient() {
    return new PatientAllocation(
        new EvenAllocation(SHARDS), PATIENT.name(), LONGEST, range::get, nanos::get);
  }

  private static void init(
      ActorTestKit kit, EntityTypeKey<String> key, ShardAllocationStrategy strategy) {
    Behavior<String> entity =
        Behaviors.receiveMessage(
            message -> message.equals("stop") ? Behaviors.stopped() : Behaviors.same());
    ClusterSharding.get(kit.system())
        .init(
            Entity.of(key, context -> entity)
                .withStopMessage("stop")
                .withAllocationStrategy(strategy));
  }

  @AfterEach
  void stop() {
    jvms.stop();
  }

  private static int shardsAt(ActorTestKit kit, EntityTypeKey<String> key) {
    var answer = kit.<CurrentShardRegionState>createTestProbe();
    ActorRef<CurrentShardRegionState> replyTo = answer.ref();
    ClusterSharding.get(kit.system()).shardState().tell(new GetShardRegionState(key, replyTo));
    return answer.receiveMessage(PATIENCE).getShards().size();
  }

  /** Shards are taken from the hash of the name: enough names reach all of them. */
  private static void tellAll(ActorTestKit kit, EntityTypeKey<String> key, String message) {
    for (int name = 0; name < 20 * SHARDS; name++) {
      ClusterSharding.get(kit.system()).entityRefFor(key, "entity" + name).tell(message);
    }
  }

  private static void wakeAll(ActorTestKit kit, EntityTypeKey<String> key) {
    tellAll(kit, key, "wake");
    await().atMost(PATIENCE).until(() -> shardsAt(kit, key) == SHARDS);
  }

  /** A second JVM, which has its share of those that move at once, and none of the others. */
  private ActorTestKit joined(ActorTestKit first) {
    wakeAll(first, PATIENT);
    wakeAll(first, MOVING);
    var second = jvm();
    await().atMost(PATIENCE).until(() -> shardsAt(second, MOVING) == SHARDS / 2);
    assertThat(shardsAt(second, PATIENT)).isZero();
    return second;
  }

  /**
   * @param happens again and again: nobody knows when the shards are first looked at
   */
  private static void awaitShare(ActorTestKit kit, Runnable happens) {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              happens.run();
              return shardsAt(kit, PATIENT) == SHARDS / 2;
            });
  }

  @Test
  void whatIsInMemoryWaitsForTheEndOfARangeAndMovesThen() {
    var second = joined(jvm());

    awaitShare(second, range::incrementAndGet);
  }

  @Test
  void aShardWithoutEntitiesInMemoryMovesAtOnce() {
    var first = jvm();
    var second = joined(first);
    tellAll(first, PATIENT, "stop");

    await().atMost(PATIENCE).until(() -> shardsAt(second, PATIENT) == SHARDS / 2);
  }

  @Test
  void whatHasWaitedTheLongestTimeMovesInTheMiddleOfARange() {
    var second = joined(jvm());

    awaitShare(second, () -> nanos.addAndGet(LONGEST.toNanos()));
  }

  /** Who deals out the shards is found once the JVM is a member. */
  @Test
  void aJvmWhoseShardsNobodyDealsOutSaysSo() {
    var alone = jvms.start("akka.cluster.sharding.number-of-shards = " + SHARDS);
    init(alone, MOVING, new EvenAllocation(SHARDS));
    var coordinators = RegionCoordinators.of(alone.system().classicSystem(), nanos::get);
    assertThat(coordinators.trouble().toCompletableFuture().join()).isEmpty();
    nanos.addAndGet(RegionCoordinators.PATIENCE.toNanos());
    assertThat(coordinators.trouble().toCompletableFuture().join().orElseThrow())
        .contains("the shards of moving");

    var self = Cluster.get(alone.system());
    self.manager().tell(Join.create(self.selfMember().address()));

    await()
        .atMost(PATIENCE)
        .until(() -> coordinators.trouble().toCompletableFuture().join().isEmpty());
    nanos.addAndGet(RegionCoordinators.PATIENCE.toNanos());
    assertThat(coordinators.trouble().toCompletableFuture().join()).isEmpty();
  }

  @Test
  void whoDealsOutTheShardsMayBeInAnotherJvm() {
    var second = joined(jvm());
    var coordinators = RegionCoordinators.of(second.system().classicSystem(), nanos::get);
    coordinators.trouble().toCompletableFuture().join();
    nanos.addAndGet(RegionCoordinators.PATIENCE.toNanos());

    assertThat(coordinators.trouble().toCompletableFuture().join()).isEmpty();
  }

  @Test
  void eachJvmShowsItsShardsAndWhatItHasInMemory() {
    var first = jvm();
    var registry = new PrometheusRegistry();
    ShareGauges.show(first.system().classicSystem(), registry, nanos::get);
    wakeAll(first, PATIENT);

    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              nanos.addAndGet(Duration.ofSeconds(1).toNanos());
              assertThat(Shown.in(registry))
                  .containsEntry("sequitur_shards{kind=\"patient\"}", (double) SHARDS)
                  .containsEntry("sequitur_shards{kind=\"moving\"}", 0.0)
                  .containsEntry("sequitur_entities{kind=\"patient\"}", 20.0 * SHARDS);
            });
  }
}
