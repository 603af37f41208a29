package dev.sequitur.node.rpc.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.node.rpc.HealthSettings;
import dev.sequitur.protocol.id.BlockHeight;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A ledger that is there and makes no block. */
class StandingLedgerTest {
  @Test
  void aLedgerThatMakesNoBlockForTooLongMakesTheNodeUnready() {
    assertThat(after(Duration.ofSeconds(119), HealthSettings.DEFAULT).isReady()).isTrue();
    var health = after(Duration.ofSeconds(120), HealthSettings.DEFAULT);
    assertThat(health.isReady()).isFalse();
    assertThat(health.isLive()).isTrue();
    assertThat(health.unready().get(0)).contains("no block for 120 s", "health.no-block-for");
  }

  @Test
  void aLedgerThatNeedNotMakeBlocksMayStandStill() {
    var settings = new HealthSettings(Optional.empty(), 0, 100, Optional.empty(), "ledger.remote");
    assertThat(after(Duration.ofDays(1), settings).isReady()).isTrue();
  }

  @Test
  void aClockThatWasSetBackIsToldThoughNoScheduleWaits() {
    assertThat(Health.setBack(Duration.ofSeconds(4))).isEmpty();
    assertThat(Health.setBack(Duration.ofSeconds(90)).orElseThrow())
        .contains("set back", "90 s ahead", "NTP");
  }

  private static Health after(Duration sinceNewBlock, HealthSettings settings) {
    return Health.of(
        new Health.Seen(
            Optional.empty(),
            true,
            Optional.empty(),
            Optional.of(new BlockHeight(7)),
            sinceNewBlock,
            new BlockHeight(7),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            List.of(),
            Map.of()),
        settings);
  }
}
