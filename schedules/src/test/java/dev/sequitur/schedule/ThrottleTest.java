package dev.sequitur.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ThrottleTest {
  @Test
  void itTakesItsCapacityAtOnceAndThenOneForEachThatHasRunOut() {
    var throttle = Throttle.empty(100);
    var now = ConsensusTime.ofMillis(1_000);
    for (int i = 0; i < 100; i++) {
      assertThat(throttle.allows(now)).isTrue();
      throttle = throttle.use(now);
    }

    assertThat(throttle.allows(now)).isFalse();
    assertThat(throttle.allows(new ConsensusTime(now.nanos() + 9_999_999))).isFalse();
    assertThat(throttle.allows(new ConsensusTime(now.nanos() + 10_000_000))).isTrue();
  }

  @Test
  void underAnotherLimitNoMoreIsLeftInItThanItTakes() {
    var now = ConsensusTime.ofMillis(1_000);
    var full = Throttle.empty(3).use(now).use(now).use(now);

    assertThat(full.limitedTo(3)).isSameAs(full);
    assertThat(full.limitedTo(2).allows(now)).isFalse();
    assertThat(full.limitedTo(2).usedUnits()).isEqualTo(2_000_000_000L);
    assertThat(full.limitedTo(4).usedUnits()).isEqualTo(3_000_000_000L);
    assertThat(full.limitedTo(4).allows(now)).isTrue();
    assertThat(full.limitedTo(4).use(now).allows(now)).isFalse();
    assertThat(full.limitedTo(4).at()).isEqualTo(now);
  }

  @Test
  void whatRemainsOfAnOperationIsKept() {
    var now = new ConsensusTime(1_000);

    var used = Throttle.empty(3).use(now).use(new ConsensusTime(now.nanos() + 333_333_333));

    assertThat(used.usedUnits()).isEqualTo(1_000_000_001L);
  }

  @Test
  void beforeItWasUsedLastNothingHasRunOut() {
    var now = ConsensusTime.ofMillis(1_000);
    var full = Throttle.empty(1).use(now);

    assertThat(full.allows(ConsensusTime.ZERO)).isFalse();
    assertThat(full.use(ConsensusTime.ofMillis(1_250)).usedUnits()).isEqualTo(1_750_000_000L);
    assertThat(full.use(ConsensusTime.ofMillis(9_000)).usedUnits()).isEqualTo(1_000_000_000L);
  }

  /** SCH-7: pending is never above capacity times expiry, and one capacity for the first second. */
  @Property(tries = 200)
  void inAnyTimeItPassesNoMoreThanWhatRunsOutAndOneCapacity(
      @ForAll @LongRange(min = 1, max = 50) long opsPerSecond,
      @ForAll @Size(max = 300) List<@LongRange(min = 1, max = 200_000_000) Long> pauses) {
    var throttle = Throttle.empty(opsPerSecond);
    long now = 0;
    long passed = 0;
    for (long pause : pauses) {
      now += pause;
      var time = new ConsensusTime(now);
      if (throttle.allows(time)) {
        throttle = throttle.use(time);
        passed++;
      }
      assertThat(passed * 1_000_000_000)
          .isLessThanOrEqualTo(opsPerSecond * now + opsPerSecond * 1_000_000_000);
    }
  }
}
