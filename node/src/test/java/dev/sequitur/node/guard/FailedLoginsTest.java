package dev.sequitur.node.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.links.admission.Network;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FailedLoginsTest {
  private static final Network ONE = new Network("192.0.2.1");
  private static final Network OTHER = new Network("192.0.2.2");

  private final AtomicLong now = new AtomicLong(7);
  private final FailedLogins logins = new FailedLogins(now::get);

  @Test
  void theFirstFewAreAnsweredAtOnceAndTheNextLaterAndLater() {
    var waits = new ArrayList<Duration>();
    for (int i = 0; i < 1_000; i++) {
      waits.add(logins.failed(ONE));
      logins.answered(ONE);
    }

    assertThat(waits.subList(0, FailedLogins.AT_ONCE)).containsOnly(Duration.ZERO);
    assertThat(waits.subList(FailedLogins.AT_ONCE, FailedLogins.AT_ONCE + 3))
        .containsExactly(Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofSeconds(2));
    assertThat(waits.subList(10, 1_000)).containsOnly(FailedLogins.LONGEST);
  }

  @Test
  void whoComesFromElsewhereWaitsForNothing() {
    for (int i = 0; i < 100; i++) {
      logins.failed(ONE);
    }

    assertThat(logins.failed(OTHER)).isZero();
  }

  /** Else one behind a proxy would take the connections of all others there. */
  @Test
  void ofOneNetworkOnlySomeWaitAtATime() {
    for (int i = 0; i < FailedLogins.AT_ONCE; i++) {
      assertThat(logins.failed(ONE)).isZero();
    }
    for (int i = 0; i < FailedLogins.MOST_WAITING; i++) {
      assertThat(logins.failed(ONE)).isPositive();
    }
    assertThat(logins.failed(ONE)).isZero();

    logins.answered(ONE);

    assertThat(logins.failed(ONE)).isPositive();
    assertThat(logins.failed(ONE)).isZero();
  }

  @Test
  void afterAWhileWithoutOneItBeginsAnew() {
    for (int i = 0; i < 100; i++) {
      logins.failed(ONE);
    }
    now.addAndGet(FailedLogins.FORGIVEN.toNanos());

    assertThat(logins.failed(ONE)).isZero();
  }
}
