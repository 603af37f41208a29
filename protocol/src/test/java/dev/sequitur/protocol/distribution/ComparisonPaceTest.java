package dev.sequitur.protocol.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How fast the background compares what is old (DST-9). */
class ComparisonPaceTest {
  private static final int BLOCKS_IN_A_PAGE = 32;
  private static final Duration HALF_A_MINUTE = Duration.ofSeconds(30);

  private final ComparisonPace pace = new ComparisonPace(HALF_A_MINUTE);

  @Test
  void aSmallStoreIsComparedWithinTwoMinutes() {
    int blocks = 4_000;
    var took = Duration.ofMillis(5);

    var all = took.plus(pace.restAfter(took)).multipliedBy(blocks / BLOCKS_IN_A_PAGE);

    assertThat(all).isLessThan(Duration.ofMinutes(2));
  }

  @Test
  void whatTakesTimeTakesAHundredthOfIt() {
    var took = Duration.ofMillis(40);

    var all = took.plus(pace.restAfter(took));

    assertThat(all).isEqualTo(took.multipliedBy(100));
  }

  @Test
  void itRestsForHalfAMinuteAtMostAndNeverNotAtAll() {
    assertThat(pace.restAfter(Duration.ofMinutes(5))).isEqualTo(HALF_A_MINUTE);
    assertThat(pace.restAfter(Duration.ZERO)).isPositive();
  }
}
