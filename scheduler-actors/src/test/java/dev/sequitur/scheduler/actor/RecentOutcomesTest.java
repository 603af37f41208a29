package dev.sequitur.scheduler.actor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.Outcome;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RecentOutcomesTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  private final RecentOutcomes recent = new RecentOutcomes();

  @Test
  void whatEndedIsCountedForAnHourByHowItEnded() {
    recent.add(Outcome.EXPIRED, 3, NOON);
    recent.add(Outcome.EXPIRED, 4, NOON.plus(Duration.ofMinutes(30)));
    recent.add(Outcome.FAILED, 1, NOON.plus(Duration.ofMinutes(30)));

    assertThat(recent.count(Outcome.EXPIRED, NOON)).isEqualTo(3);
    assertThat(recent.count(Outcome.EXPIRED, NOON.plus(Duration.ofMinutes(59)))).isEqualTo(7);
    assertThat(recent.count(Outcome.EXPIRED, NOON.plus(Duration.ofMinutes(60)))).isEqualTo(4);
    assertThat(recent.count(Outcome.FAILED, NOON.plus(Duration.ofMinutes(89)))).isEqualTo(1);
    assertThat(recent.count(Outcome.EXPIRED, NOON.plus(Duration.ofMinutes(90)))).isZero();
    assertThat(recent.count(Outcome.MISSED, NOON)).isZero();
  }

  @Test
  void aMinuteOfAnHourAgoIsCountedAnew() {
    recent.add(Outcome.MISSED, 5, NOON);
    recent.add(Outcome.MISSED, 2, NOON.plus(Duration.ofHours(1)));

    assertThat(recent.count(Outcome.MISSED, NOON.plus(Duration.ofHours(1)))).isEqualTo(2);
  }
}
