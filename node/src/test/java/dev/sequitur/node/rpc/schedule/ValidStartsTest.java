package dev.sequitur.node.rpc.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.ConsensusTime;
import java.time.Instant;
import java.util.HashSet;
import org.junit.jupiter.api.Test;

class ValidStartsTest {
  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00.123456Z");
  private static final ConsensusTime MILLISECOND =
      ConsensusTime.of(Instant.parse("2026-11-21T10:00:00.123Z"));

  private final ValidStarts starts = new ValidStarts();

  @Test
  void noTwoAreTheSameAlthoughTheClockStandsStillAndNoneIsInTheFuture() {
    var made = new HashSet<ConsensusTime>();
    for (int i = 0; i < 1_000; i++) {
      made.add(starts.next(NOW));
    }

    assertThat(made).hasSize(1_000).allMatch(start -> start.compareTo(MILLISECOND) <= 0);
  }

  @Test
  void theFirstOfAMillisecondIsItsBeginning() {
    starts.next(NOW);

    assertThat(starts.next(NOW.plusMillis(5)))
        .isEqualTo(new ConsensusTime(MILLISECOND.nanos() + 5_000_000));
  }

  @Test
  void noneIsMadeAgainAfterTheClockWasSetBack() {
    var made = new HashSet<ConsensusTime>();
    for (int millis : new int[] {0, 1, 2, 0, 1, 2, 3}) {
      made.add(starts.next(NOW.plusMillis(millis)));
    }

    assertThat(made).hasSize(7);
  }
}
