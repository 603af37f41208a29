package dev.sequitur.cluster.downing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.ActorSystem;
import akka.coordination.lease.javadsl.Lease;
import akka.coordination.lease.javadsl.LeaseProvider;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.fixture.TestPostgres;
import dev.sequitur.persistence.postgres.PostgresExtension;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class DatabaseLeaseTest {
  private static ActorSystem system;

  @BeforeAll
  static void start() {
    var server = TestPostgres.shared();
    system =
        ActorSystem.create(
            "leases",
            ConfigFactory.parseString(
                    """
                    akka.actor.provider = local
                    sequitur.persistence.postgresql {
                      url = "%s", user = "%s", password = "%s", schema = leases
                    }
                    lease = ${akka.coordination.lease} {
                      lease-class = "dev.sequitur.cluster.downing.DatabaseLease"
                      heartbeat-timeout = 2s
                      heartbeat-interval = 500ms
                    }
                    """
                        .formatted(server.url(), server.user(), server.password()))
                .withFallback(ConfigFactory.defaultReferenceUnresolved())
                .resolve());
  }

  @AfterAll
  static void stop() {
    if (system != null) {
      system.terminate();
    }
  }

  private static Lease lease(String name, String owner) {
    return LeaseProvider.get(system).getLease(name, "lease", owner);
  }

  @Test
  void oneOfTwoSidesGetsItAndTheOtherOnlyWhenItIsGivenBack() {
    var left = lease("a", "left");
    var right = lease("a", "right");

    assertThat(get(left.acquire())).isTrue();
    assertThat(get(right.acquire())).isFalse();
    assertThat(left.checkLease()).isTrue();
    assertThat(right.checkLease()).isFalse();

    get(left.release());
    assertThat(get(right.acquire())).isTrue();
  }

  @Test
  void whoHasItMayAskAgain() {
    var left = lease("b", "left");

    assertThat(get(left.acquire())).isTrue();
    assertThat(get(left.acquire())).isTrue();
  }

  @Test
  void itIsRenewedForAsLongAsItsOwnerLives() {
    var left = lease("c", "left");
    var right = lease("c", "right");
    get(left.acquire());

    await()
        .during(Duration.ofSeconds(4))
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(400))
        .until(() -> !get(right.acquire()));
  }

  @Test
  void thatOfAnOwnerWhoHasDiedIsFreeAfterItsTime() throws Exception {
    PostgresExtension.get(system)
        .database()
        .transaction(
            connection ->
                connection
                    .createStatement()
                    .executeUpdate(
                        "INSERT INTO lease VALUES ('d', 'dead', now() + interval '1 second')"));
    var right = lease("d", "right");

    assertThat(get(right.acquire())).isFalse();
    await().atMost(Duration.ofSeconds(20)).until(() -> get(right.acquire()));
  }

  private static <T> T get(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
  }
}
