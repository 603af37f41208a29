package dev.sequitur.persistence.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.ActorSystem;
import akka.actor.CoordinatedShutdown;
import akka.testkit.ExplicitlyTriggeredScheduler;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.fixture.TestPostgres;
import dev.sequitur.persistence.postgres.PostgresExtension;
import dev.sequitur.persistence.serialization.ProtocolFormat;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.NodeWriters.ClusterView;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import scala.concurrent.duration.FiniteDuration;

/** A JVM that asks nothing of its store, by a clock that the test moves. */
class SharedNodeStoreTest {
  private static final AtomicInteger SCHEMAS = new AtomicInteger();
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  private ActorSystem system;
  private PostgresNodeStore store;

  @BeforeEach
  void start() {
    var server = TestPostgres.shared();
    system =
        ActorSystem.create(
            "node1",
            ConfigFactory.parseString(
                    """
                    akka.actor { provider = cluster, allow-java-serialization = off }
                    akka.remote.artery { transport = tcp, canonical { hostname = "127.0.0.1", port = 0 } }
                    akka.coordinated-shutdown.run-by-jvm-shutdown-hook = off
                    akka.cluster.jmx.multi-mbeans-in-same-jvm = on
                    akka.scheduler.implementation = "akka.testkit.ExplicitlyTriggeredScheduler"
                    sequitur.persistence.postgresql {
                      url = "%s", user = "%s", password = "%s", schema = shared_%d
                    }
                    """
                        .formatted(
                            server.url(),
                            server.user(),
                            server.password(),
                            SCHEMAS.incrementAndGet()))
                .withFallback(ConfigFactory.defaultReferenceUnresolved())
                .resolve());
    store = SharedNodeStore.open(system, identity(JvmName.self(system)));
    var self = Set.of(JvmName.self(system).toString());
    assertThat(get(store.writers().enter(new ClusterView(true, self, self)))).isTrue();
  }

  private static NodeIdentity identity(JvmName name) {
    return new NodeIdentity(new NodeName("node1"), Bytes.utf8("its keys"), name);
  }

  @AfterEach
  void stop() {
    if (system != null) {
      system.terminate();
      await().atMost(PATIENCE).until(() -> passSecond() && system.whenTerminated().isCompleted());
    }
  }

  private boolean passSecond() {
    ((ExplicitlyTriggeredScheduler) system.scheduler())
        .timePasses(new FiniteDuration(1, TimeUnit.SECONDS));
    return true;
  }

  private boolean isEndedAsDown() {
    return CoordinatedShutdown.get(system)
        .getShutdownReason()
        .filter(CoordinatedShutdown.clusterDowningReason()::equals)
        .isPresent();
  }

  private void takeOver() {
    var name = new JvmName("akka://node1@jvm2:25520", 1);
    try (var other =
        new PostgresNodeStore(
            PostgresExtension.get(system).database(),
            new ProtocolFormat(),
            Runnable::run,
            identity(name))) {
      var both = Set.of(name.toString(), JvmName.self(system).toString());
      assertThat(get(other.writers().enter(new ClusterView(false, both, both)))).isTrue();
      get(other.writers().end(JvmName.self(system).toString()));
    }
  }

  /** It may live among others that begin anew without it, and none of its writes would tell it. */
  @Test
  void anIdleJvmThatWasLeftOutEndsWithinASecondAsOneThatIsDown() {
    takeOver();
    assertThat(isEndedAsDown()).isFalse();
    passSecond();

    await().atMost(PATIENCE).until(this::isEndedAsDown);
  }

  @Test
  void aJvmThatMayWriteLooksAgain() {
    passSecond();
    get(store.writers().others());
    assertThat(isEndedAsDown()).isFalse();
    takeOver();

    await().atMost(PATIENCE).until(() -> passSecond() && isEndedAsDown());
  }

  private static <T> T get(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }
}
