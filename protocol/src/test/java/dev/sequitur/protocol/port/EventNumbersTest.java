package dev.sequitur.protocol.port;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventNumbersTest {
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 1_000_000, 1L << 40})
  void theNextOneIsInTheBlockAfter(long block) {
    assertThat(EventNumbers.blockAfter(EventNumbers.lastOf(block))).isEqualTo(block + 1);
  }

  /** A listener for blocks that no chain has yet is not told of the first ones. */
  @ParameterizedTest
  @ValueSource(longs = {1L << 42, 1L << 43, 1L << 44, Long.MAX_VALUE - 1})
  void aBlockBeyondAllNumbersIsStillFarAway(long block) {
    assertThat(EventNumbers.blockAfter(EventNumbers.lastOf(block))).isGreaterThan(1L << 41);
  }
}
