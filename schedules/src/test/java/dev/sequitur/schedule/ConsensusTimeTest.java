package dev.sequitur.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.Hash;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConsensusTimeTest {
  @Test
  void itHasTheMomentOfItsInstantToTheNanosecond() {
    var time = ConsensusTime.of(Instant.ofEpochSecond(12, 345_678_901));

    assertThat(time.nanos()).isEqualTo(12_345_678_901L);
    assertThat(time.millis()).isEqualTo(12_345);
    assertThat(time.seconds()).isEqualTo(12);
    assertThat(time.toInstant()).isEqualTo(Instant.ofEpochSecond(12, 345_678_901));
    assertThat(time.nextNano().nanos()).isEqualTo(12_345_678_902L);
    assertThat(ConsensusTime.ofSeconds(12).nanos()).isEqualTo(12_000_000_000L);
    assertThat(ConsensusTime.ofMillis(12).nanos()).isEqualTo(12_000_000L);
    assertThat(ConsensusTime.nearest(Instant.EPOCH)).isEqualTo(ConsensusTime.ZERO);
    assertThat(ConsensusTime.nearest(Instant.ofEpochSecond(0, 1)).nanos()).isEqualTo(1);
  }

  @Test
  void oneIsBeforeAnotherOnlyIfItIsEarlier() {
    var one = new ConsensusTime(1);
    var two = new ConsensusTime(2);

    assertThat(one.isBefore(two)).isTrue();
    assertThat(one.isBefore(one)).isFalse();
    assertThat(two.isBefore(one)).isFalse();
    assertThat(List.of(one, two)).isSorted();
  }

  /** Beyond what a long holds it is the end of all time. */
  @ParameterizedTest
  @CsvSource({
    "0, 100, 0",
    "3, 100, 300000000",
    "9223372036854, 1, 9223372036854000000",
    "9223372036855, 1, 9223372036854775807",
    "2562047, 3600000, 9223369200000000000",
    "2562048, 3600000, 9223372036854775807",
    "9223372036854775807, 1000, 9223372036854775807",
  })
  void unitsAreCountedInNanoseconds(long units, long unitMillis, long nanos) {
    assertThat(ConsensusTime.nanosOf(units, unitMillis)).isEqualTo(nanos);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1000000000, 0", "1000000001, 1000000001", "5000000000, 5000000000"})
  void aSecondThatAClockWasCorrectedByCountsAsNothing(long setBack, long standsStill) {
    var last = ConsensusTime.ofSeconds(1_000);
    var wall = WallTime.of(last.toInstant().minusNanos(setBack));

    assertThat(new ConsensusClock(last).standsStill(wall, Duration.ofSeconds(10)))
        .isEqualTo(Duration.ofNanos(standsStill));
  }

  @Test
  void howFarTheJvmsClockIsBeforeTheOthersIsKnownIfTheyAre() {
    var now = Instant.ofEpochSecond(1_000);

    assertThat(WallTime.of(now).ahead()).isZero();
    assertThat(WallTime.judgedBy(now, now.minusSeconds(3)).ahead()).hasSeconds(3);
    assertThat(WallTime.judgedBy(now, now.plusSeconds(3)).ahead()).hasSeconds(-3);
  }

  @Test
  void aClockFollowsTheOthersToTheBoundAndNeverBefore1970() {
    var others = Instant.ofEpochSecond(1_000);
    var bound = Duration.ofSeconds(10);

    assertThat(WallTime.judgedBy(others.plusSeconds(10), others).followed(bound))
        .isEqualTo(ConsensusTime.ofSeconds(1_010));
    assertThat(WallTime.judgedBy(others.plusSeconds(11), others).followed(bound))
        .isEqualTo(ConsensusTime.ofSeconds(1_010));
    assertThat(WallTime.judgedBy(others.minusSeconds(60), others).followed(bound))
        .isEqualTo(ConsensusTime.ofSeconds(940));
    assertThat(WallTime.of(Instant.EPOCH).followed(bound)).isEqualTo(ConsensusTime.ZERO);
    assertThat(WallTime.of(Instant.EPOCH.minusNanos(1)).followed(bound))
        .isEqualTo(ConsensusTime.ZERO);
  }

  @Test
  void anAttemptIsRepeatedAfterItsPauseUnderTheNextKey() {
    var policy = new RetryPolicy(3, new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1)));
    var id = new ScheduleId(FamilyKind.GAS_PRIORITY, new Hash(0, 0, 0, 1));
    var first = new OccurrenceKey(id, 4, 2, 1);
    var now = ConsensusTime.ofSeconds(50);

    assertThat(policy.retryAt(first, now)).isGreaterThan(now);
    assertThat(policy.retryAt(first, now)).isLessThanOrEqualTo(ConsensusTime.ofSeconds(52));
    assertThat(first.nextAttempt()).isEqualTo(new OccurrenceKey(id, 4, 2, 2));
    var failed = new Conclusion.Failed(1, "no", true);
    assertThat(policy.allowsAfter(2, failed)).isTrue();
    assertThat(policy.allowsAfter(3, failed)).isFalse();
    assertThat(policy.allowsAfter(1, new Conclusion.Failed(1, "no", false))).isFalse();
    assertThat(first.idempotencyKey("q"))
        .isEqualTo("sequitur-schedule/q/gas-priority:" + id.value() + "/4/2/1");
  }
}
