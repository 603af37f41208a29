package dev.sequitur.cluster.downing;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorSystem;
import akka.actor.ExtendedActorSystem;
import akka.coordination.lease.LeaseSettings;
import akka.testkit.ExplicitlyTriggeredScheduler;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.cluster.downing.DatabaseLease.Rows;
import dev.sequitur.persistence.postgres.DatabaseException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import scala.concurrent.duration.FiniteDuration;

/** A lease whose database answers when the test wants it, by a clock that the test moves. */
class LeaseAtALossTest {
  private static final Duration MOST = Duration.ofSeconds(5);
  private static final Duration RENEWED_EVERY = Duration.ofSeconds(2);

  private static ActorSystem system;

  private final AtomicLong nanos = new AtomicLong(7);
  private final List<String> statements = new ArrayList<>();
  private final Queue<CompletableFuture<Integer>> asked = new ArrayDeque<>();
  private final DatabaseLease lease = lease();

  @BeforeAll
  static void start() {
    system =
        ActorSystem.create(
            "leases-at-a-loss",
            ConfigFactory.parseString(
                    """
                    akka.actor.provider = local
                    akka.scheduler.implementation = "akka.testkit.ExplicitlyTriggeredScheduler"
                    # Whatever is to be done is done before the clock is moved on.
                    sequitur.persistence.postgresql.dispatcher {
                      type = "akka.testkit.CallingThreadDispatcherConfigurator"
                    }
                    lease = ${akka.coordination.lease} {
                      lease-class = "dev.sequitur.cluster.downing.DatabaseLease"
                      heartbeat-timeout = 8s
                      heartbeat-interval = 2s
                      lease-operation-timeout = 5s
                    }
                    """)
                .withFallback(ConfigFactory.defaultReferenceUnresolved())
                .resolve());
  }

  @AfterAll
  static void stop() {
    if (system != null) {
      system.terminate();
    }
  }

  private DatabaseLease lease() {
    var settings =
        LeaseSettings.apply(system.settings().config().getConfig("lease"), "split-brain", "left");
    Rows rows =
        (statement, parameters) -> {
          statements.add(statement.substring(0, statement.indexOf(' ')));
          var answer = new CompletableFuture<Integer>();
          asked.add(answer);
          return answer;
        };
    return new DatabaseLease(settings, (ExtendedActorSystem) system, rows, nanos::get);
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
    ((ExplicitlyTriggeredScheduler) system.scheduler())
        .timePasses(FiniteDuration.create(time.toMillis(), TimeUnit.MILLISECONDS));
  }

  private static boolean answer(CompletionStage<Boolean> stage) {
    return stage.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
  }

  private void fail() {
    asked.remove().completeExceptionally(new DatabaseException("slow"));
  }

  @Test
  void whatTheDatabaseSaysInTimeHolds() {
    var acquired = lease.acquire();
    pass(Duration.ofSeconds(4));
    asked.remove().complete(1);

    assertThat(answer(acquired)).isTrue();
    assertThat(lease.checkLease()).isTrue();
  }

  @Test
  void aDatabaseThatIsSlowForAMomentIsAskedAgain() {
    var acquired = lease.acquire();
    fail();
    pass(Duration.ofMillis(200));
    fail();
    pass(Duration.ofMillis(400));
    asked.remove().complete(1);

    assertThat(answer(acquired)).isTrue();
  }

  @Test
  void whoHasNotBeenAnsweredInTimeHasItNot() {
    var acquired = lease.acquire();
    pass(MOST.minusMillis(1));
    assertThat(acquired.toCompletableFuture()).isNotDone();
    pass(Duration.ofMillis(1));

    assertThat(answer(acquired)).isFalse();
    assertThat(lease.checkLease()).isFalse();
  }

  /** Otherwise it would outlast the winner's, and both sides would stay. */
  @Test
  void aLeaseThatIsGotTooLateDoesNotCountAndIsGivenBack() {
    var acquired = lease.acquire();
    pass(MOST);
    asked.remove().complete(1);

    assertThat(answer(acquired)).isFalse();
    assertThat(lease.checkLease()).isFalse();
    assertThat(statements).containsExactly("INSERT", "DELETE");
  }

  /** Its timer has not run either when it goes on. */
  @Test
  void inAJvmThatStoodStillASuccessIsLateByTheClock() {
    var acquired = lease.acquire();
    nanos.addAndGet(MOST.toNanos() + 1);
    asked.remove().complete(1);

    assertThat(answer(acquired)).isFalse();
    assertThat(lease.checkLease()).isFalse();
    assertThat(statements).containsExactly("INSERT", "DELETE");
  }

  @Test
  void thatAnotherHasItIsNoSuccessHoweverLate() {
    var acquired = lease.acquire();
    pass(MOST);
    asked.remove().complete(0);

    assertThat(answer(acquired)).isFalse();
    assertThat(statements).containsExactly("INSERT");
  }

  @Test
  void afterItsTimeTheDatabaseIsNotAskedAnyMore() {
    var acquired = lease.acquire();
    pass(MOST);
    fail();
    pass(Duration.ofMinutes(1));

    assertThat(answer(acquired)).isFalse();
    assertThat(statements).containsExactly("INSERT");
  }

  @Test
  void whoseRenewalFindsThatAnotherHasItHasLostIt() {
    var lost = new AtomicBoolean();
    acquire(lost);
    pass(RENEWED_EVERY);
    asked.remove().complete(0);

    assertThat(lost).isTrue();
    assertThat(lease.checkLease()).isFalse();
  }

  /** What asks to renew it may be on its way then, and finds nothing any more. */
  @Test
  void whoGivesItBackHasNotLostIt() {
    var lost = new AtomicBoolean();
    acquire(lost);
    pass(RENEWED_EVERY);
    var renewal = asked.remove();
    var released = lease.release();
    asked.remove().complete(1);
    renewal.complete(0);

    assertThat(answer(released)).isTrue();
    assertThat(lost).isFalse();
  }

  private void acquire(AtomicBoolean lost) {
    var acquired = lease.acquire(why -> lost.set(true));
    asked.remove().complete(1);
    assertThat(answer(acquired)).isTrue();
  }

  @Test
  void attemptsAreFewEvenWhileEachFailsAtOnce() {
    var acquired = lease.acquire();
    for (int tick = 0; tick < 60; tick++) {
      while (!asked.isEmpty()) {
        fail();
      }
      pass(Duration.ofMillis(100));
    }

    assertThat(answer(acquired)).isFalse();
    assertThat(statements).hasSizeBetween(4, 10).containsOnly("INSERT");
  }
}
