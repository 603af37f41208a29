package dev.sequitur.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many networks with all kinds of trouble at once. A failure prints its seed and a trace. */
final class RandomFaultsTest {
  /** More of them: {@code -Dsimulation.seeds=10000}. */
  private static final int SEEDS = Integer.getInteger("simulation.seeds", 300);

  private static final long FIRST = Long.getLong("simulation.first", 1);

  @Test
  void everyIntentIsSettledOnceAndNothingIsLeftWhateverGoesWrong() {
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      var simulation = new RandomRun(seed, 30, true).run().simulation();
      int intents = simulation.invariants().accepted().size();
      // A failed attempt costs as much as one that succeeds; there are at most twenty.
      assertThat(simulation.wire().sentWithoutHeartbeats())
          .as("messages for %d intents of seed %d", intents, seed)
          .isLessThan(220L * intents + 500);
    }
  }

  /** Locks that leaked, a chain that stood still, contents that went to nobody, a lost request. */
  @ParameterizedTest
  @ValueSource(longs = {51, 163, 201, 259, 292, 355, 404, 408, 414, 465})
  void seedsThatOnceFoundADefectStayGreen(long seed) {
    var once = new RandomRun(seed, 40, true).run();
    var longer = new RandomRun(seed, 50, true).run();

    assertThat(once.simulation().isSettled() && longer.simulation().isSettled()).isTrue();
  }

  @Test
  void theSameSeedGivesTheSameRun() {
    var once = new RandomRun(7, 30, true).run().simulation();
    var again = new RandomRun(7, 30, true).run().simulation();

    assertThat(again.wire().sent()).isEqualTo(once.wire().sent());
    assertThat(again.elapsed()).isEqualTo(once.elapsed());
    assertThat(again.trace().newest(20_000, line -> true))
        .isEqualTo(once.trace().newest(20_000, line -> true));
  }
}
