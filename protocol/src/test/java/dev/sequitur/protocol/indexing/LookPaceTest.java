package dev.sequitur.protocol.indexing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** CNF-8. */
class LookPaceTest {
  private static final Duration POLL = Duration.ofMillis(50);
  private static final Duration PAUSE = Duration.ofSeconds(2);

  /** In a minute, with nothing that waits until so much of it is over. */
  private static int looks(Duration idle, Duration pause) {
    var begin = Instant.EPOCH;
    var pace = LookPace.NEW;
    int looks = 0;
    for (var now = begin; now.isBefore(begin.plusSeconds(60)); now = now.plus(POLL)) {
      if (pace.isDue(now, !now.isBefore(begin.plus(idle)), pause)) {
        pace = pace.at(now);
        looks++;
      }
    }
    return looks;
  }

  /** 6.7 a second were measured, where each answer took 100 ms. */
  @Test
  void anIdleNodeLooksLessThanATenthAsOften() {
    assertThat(looks(Duration.ofMinutes(1), PAUSE)).isEqualTo(30).isLessThan((int) (6.7 * 60 / 10));
    assertThat(looks(Duration.ofMinutes(1), Duration.ZERO)).isEqualTo(1_200);
  }

  @Test
  void whileSomebodyWaitsForABlockItIsLookedForAtEachPoll() {
    assertThat(looks(Duration.ZERO, PAUSE)).isEqualTo(1_200);
    assertThat(looks(Duration.ofSeconds(59), PAUSE)).isEqualTo(30 + 20);
  }
}
