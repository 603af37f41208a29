package dev.sequitur.persistence.leveldb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

final class LevelDbSettingsTest {
  private static final int LEAST = 64 * 1024;

  @Test
  void eachSizeHasALeastValueAndOneBelowItIsRefusedByName() {
    assertThat(new LevelDbSettings(true, 1, LEAST, LEAST, 0).minFreeDiskKey()).isEmpty();
    refused("queue-capacity", 0, LEAST, LEAST, 0);
    refused("write-buffer", 1, LEAST - 1, LEAST, 0);
    refused("cache", 1, LEAST, LEAST - 1, 0);
    refused("min-free-disk", 1, LEAST, LEAST, -1);
  }

  private static void refused(String name, int queue, int buffer, long cache, long free) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LevelDbSettings(true, queue, buffer, cache, free))
        .withMessageContaining(name);
  }
}
