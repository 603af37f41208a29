package dev.sequitur.cluster.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.Adapter;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.MemberStatus;
import akka.cluster.sharding.ShardRegion;
import akka.cluster.sharding.ShardRegion.CurrentShardRegionState;
import akka.cluster.sharding.typed.ClusterShardingSettings;
import akka.cluster.sharding.typed.ShardingEnvelope;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.Entity;
import akka.cluster.sharding.typed.javadsl.EntityTypeKey;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Join;
import akka.pattern.Patterns;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.cluster.ClusterConfiguration;
import dev.sequitur.cluster.SingleJvmSettings;
import dev.sequitur.persistence.journal.StoredShards;
import dev.sequitur.protocol.placement.ShardNumber;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that remembers entities is stopped, and started with another number of shards. */
class RememberedShardsTest {
  private static final EntityTypeKey<String> KEY = EntityTypeKey.create(String.class, "remembered");
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final List<String> ENTITIES =
      IntStream.range(0, 20).mapToObj(i -> "contract-" + i).toList();

  @TempDir private Path directory;
  private final Queue<String> started = new ConcurrentLinkedQueue<>();
  private ActorTestKit node;

  @AfterEach
  void stop() {
    if (node != null) {
      node.shutdownTestKit();
      node = null;
    }
  }

  private static <T> T get(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  /** The usual number in the store of a node that was never told another one. */
  private void start(int shards) throws Exception {
    stop();
    started.clear();
    node =
        ActorTestKit.create(
            "alice",
            ClusterConfiguration.singleJvm(
                new SingleJvmSettings("alice", directory.resolve("alice")),
                RememberedShards.configured(shards)
                    .withFallback(
                        ConfigFactory.parseString("sequitur.remoting.sharded.remembered = on"))));
  }

  private void agree() throws Exception {
    get(RememberedShards.agree(Adapter.toClassic(node.system())));
  }

  private ActorRef<ShardingEnvelope<String>> serve() {
    var cluster = Cluster.get(node.system());
    cluster.manager().tell(Join.create(cluster.selfMember().address()));
    await().atMost(PATIENCE).until(() -> cluster.selfMember().status() == MemberStatus.up());
    return ClusterSharding.get(node.system())
        .init(
            Entity.of(
                    KEY,
                    context ->
                        Behaviors.<String>setup(
                            any -> {
                              started.add(context.getEntityId());
                              return Behaviors.empty();
                            }))
                .withSettings(
                    ClusterShardingSettings.fromConfig(
                        node.system()
                            .settings()
                            .config()
                            .getConfig("sequitur.sharding.remembered"))));
  }

  private void startWithAllAwake(int shards) throws Exception {
    start(shards);
    agree();
    var region = serve();
    ENTITIES.forEach(each -> region.tell(new ShardingEnvelope<>(each, "hello")));
    await().atMost(PATIENCE).until(() -> started.size() == ENTITIES.size());
  }

  /** Of the shards that have any. */
  private Map<Integer, List<String>> placed() throws Exception {
    var region =
        akka.cluster.sharding.ClusterSharding.get(Adapter.toClassic(node.system()))
            .shardRegion(KEY.name());
    var state =
        (CurrentShardRegionState)
            get(Patterns.ask(region, ShardRegion.getShardRegionStateInstance(), PATIENCE));
    var placed = new TreeMap<Integer, List<String>>();
    for (var shard : state.getShards()) {
      var its = List.copyOf(new TreeSet<>(shard.getEntityIds()));
      if (!its.isEmpty()) {
        placed.put(Integer.valueOf(shard.shardId()), its);
      }
    }
    return placed;
  }

  private void assertEachIsStartedOnceWhereItBelongs(int shards) {
    var wanted =
        new TreeMap<>(
            ENTITIES.stream()
                .sorted()
                .collect(Collectors.groupingBy(each -> ShardNumber.shard(each, shards))));
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(placed()).isEqualTo(wanted));
    assertThat(started).containsExactlyInAnyOrderElementsOf(ENTITIES);
  }

  @Test
  void entitiesThatAreRememberedByFewShardsAreStartedOnceByMoreOfThem() throws Exception {
    startWithAllAwake(16);

    start(48);
    agree();
    serve();

    assertEachIsStartedOnceWhereItBelongs(48);
  }

  /** As a backup of a node with many is restored to one of a single JVM. */
  @Test
  void theNumberMayFallAgain() throws Exception {
    startWithAllAwake(48);

    start(16);
    agree();
    serve();

    assertEachIsStartedOnceWhereItBelongs(16);
  }

  @Test
  void whatWasBegunAndNotEndedIsDoneAgain() throws Exception {
    startWithAllAwake(16);
    start(48);
    agree();
    var stored = StoredShards.of(Adapter.toClassic(node.system()));
    get(stored.begin());
    assertThat(get(stored.number())).isEmpty();

    start(16);
    agree();
    assertThat(get(StoredShards.of(Adapter.toClassic(node.system())).number())).hasValue(16);
    serve();

    assertEachIsStartedOnceWhereItBelongs(16);
  }

  @Test
  void whoHasTheUsualNumberWritesNothing() throws Exception {
    start(ShardNumber.USUAL);
    agree();

    assertThat(get(StoredShards.of(Adapter.toClassic(node.system())).number()))
        .hasValue(ShardNumber.USUAL);
  }
}
