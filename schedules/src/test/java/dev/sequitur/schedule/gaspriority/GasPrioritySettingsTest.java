package dev.sequitur.schedule.gaspriority;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What the specification has as constants, and an operator may set. */
class GasPrioritySettingsTest {
  @Test
  void aTickHas100MillisecondsAndABlockRuns100UnlessTheOperatorSaysOtherwise() {
    assertThat(GasPrioritySettings.DEFAULT.tickMillis()).as("GAS-1").isEqualTo(100);
    assertThat(GasPrioritySettings.DEFAULT.getReadyTransactionsLimit()).as("GAS-1").isEqualTo(100);
  }
}
