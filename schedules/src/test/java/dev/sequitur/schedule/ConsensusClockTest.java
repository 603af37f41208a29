package dev.sequitur.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class ConsensusClockTest {
  private static final Duration MAX_AHEAD = Duration.ofSeconds(10);
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  @Property
  void itStrictlyIncreasesWhateverTheWallClockDoes(
      @ForAll List<@LongRange(min = -5, max = 5_000_000_000L) Long> walls) {
    var clock = ConsensusClock.INITIAL;
    for (long wall : walls) {
      var next = clock.next(WallTime.of(Instant.ofEpochSecond(0, wall)), MAX_AHEAD);

      assertThat(next).isGreaterThan(clock.last());
      assertThat(next.nanos()).isEqualTo(Math.max(Math.max(0, wall), clock.last().nanos() + 1));
      clock = clock.advance(next);
    }
  }

  @Test
  void aWallClockThatHasRunAwayFromTheOthersIsNotFollowed() {
    var runaway = WallTime.judgedBy(NOON.plus(Duration.ofDays(3)), NOON);

    var next = ConsensusClock.INITIAL.next(runaway, MAX_AHEAD);

    assertThat(next.toInstant()).isEqualTo(NOON.plus(MAX_AHEAD));
  }

  @Test
  void everyInstantHasANearestTime() {
    assertThat(ConsensusTime.nearest(NOON)).isEqualTo(ConsensusTime.of(NOON));
    assertThat(ConsensusTime.nearest(Instant.MIN)).isEqualTo(ConsensusTime.ZERO);
    assertThat(ConsensusTime.nearest(Instant.MAX)).isEqualTo(new ConsensusTime(Long.MAX_VALUE));
    var last = new ConsensusTime(Long.MAX_VALUE).toInstant();
    assertThat(ConsensusTime.nearest(last)).isEqualTo(new ConsensusTime(Long.MAX_VALUE));
  }

  @Test
  void anOutageOfDaysIsFollowedWhenTheOthersSawItToo() {
    var before = new ConsensusClock(ConsensusTime.of(NOON.minus(Duration.ofDays(3))));

    var next = before.next(WallTime.judgedBy(NOON, NOON), MAX_AHEAD);

    assertThat(next.toInstant()).isEqualTo(NOON);
  }

  @Test
  void itIsNeverMovedToATimeThatIsNotLater() {
    var clock = new ConsensusClock(ConsensusTime.of(NOON));

    for (var time : List.of(NOON, NOON.minusNanos(1))) {
      assertThatIllegalStateException().isThrownBy(() -> clock.advance(ConsensusTime.of(time)));
    }
  }
}
