package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Refusal.Code;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An operator's new limit holds from the next start, for a queue that has used the old one too. */
class ChangedThrottleTest {
  private static final Operation.Fund FUND = new Operation.Fund(ALICE, new Amount(1));

  private static QueueSetup setup(long fundsPerSecond) {
    return QueueSetup.of(OPERATOR, new GasPriority(AlicesProposals.SETTINGS))
        .throttledBy(Map.of("Fund", fundsPerSecond));
  }

  @Test
  void aLowerLimitHoldsAndWhatWasTakenUnderTheHigherOneBlocksNobodyForLong() {
    var first = new QueueUnderTest(setup(1_000));
    for (int i = 0; i < 500; i++) {
      first.accepted(OPERATOR, FUND);
    }

    var queue = first.restartedWith(setup(2));

    assertThat(queue.refused(OPERATOR, FUND)).isEqualTo(Code.BUSY);
    queue.nowMs += 1_001;
    queue.accepted(OPERATOR, FUND);
    queue.accepted(OPERATOR, FUND);
    assertThat(queue.refused(OPERATOR, FUND)).isEqualTo(Code.BUSY);
  }

  @Test
  void aHigherLimitHolds() {
    var first = new QueueUnderTest(setup(1));
    first.accepted(OPERATOR, FUND);
    assertThat(first.refused(OPERATOR, FUND)).isEqualTo(Code.BUSY);

    var queue = first.restartedWith(setup(50));

    for (int i = 0; i < 49; i++) {
      queue.accepted(OPERATOR, FUND);
    }
    assertThat(queue.refused(OPERATOR, FUND)).isEqualTo(Code.BUSY);
  }
}
