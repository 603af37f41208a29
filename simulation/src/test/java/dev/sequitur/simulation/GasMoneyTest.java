package dev.sequitur.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Money for gas in whole networks: who has none waits, and gets it once there is some. */
class GasMoneyTest {
  private static final int SEEDS = 20;

  @Test
  void keysAreToppedUpWhateverGoesWrongAndNobodyWaitsInTheEnd() {
    var total = RunReport.none();
    long transfers = 0;
    for (long seed : LongStream.rangeClosed(1, SEEDS).filter(GasMoneyTest::isFunded).toArray()) {
      var run = new RandomRun(RunPlan.of(seed));
      total = total.plus(run.run());
      transfers += run.simulation().counted(Fundings.TOPPED_UP);
    }

    assertThat(total.faults())
        .containsKeys(Fault.CRASH_PAYING, Fault.KEEPER_MOVED, Fault.ACCOUNT_EMPTY);
    assertThat(transfers).isGreaterThan(SEEDS);
  }

  private static boolean isFunded(long seed) {
    return RunPlan.of(seed).hasFunding();
  }
}
