package dev.sequitur.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LatePolicyTest {
  private static final Duration LATE = Duration.ofMinutes(10);

  @Test
  void whatIsSkippedIsMissed() {
    assertThat(new LatePolicy.Skip().judge(LATE, true)).isEqualTo(Verdict.MISS);
  }

  @Test
  void runOnceRunsOnlyTheNewest() {
    assertThat(new LatePolicy.RunOnce().judge(LATE, true)).isEqualTo(Verdict.FIRE);
    assertThat(new LatePolicy.RunOnce().judge(LATE, false)).isEqualTo(Verdict.MISS);
  }

  @Test
  void runAllRunsEach() {
    assertThat(new LatePolicy.RunAll().judge(LATE, false)).isEqualTo(Verdict.FIRE);
  }

  @Test
  void aWindowIncludesItsEnd() {
    assertThat(new LatePolicy.RunWithin(LATE).judge(LATE, true)).isEqualTo(Verdict.FIRE);
    assertThat(new LatePolicy.RunWithin(LATE).judge(LATE.plusNanos(1), true))
        .isEqualTo(Verdict.MISS);
  }

  @Test
  void onlyTheNewestMayRunWithinAWindowToo() {
    var once = new LatePolicy.RunOnceWithin(LATE);
    assertThat(once.judge(LATE, true)).isEqualTo(Verdict.FIRE);
    assertThat(once.judge(LATE, false)).isEqualTo(Verdict.MISS);
    assertThat(once.judge(LATE.plusNanos(1), true)).isEqualTo(Verdict.MISS);
    assertThat(once.hasWindow()).isTrue();
    assertThat(new LatePolicy.RunOnce().hasWindow()).isFalse();
  }

  @Test
  void withoutAChoiceTheTextOfTheFamilyHolds() {
    assertThat(LatePolicy.AS_SPECIFIED.or(new LatePolicy.ExpireAndRefund()).judge(LATE, true))
        .isEqualTo(Verdict.EXPIRE);
  }
}
