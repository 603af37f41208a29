package dev.sequitur.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The simulation can find bugs: with any one of the rules broken it fails. What it took is in
 * docs/simulation.md; {@code -Dsimulation.mutants=true} prints the table anew.
 */
final class MutationTest {
  private static final long MOST_SEEDS = 100;

  /** In the build begin where these few are noticed; the table begins with 1. */
  private static final Map<Mutant, Long> LATE =
      Map.of(
          Mutant.IGNORE_HOLD_OFF,
          130L,
          Mutant.NO_SUBMITTER_HEARTBEAT,
          10L,
          Mutant.NO_COORDINATOR_HEARTBEAT,
          10L);

  private static final boolean WHOLE = Boolean.getBoolean("simulation.mutants");

  private static final StringBuilder TABLE = new StringBuilder();

  @BeforeAll
  static void begin() {
    TABLE.setLength(0);
  }

  @AfterAll
  static void printTable() {
    if (WHOLE) {
      System.out.println(TABLE);
    }
  }

  @ParameterizedTest
  @EnumSource(Mutant.class)
  void aBrokenRuleIsNoticed(Mutant mutant) {
    long first = WHOLE ? 1 : LATE.getOrDefault(mutant, 1L);
    for (long seed = first; seed < first + MOST_SEEDS; seed++) {
      if (mutant.needsALiar() && !RunPlan.of(seed).isDishonest()) {
        continue;
      }
      try {
        new RandomRun(RunPlan.of(seed), mutant.tampering()).run();
      } catch (SimulationFailure failure) {
        String said = failure.what().lines().findFirst().orElse("");
        TABLE.append("| ").append(mutant.words()).append(" | ").append(seed).append(" | ");
        TABLE.append(said, 0, Math.min(140, said.length())).append(" |\n");
        assertThat(failure.seed()).isEqualTo(seed);
        return;
      }
    }
    TABLE.append("| ").append(mutant.words()).append(" | not in ").append(MOST_SEEDS);
    TABLE.append(" | |\n");
    throw new AssertionError("Nobody noticed that " + mutant.words());
  }
}
