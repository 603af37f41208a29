package dev.sequitur.protocol.schedule;

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

  /** B9: pending is never above capacity times expiry, and one capacity for the first second. */
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
