package dev.sequitur.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.MemberStatus;
import akka.cluster.sharding.typed.ClusterShardingSettings;
import akka.cluster.sharding.typed.ShardingEnvelope;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.Entity;
import akka.cluster.sharding.typed.javadsl.EntityTypeKey;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Join;
import dev.sequitur.cluster.placement.ShardWork;
import dev.sequitur.fixture.ListeningPorts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Actor systems that really start with the profile. */
final class SingleJvmNodeTest {
  private static final EntityTypeKey<String> KEY = EntityTypeKey.create(String.class, "remembered");

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;
  private ActorTestKit node;

  @AfterEach
  void stop() {
    if (node != null) {
      node.shutdownTestKit();
    }
  }

  @Test
  void remembersEntitiesInTheJournalOverARestart() {
    node = start("alice", "alice");
    joinItself(node);
    TestProbe<String> started = node.createTestProbe();
    shard(node, started.ref()).tell(new ShardingEnvelope<>("contract-1", "hello"));
    started.expectMessage(PATIENCE, "contract-1");
    node.shutdownTestKit();

    node = start("alice", "alice");
    joinItself(node);
    TestProbe<String> startedAgain = node.createTestProbe();
    shard(node, startedAgain.ref());

    startedAgain.expectMessage(PATIENCE, "contract-1");
  }

  @Test
  void doesNotStartInADirectoryThatAnotherNodeUses() {
    node = start("alice", "shared");

    assertThatThrownBy(() -> start("bob", "shared"))
        .hasStackTraceContaining("another node of this process uses it");
  }

  /** Its remoting would believe whoever connects. */
  @Test
  void listensNowhere() throws Exception {
    var before = ListeningPorts.ofThisProcess();

    node = start("alice", "alice");
    joinItself(node);

    assertThat(ListeningPorts.ofThisProcess()).isEqualTo(before);
    assertThat(Cluster.get(node.system()).selfMember().address().toString())
        .isEqualTo("akka://alice@not-listening:0");
  }

  /** Nothing moves in it, so that nobody asks what its shards have done. */
  @Test
  void countsNoMessagesOfItsEntities() {
    node = start("alice", "alice");
    var behavior = Behaviors.<String>empty();

    assertThat(ShardWork.get(node.system().classicSystem()).counting("contract-1", behavior))
        .isSameAs(behavior);
  }

  @Test
  void stopsWithoutAComplaint() throws Exception {
    node = start("alice", "alice");
    joinItself(node);

    node.system().terminate();

    assertThat(
            node.system()
                .getWhenTerminated()
                .toCompletableFuture()
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .isNotNull();
  }

  private ActorTestKit start(String name, String dataDirectory) {
    return ActorTestKit.create(
        name,
        ClusterConfiguration.singleJvm(
            new SingleJvmSettings(name, directory.resolve(dataDirectory))));
  }

  private static void joinItself(ActorTestKit node) {
    Cluster cluster = Cluster.get(node.system());
    cluster.manager().tell(Join.create(cluster.selfMember().address()));
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> cluster.selfMember().status() == MemberStatus.up());
  }

  private static ActorRef<ShardingEnvelope<String>> shard(
      ActorTestKit node, ActorRef<String> started) {
    return ClusterSharding.get(node.system())
        .init(
            Entity.of(KEY, context -> entity(context.getEntityId(), started))
                .withSettings(
                    ClusterShardingSettings.fromConfig(
                        node.system()
                            .settings()
                            .config()
                            .getConfig("sequitur.sharding.remembered"))));
  }

  private static Behavior<String> entity(String id, ActorRef<String> started) {
    return Behaviors.setup(
        context -> {
          started.tell(id);
          return Behaviors.empty();
        });
  }
}
