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
import akka.cluster.typed.JoinSeedNodes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Actor systems that really start with the profile. */
final class SingleJvmNodeTest {
  private static final EntityTypeKey<String> KEY = EntityTypeKey.create(String.class, "remembered");

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir private Path directory;
  private ActorTestKit node;
  private ActorTestKit other;

  @AfterEach
  void stop() {
    for (ActorTestKit each : new ActorTestKit[] {node, other}) {
      if (each != null) {
        each.shutdownTestKit();
      }
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

  @Test
  void keepsASecondJvmOutOfItsCluster() {
    node = start("alice", "first");
    joinItself(node);
    other = start("alice", "second");

    Cluster.get(other.system())
        .manager()
        .tell(new JoinSeedNodes(List.of(Cluster.get(node.system()).selfMember().address())));

    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> other.system().getWhenTerminated().toCompletableFuture().isDone());
    assertThat(Cluster.get(node.system()).state().getMembers()).hasSize(1);
  }

  private ActorTestKit start(String name, String dataDirectory) {
    return ActorTestKit.create(
        name,
        ClusterConfiguration.singleJvm(
            SingleJvmSettings.local(name, directory.resolve(dataDirectory))));
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
