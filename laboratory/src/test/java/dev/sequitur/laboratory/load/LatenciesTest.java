package dev.sequitur.laboratory.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class LatenciesTest {
  private final Latencies latencies = new Latencies();

  @Test
  void nothingRecordedHasNoPercentile() {
    assertThat(latencies.percentile(50)).isEmpty();
  }

  @Test
  void thePercentileIsTheNearestRank() {
    for (long value = 5_000; value > 0; value--) {
      latencies.record(value);
    }

    assertThat(latencies.percentile(50)).isEqualTo(OptionalLong.of(2_500));
    assertThat(latencies.percentile(95)).isEqualTo(OptionalLong.of(4_750));
    assertThat(latencies.percentile(99)).isEqualTo(OptionalLong.of(4_950));
    assertThat(latencies.percentile(100)).isEqualTo(OptionalLong.of(5_000));
  }

  @Test
  void oneValueIsEveryPercentile() {
    latencies.record(7);

    assertThat(latencies.percentile(0.1)).isEqualTo(OptionalLong.of(7));
    assertThat(latencies.percentile(99)).isEqualTo(OptionalLong.of(7));
  }
}
