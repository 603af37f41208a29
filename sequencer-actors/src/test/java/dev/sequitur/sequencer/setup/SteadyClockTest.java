package dev.sequitur.sequencer.setup;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SteadyClockTest {
  private static final Instant BEGIN = Instant.parse("2026-11-27T12:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);

  private Instant wall = BEGIN;

  /** As that of a JVM, it may begin below zero. */
  private long nanos = -5_000_000_000L;

  private final SteadyClock clock = new SteadyClock(() -> wall, () -> nanos);

  private void pass(Duration time) {
    wall = wall.plus(time);
    nanos += time.toNanos();
  }

  @Test
  void itSaysWhatTheOtherSays() {
    assertThat(clock.instant()).isEqualTo(BEGIN);
    for (int i = 1; i <= 100; i++) {
      pass(Duration.ofMillis(37));
      assertThat(clock.instant()).isEqualTo(wall);
    }
  }

  @Test
  void itIsSetForwardWithTheOther() {
    clock.instant();
    wall = wall.plus(HOUR);

    assertThat(clock.instant()).isEqualTo(BEGIN.plus(HOUR));
  }

  @Test
  void whatWaitsWaitsHardlyLongerAfterTheOtherWasSetBack() {
    pass(Duration.ofSeconds(1));
    var until = clock.instant().plusSeconds(9);
    wall = wall.minus(HOUR);

    pass(Duration.ofSeconds(9));
    assertThat(clock.instant()).isBefore(until).isAfter(until.minusSeconds(1));
    pass(Duration.ofSeconds(1));
    assertThat(clock.instant()).isEqualTo(until);
  }

  @Test
  void itNeverGoesBackAndIsMetByTheOther() {
    pass(HOUR);
    var before = clock.instant();
    wall = wall.minus(HOUR);
    for (int minute = 0; minute < 600; minute++) {
      pass(Duration.ofMinutes(1));
      var now = clock.instant();
      assertThat(now).isAfter(before).isAfterOrEqualTo(wall);
      before = now;
    }

    assertThat(before).as("after ten hours").isEqualTo(wall);
    pass(HOUR);
    assertThat(clock.instant()).isEqualTo(wall);
  }

  @Test
  void itSaysHowFarItIsAheadUntilTheOtherHasComeToIt() {
    pass(HOUR);
    assertThat(clock.ahead()).isZero();
    wall = wall.minusSeconds(90);
    assertThat(clock.ahead()).isEqualTo(Duration.ofSeconds(90));
    for (int minute = 0; minute < 16; minute++) {
      pass(Duration.ofMinutes(1));
      clock.instant();
    }
    assertThat(clock.ahead()).isZero();
  }
}
