package dev.sequitur.schedule.gaspriority;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.DueKey;
import org.junit.jupiter.api.Test;

/** Lateness is counted in ticks that had a block (GAS-2). */
class GasPriorityStateTest {
  private static final int LIMIT = 4;
  private static final GasPriorityState CUT =
      GasPriorityState.INITIAL.plus(3, LIMIT).plus(5, LIMIT).plus(8, LIMIT);

  @Test
  void ticksAreCountedBackFromThePresentOneWhetherItWasCutOrNot() {
    assertThat(CUT.back(1, 8)).hasValue(5);
    assertThat(CUT.back(2, 8)).hasValue(3);
    assertThat(CUT.back(3, 8)).isEmpty();
    assertThat(CUT.back(1, 9)).hasValue(8);
    assertThat(CUT.back(3, 9)).hasValue(3);
    assertThat(CUT.back(4, 9)).isEmpty();
    assertThat(GasPriorityState.INITIAL.back(1, 8)).isEmpty();
  }

  @Test
  void ofMoreThanTheLimitTheNewestAreRemembered() {
    var more = CUT.plus(9, LIMIT).plus(10, LIMIT);

    assertThat(more.cut()).containsExactly(5L, 8L, 9L, 10L);
    assertThat(more.hasNewest(10)).isTrue();
    assertThat(more.hasNewest(9)).isFalse();
  }

  @Test
  void whatWasCountedInShorterTicksIsForgotten() {
    assertThat(CUT.back(1, 7)).isEmpty();
    assertThat(CUT.plus(7, LIMIT).cut()).containsExactly(7L);
  }

  @Test
  void aTickBeginsAtItsNumberOfTicks() {
    var family = new GasPriority(new GasPrioritySettings(100, 2, 3, 2, 1, 64));

    assertThat(family.dueNanos(DueKey.from(7))).isEqualTo(700_000_000);
  }
}
