package dev.sequitur.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.ActorRef;
import akka.actor.InternalActorRef;
import akka.actor.Kill;
import akka.actor.PoisonPill;
import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Adapter;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.MemberStatus;
import akka.cluster.sharding.typed.ClusterShardingSettings;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.Entity;
import akka.cluster.sharding.typed.javadsl.EntityTypeKey;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.ClusterSingleton;
import akka.cluster.typed.Join;
import akka.cluster.typed.SingletonActor;
import akka.event.Logging;
import akka.remote.RemoteActorRefProvider;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.fixture.FreePorts;
import dev.sequitur.persistence.postgres.PostgresSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two JVMs of a node, in this process and without their database: what goes from one to the other.
 */
class DistrustBetweenJvmsTest {
  private static final EntityTypeKey<String> KEY = EntityTypeKey.create(String.class, "counter");
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int ENTITIES = 40;

  private final List<ActorTestKit> jvms = new ArrayList<>();
  private final Set<String> heard = ConcurrentHashMap.newKeySet();
  private final Queue<String> dropped = new ConcurrentLinkedQueue<>();
  private int port;

  @BeforeEach
  void start() throws Exception {
    port = FreePorts.inARow(2);
    for (int number = 0; number < 2; number++) {
      jvms.add(jvm(number));
    }
    for (var jvm : jvms) {
      await().atMost(PATIENCE).until(() -> upMembers(jvm) == 2);
    }
  }

  @AfterEach
  void stop() {
    jvms.forEach(ActorTestKit::shutdownTestKit);
  }

  private ActorTestKit jvm(int number) {
    var seed = "127.0.0.1:" + port;
    var config =
        ClusterConfiguration.severalJvms(
            new SeveralJvmsSettings(
                "node1",
                SeveralJvmsSettings.Remoting.onLoopback(port + number),
                List.of(seed),
                new PostgresSettings("jdbc:postgresql://127.0.0.1/none", "none", "", "none")),
            ConfigFactory.parseString(
                """
                akka {
                  # The test reads what remoting drops.
                  loglevel = DEBUG
                  use-slf4j = off
                  loggers = []
                  stdout-loglevel = OFF
                  logging-filter = "akka.event.DefaultLoggingFilter"
                  coordinated-shutdown.run-by-jvm-shutdown-hook = off
                  cluster.downing-provider-class = ""
                  library-extensions = ["akka.serialization.SerializationExtension$"]
                  persistence { journal.plugin = "", snapshot-store.plugin = "" }
                }
                sequitur.remoting { sharded.counter = on, singletons.once = on }
                """));
    var kit = ActorTestKit.create("node1", config);
    var reader = kit.<Object>spawn(Behaviors.receiveMessage(this::note));
    Adapter.toClassic(kit.system())
        .eventStream()
        .subscribe(Adapter.toClassic(reader), Logging.Debug.class);
    Cluster.get(kit.system())
        .manager()
        .tell(Join.create(akka.actor.AddressFromURIString.parse("akka://node1@" + seed)));
    ClusterSharding.get(kit.system())
        .init(
            Entity.of(KEY, context -> entity(number, context.getEntityId()))
                .withSettings(
                    ClusterShardingSettings.fromConfig(
                        config.getConfig("sequitur.sharding.volatile"))));
    return kit;
  }

  private Behavior<Object> note(Object event) {
    var text = String.valueOf(((Logging.Debug) event).message());
    // That an actor elsewhere has ended is told by its JVM's leaving, which each JVM sees itself.
    if (text.contains("UntrustedMode") && !text.contains("sysmsg.Watch]")) {
      dropped.add(text);
    }
    return Behaviors.same();
  }

  private Behavior<String> entity(int jvm, String id) {
    return Behaviors.receiveMessage(
        message -> {
          heard.add(message + " " + id + " in " + jvm);
          return Behaviors.same();
        });
  }

  private static long upMembers(ActorTestKit jvm) {
    long up = 0;
    for (var member : Cluster.get(jvm.system()).state().getMembers()) {
      up += member.status() == MemberStatus.up() ? 1 : 0;
    }
    return up;
  }

  private void tellAll(String message) {
    var region = ClusterSharding.get(jvms.get(1).system());
    for (int entity = 0; entity < ENTITIES; entity++) {
      region.entityRefFor(KEY, "e" + entity).tell(message);
    }
  }

  private long heardIn(int jvm, String message) {
    return heard.stream().filter(w -> w.startsWith(message) && w.endsWith("in " + jvm)).count();
  }

  @Test
  void shardingAndSingletonsWorkAndNothingThatTheyNeedIsDropped() {
    var once = ConcurrentHashMap.<String>newKeySet();
    for (var jvm : jvms) {
      var name = jvm.system().address().toString();
      ClusterSingleton.get(jvm.system())
          .init(
              SingletonActor.of(
                  Behaviors.<String>receiveMessage(
                      message -> {
                        once.add(message);
                        return Behaviors.same();
                      }),
                  "once"))
          .tell(name);
    }
    tellAll("hello");

    await().atMost(PATIENCE).until(() -> heard.size() == ENTITIES && once.size() == 2);
    assertThat(heardIn(0, "hello")).isPositive();
    assertThat(heardIn(1, "hello")).isPositive();
    assertThat(dropped).isEmpty();
  }

  /** As a program did that had found the port; now it would need the node's certificate, too. */
  @Test
  void noOrderFromOutsideEndsAShardRegion() {
    tellAll("before");
    await().atMost(PATIENCE).until(() -> heard.size() == ENTITIES);
    long there = heardIn(0, "before");
    assertThat(there).isPositive();

    var outside = Adapter.toClassic(jvms.get(1).system());
    var path = "akka://node1@127.0.0.1:" + port + "/system/sharding/" + KEY.name();
    var region =
        ((RemoteActorRefProvider) ((akka.actor.ExtendedActorSystem) outside).provider())
            .resolveActorRef(path);
    region.tell(Kill.getInstance(), ActorRef.noSender());
    region.tell(PoisonPill.getInstance(), ActorRef.noSender());
    ((InternalActorRef) region).stop();
    outside.actorSelection(path).tell("anything", ActorRef.noSender());
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(dropped).hasSize(4));

    tellAll("after");
    await().atMost(PATIENCE).until(() -> heardIn(0, "after") == there);
  }
}
