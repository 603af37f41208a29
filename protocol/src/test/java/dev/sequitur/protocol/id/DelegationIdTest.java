package dev.sequitur.protocol.id;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ids are compared by all that they are made of. */
class DelegationIdTest {
  private static final NodeName NODE = new NodeName("a");

  @ParameterizedTest
  @CsvSource({
    "1, 1, 1, 1, false",
    "1, 2, 1, 1, true",
    "1, 1, 1, 2, false",
    "2, 1, 1, 9, true",
    "1, 9, 2, 1, false",
    "2, 1, 1, 1, true",
    "1, 1, 2, 1, false",
  })
  void theEpochCountsFirstThenTheCounter(
      long epoch, long counter, long otherEpoch, long otherCounter, boolean later) {
    var one = new DelegationId(NODE, epoch, counter);
    var other = new DelegationId(NODE, otherEpoch, otherCounter);

    assertThat(one.isLaterThan(other)).isEqualTo(later);
  }
}
