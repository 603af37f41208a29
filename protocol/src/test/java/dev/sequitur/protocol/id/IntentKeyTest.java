package dev.sequitur.protocol.id;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import org.junit.jupiter.api.Test;

class IntentKeyTest {
  private static final IntentKey KEY = Contract.transaction(Contract.A, 7).key();

  @Test
  void allOfASeriesHaveOneSlot() {
    var series = KEY.series();
    var neighbour = new IntentKey(KEY.transaction().at(9), KEY.commitment());

    assertThat(series.transaction().place()).isZero();
    assertThat(neighbour).isNotEqualTo(KEY);
    assertThat(neighbour.series()).isEqualTo(series).hasSameHashCodeAs(series);
  }

  @Test
  void anotherSendersIntentHasAnotherSlot() {
    var others = Contract.transaction(Contract.B, 7).key();

    assertThat(others.transaction()).isEqualTo(KEY.transaction());
    assertThat(others.series()).isNotEqualTo(KEY.series());
  }
}
