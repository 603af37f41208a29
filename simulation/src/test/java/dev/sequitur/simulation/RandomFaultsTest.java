package dev.sequitur.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Many networks with all kinds of trouble at once. A failure prints its seed and a trace. */
final class RandomFaultsTest {
  /** More of them: {@code -Dsimulation.seeds=10000}. */
  private static final int SEEDS = Integer.getInteger("simulation.seeds", 100);

  private static final long FIRST = Long.getLong("simulation.first", 1);

  @Test
  void everyIntentIsSettledOnceAndNothingIsLeftWhateverGoesWrong() {
    var total = RunReport.none();
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      total = total.plus(new RandomRun(RunPlan.of(seed)).run());
    }

    assertThat(total.faults().keySet()).containsExactlyInAnyOrder(Fault.values());
    assertThat(total.scheduled()).isGreaterThan(5L * SEEDS);
    assertThat(total.forgotten()).isGreaterThan(SEEDS);
    assertThat(total.confirmed()).isGreaterThan(total.transactions() / 2);
  }

  /** The coordinator learns a moment after the ledger that a record was created by another. */
  @Test
  void whatBuildsUponARefusalThatItsNodeHasNotSeenYetLocksNothingOnceItHas() {
    assertThat(new RandomRun(RunPlan.of(2_962)).run().confirmed()).isPositive();
  }

  @Test
  void theSameSeedGivesTheSameRun() {
    var once = new RandomRun(RunPlan.of(7));
    var again = new RandomRun(RunPlan.of(7));

    assertThat(again.run()).isEqualTo(once.run());
    assertThat(again.trace()).isEqualTo(once.trace());
  }
}
