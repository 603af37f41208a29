package dev.sequitur.scheduler.actor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.WallTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a JVM knows of the others' clocks, and what it makes of it. */
class NodeClocksTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final SetClock clock = new SetClock(NOON);
  private final NodeClocks clocks = new NodeClocks(clock, clock::nanos);

  private void hear(String jvm, Instant time) {
    clocks.hear(new ClockReading(jvm, time));
  }

  @Test
  void aloneItFollowsItsOwnClock() {
    clock.set(NOON.plus(Duration.ofDays(3)));

    assertThat(clocks.wall()).isEqualTo(WallTime.of(NOON.plus(Duration.ofDays(3))));
    assertThat(clocks.trouble(LIMIT)).isEmpty();
  }

  @Test
  void aClockThatJumpsAheadIsFollowedNoFurtherThanTheLimitBeyondTheOthers() {
    hear("b", NOON.minusSeconds(1));
    clock.set(NOON.plus(Duration.ofDays(3)));

    assertThat(clocks.wall().followed(LIMIT).toInstant()).isEqualTo(NOON.plusSeconds(9));
    assertThat(clocks.trouble(LIMIT))
        .hasValueSatisfying(sentence -> assertThat(sentence).contains("259201 s", "NTP"));
  }

  @Test
  void theOthersTimeGoesOnBetweenTwoOfTheirReadings() {
    hear("b", NOON);
    clock.set(NOON.plus(Duration.ofDays(3)));
    clock.pass(Duration.ofSeconds(40));

    assertThat(clocks.wall().others()).contains(NOON.plusSeconds(40));
  }

  @Test
  void theFurthestOfTheOthersCountsSoThatASlowOneHoldsNobodyBack() {
    hear("slow", NOON.minus(Duration.ofDays(3)));
    hear("right", NOON);
    hear("slower", NOON.minus(Duration.ofDays(4)));

    assertThat(clocks.wall().followed(LIMIT).toInstant()).isEqualTo(NOON);
    assertThat(clocks.trouble(LIMIT)).isEmpty();
  }

  @Test
  void anothersClockThatHasRunAwayMovesNobody() {
    hear("b", NOON.plus(Duration.ofDays(3)));

    assertThat(clocks.wall().followed(LIMIT).toInstant()).isEqualTo(NOON);
    assertThat(clocks.trouble(LIMIT)).isEmpty();
  }

  @Test
  void theNewestReadingOfAJvmCountsAlsoIfItsClockWasSetBack() {
    hear("b", NOON.plus(Duration.ofDays(3)));
    hear("b", NOON);

    assertThat(clocks.wall().others()).contains(NOON);
  }

  @Test
  void whoIsSilentForAMinuteIsForgotten() {
    hear("b", NOON);
    clock.pass(NodeClocks.SILENCE.minusNanos(1));
    assertThat(clocks.wall().others()).isPresent();

    clock.pass(Duration.ofNanos(1));

    assertThat(clocks.wall().others()).isEmpty();
  }

  @Test
  void itTellsWhomItHasNotHeardOfBefore() {
    assertThat(clocks.hear(new ClockReading("b", NOON))).isTrue();
    assertThat(clocks.hear(new ClockReading("c", NOON))).isTrue();
    assertThat(clocks.hear(new ClockReading("b", NOON))).isFalse();
    clock.pass(NodeClocks.SILENCE);
    assertThat(clocks.hear(new ClockReading("b", NOON))).isTrue();
  }

  @Test
  void aClockThatIsAheadByJustTheLimitIsFollowedAndNoTrouble() {
    hear("b", NOON.minus(LIMIT));
    assertThat(clocks.trouble(LIMIT)).isEmpty();

    clock.set(NOON.plusNanos(1));

    assertThat(clocks.trouble(LIMIT)).isPresent();
  }

  @Test
  void theQueuesThatOthersHaveAreKnownForAsLongAsTheirClocks() {
    clocks.hear(new ClockReading("b", NOON, List.of("payroll", "rent")));
    clock.pass(Duration.ofNanos(1));
    clocks.hear(new ClockReading("c", NOON, List.of("gas")));
    assertThat(clocks.queuesOfOthers()).containsExactlyInAnyOrder("payroll", "rent", "gas");

    clock.pass(NodeClocks.SILENCE.minusNanos(1));

    assertThat(clocks.queuesOfOthers()).containsExactly("gas");
  }

  @Test
  void whatIsSteadyGoesOnAsTimeDoesWhateverTheClockIsSetTo() {
    var begun = clocks.steady();
    clock.set(NOON.minus(Duration.ofDays(3)));
    clock.pass(Duration.ofSeconds(40));

    assertThat(Duration.between(begun, clocks.steady())).isEqualTo(Duration.ofSeconds(40));
    assertThat(clocks.own()).isSameAs(clock);
  }
}
