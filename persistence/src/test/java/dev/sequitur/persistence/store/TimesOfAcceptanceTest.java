package dev.sequitur.persistence.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.protocol.port.NodeStore.Intent;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A clock that is ahead or behind for a while. */
class TimesOfAcceptanceTest {
  private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");
  private static final Instant YEAR_AHEAD = NOW.plus(Duration.ofDays(365));

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
  private final TimesOfAcceptance times = new TimesOfAcceptance(nanos::get);
  private final Intent any = new Arbitrary(1).next(Intent.class);

  @Test
  void anHourAheadTheyStandStill() {
    var ahead = NOW.plus(TimesOfAcceptance.LONGEST_AHEAD);

    assertThat(accepted(NOW, ahead)).isEqualTo(ahead);
    pass(TimesOfAcceptance.LASTING);
    assertThat(accepted(NOW, ahead)).isEqualTo(ahead);
    assertThat(accepted(ahead.plusNanos(1), ahead)).isEqualTo(ahead.plusNanos(1));
  }

  @Test
  void whatIsFarAheadAndStaysSoIsFollowedNoMore() {
    assertThat(accepted(NOW, YEAR_AHEAD)).isEqualTo(YEAR_AHEAD);
    pass(TimesOfAcceptance.LASTING.minusNanos(1));
    assertThat(accepted(NOW, YEAR_AHEAD)).isEqualTo(YEAR_AHEAD);
    pass(Duration.ofNanos(1));
    assertThat(accepted(NOW, YEAR_AHEAD)).isEqualTo(NOW);
    assertThat(accepted(NOW.minusSeconds(1), NOW)).isEqualTo(NOW);
  }

  @Test
  void aClockThatIsBehindAtFirstDatesNothingFarBack() {
    assertThat(accepted(Instant.EPOCH, NOW)).isEqualTo(NOW);
    pass(Duration.ofMinutes(1));
    assertThat(accepted(NOW.plusSeconds(60), NOW)).isEqualTo(NOW.plusSeconds(60));
    pass(TimesOfAcceptance.LASTING);
    assertThat(accepted(Instant.EPOCH, NOW)).as("it begins anew").isEqualTo(NOW);
  }

  private Instant accepted(Instant clock, Instant newest) {
    var intent = new Intent(0, clock, any.idempotencyKey(), any.bodyHash(), any.transaction());
    var dating = times.dating();
    var dated = dating.dated(intent, newest);
    dating.keep();
    return dated.created();
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }
}
