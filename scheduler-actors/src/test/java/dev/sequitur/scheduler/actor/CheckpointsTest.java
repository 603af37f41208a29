package dev.sequitur.scheduler.actor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.scheduler.SchedulerSettings;
import dev.sequitur.scheduler.storage.QueueMemory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckpointsTest {
  private static final int USUAL = SchedulerSettings.DEFAULT.checkpointEvents();

  private final List<Runnable> computing = new ArrayList<>();
  private final Checkpoints checkpoints =
      new Checkpoints(
          new QueueServices(
              null,
              SchedulerSettings.DEFAULT,
              null,
              null,
              null,
              null,
              null,
              null,
              null,
              null,
              computing::add,
              null,
              null,
              null),
          "queue");

  @Test
  void oneIsDueAfterSoManyEvents() {
    assertThat(checkpoints.isDue(USUAL - 1, false)).isFalse();
    assertThat(checkpoints.isDue(1, false)).isTrue();
  }

  @Test
  void aQueueThatGoesOnAtOnceWritesItWhenThatIsDone() {
    assertThat(checkpoints.isDue(2 * USUAL, true)).isFalse();
    assertThat(checkpoints.isDue(0, false)).isTrue();
  }

  @Test
  void aQueueThatAlwaysGoesOnAtOnceWritesItAllTheSame() {
    assertThat(checkpoints.isDue(4 * USUAL - 1, true)).isFalse();
    assertThat(checkpoints.isDue(1, true)).isTrue();
  }

  /** Two at a time would look like two incarnations of the queue. */
  @Test
  void oneThatIsUnderWayIsNotBegunAgainBecauseSomethingElseHadFailed() {
    assertThat(checkpoints.isDue(USUAL, false)).isTrue();
    checkpoints.write(QueueMemory.EMPTY);

    checkpoints.tryAgain();

    assertThat(checkpoints.isDue(USUAL, false)).isFalse();
    checkpoints.failed();
    assertThat(checkpoints.isDue(0, false)).isFalse();
    checkpoints.tryAgain();
    assertThat(checkpoints.isDue(0, false)).isTrue();
  }
}
