package dev.sequitur.protocol.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.settings.SequencerSettings.HeartbeatSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Settings that would turn the rules against themselves are refused. */
class SettingsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** One lost heartbeat changes nothing. */
  @Test
  void aFailureThresholdIsAtLeastTwoIntervals() {
    var least = SECOND.multipliedBy(2);
    assertThat(heartbeats(least, least)).isNotNull();

    assertThatThrownBy(() -> heartbeats(least.minusMillis(1), least))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> heartbeats(least, least.minusMillis(1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static HeartbeatSettings heartbeats(Duration coordinator, Duration submitter) {
    return new HeartbeatSettings(SECOND, coordinator, SECOND, submitter, SECOND, SECOND, SECOND);
  }

  @Test
  void aBackOffStartsAboveZeroAndDoesNotEndBelowItsStart() {
    assertThat(new Backoff(SECOND, SECOND).cap()).isEqualTo(SECOND);

    assertThatThrownBy(() -> new Backoff(Duration.ZERO, SECOND))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Backoff(Duration.ofMillis(-1), SECOND))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Backoff(SECOND, SECOND.minusMillis(1)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
