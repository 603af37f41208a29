package dev.sequitur.schedule.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.queue.BlockClock.BlockPace;
import org.junit.jupiter.api.Test;

class BlockPaceTest {
  private static final int INTERVAL = 100;

  private BlockPace pace = new BlockPace(10_000, INTERVAL);

  @Test
  void aBlockThatBeginsLateDoesNotMoveThoseAfterIt() {
    for (int block = 1; block <= 50; block++) {
      assertThat(pace.next()).isEqualTo(10_000 + block * INTERVAL);
      pace = pace.cut(pace.next() + 7, true);
    }
  }

  @Test
  void intervalsInWhichNoBlockCouldBeCutAreMadeUpFor() {
    pace = pace.cut(10_550, true);
    int atOnce = 1;
    while (pace.next() <= 10_550) {
      pace = pace.cut(10_550, true);
      atOnce++;
    }
    assertThat(atOnce).isEqualTo(5);
    assertThat(pace.next()).isEqualTo(10_600);
  }

  @Test
  void tenOfThemAreMadeUpForAtMost() {
    long ten = 10_000 + 11 * INTERVAL;

    assertThat(pace.cut(ten, true).next()).isEqualTo(10_000 + 2 * INTERVAL);
    assertThat(pace.cut(ten + 1, true).next()).isEqualTo(ten + 1 + INTERVAL);
  }

  @Test
  void afterALongAbsenceOnlyOneBlockIsCutAtOnce() {
    pace = pace.cut(10_000 + 12 * INTERVAL, true);
    assertThat(pace.next()).isEqualTo(10_000 + 13 * INTERVAL);
  }

  @Test
  void whoHadNothingLeftHasMissedNothing() {
    pace = pace.cut(10_550, false);
    assertThat(pace.next()).isEqualTo(10_650);
  }

  @Test
  void aBlockBeforeItsTimeSinceSomethingBecameDueLeavesAWholeIntervalAfterIt() {
    pace = pace.cut(10_030, true);
    assertThat(pace.next()).isEqualTo(10_130);
  }
}
