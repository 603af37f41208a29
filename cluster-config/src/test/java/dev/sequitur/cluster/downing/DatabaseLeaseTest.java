package dev.sequitur.cluster.downing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.ActorSystem;
import akka.coordination.lease.javadsl.Lease;
import akka.coordination.lease.javadsl.LeaseProvider;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.fixture.TestPostgres;
import dev.sequitur.persistence.postgres.PostgresExtension;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class DatabaseLeaseTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** The heartbeat's time-out below. */
  private static final Duration HELD = Duration.ofSeconds(60);

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
                      # A busy machine may stand still for longer than a second or two.
                      heartbeat-timeout = 60s
                      heartbeat-interval = 200ms
                      lease-operation-timeout = 60s
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
  void itIsRenewedForAsLongAsItsOwnerLives() throws SQLException {
    get(lease("c", "left").acquire());
    var first = until("c");

    await().atMost(PATIENCE).until(() -> until("c").isAfter(first.plusSeconds(2)));

    assertThat(get(lease("c", "right").acquire())).isFalse();
  }

  private static Instant until(String name) throws SQLException {
    return PostgresExtension.get(system)
        .database()
        .transaction(
            connection -> {
              var found =
                  connection
                      .createStatement()
                      .executeQuery("SELECT until FROM lease WHERE name = '" + name + "'");
              found.next();
              return found.getTimestamp(1).toInstant();
            });
  }

  @Test
  void thatOfAnOwnerWhoHasDiedIsFreeAfterItsTime() throws SQLException {
    change("INSERT INTO lease VALUES ('d', 'dead', now() + interval '1 hour')");
    var right = lease("d", "right");

    assertThat(get(right.acquire())).isFalse();
    change("UPDATE lease SET until = now() - interval '1 second' WHERE name = 'd'");
    assertThat(get(right.acquire())).isTrue();
  }

  /** RCV-6: by the database's own time, to less than a second. */
  @Test
  void nobodyHasItBeforeTheTimeOfAnotherIsOver() throws SQLException {
    change("INSERT INTO lease VALUES ('e', 'dead', clock_timestamp() + interval '2 seconds')");
    var over = until("e");
    var right = lease("e", "right");

    await().atMost(PATIENCE).until(() -> get(right.acquire()));

    assertThat(until("e").minus(HELD)).isAfter(over.minusSeconds(1));
  }

  private static void change(String statement) throws SQLException {
    int changed =
        PostgresExtension.get(system)
            .database()
            .transaction(connection -> connection.createStatement().executeUpdate(statement));
    assertThat(changed).isEqualTo(1);
  }

  private static <T> T get(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }
}
