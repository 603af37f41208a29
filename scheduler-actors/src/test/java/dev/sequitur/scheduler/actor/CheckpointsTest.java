package dev.sequitur.scheduler.actor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.scheduler.SchedulerSettings;
import org.junit.jupiter.api.Test;

class CheckpointsTest {
  private static final int USUAL = SchedulerSettings.DEFAULT.checkpointEvents();

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
}
