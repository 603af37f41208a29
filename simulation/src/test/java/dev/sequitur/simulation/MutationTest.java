package dev.sequitur.simulation;

import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The simulation can find bugs: with any one of the rules broken it fails. What it took is in
 * docs/simulation.md; {@code -Dsimulation.mutants=table} prints the table anew. {@code all} tries
 * all of them; a number every third, each third in turn. Without either the day is that number.
 */
final class MutationTest {
  private static final long MOST_SEEDS = 100;

  /** In the build begin where these few are noticed; the table begins with 1. */
  private static final Map<Mutant, Long> LATE =
      Map.of(
          Mutant.IGNORE_HOLD_OFF,
          130L,
          Mutant.TAKE_ROOTS_OF_OTHER_CONTRACTS,
          150L,
          Mutant.FORGET_HOW_MANY,
          140L,
          Mutant.NO_SUBMITTER_HEARTBEAT,
          10L,
          Mutant.NO_COORDINATOR_HEARTBEAT,
          10L);

  private static final int PARTS = 3;

  private static final String WHICH = which(System.getProperty("simulation.mutants", ""));

  private static final boolean WHOLE = WHICH.equals("table");

  private static final StringBuilder TABLE = new StringBuilder();

  @BeforeAll
  static void begin() {
    TABLE.setLength(0);
    System.out.printf(
        "%d of %d broken rules are tried, by -Dsimulation.mutants=%s; all of them: =all.%n",
        tried().count(), Mutant.values().length, WHICH);
  }

  private static String which(String asked) {
    return asked.isBlank() ? Long.toString(LocalDate.now(UTC).toEpochDay()) : asked;
  }

  static Stream<Mutant> tried() {
    var all = Arrays.stream(Mutant.values());
    if (WHOLE || WHICH.equals("all")) {
      return all;
    }
    long part = Math.floorMod(Long.parseLong(WHICH), (long) PARTS);
    return all.filter(mutant -> mutant.ordinal() % PARTS == part);
  }

  @AfterAll
  static void printTable() {
    if (WHOLE) {
      System.out.println(TABLE);
    }
  }

  @ParameterizedTest
  @MethodSource("tried")
  void aBrokenRuleIsNoticed(Mutant mutant) {
    long first = WHOLE ? 1 : LATE.getOrDefault(mutant, 1L);
    for (long seed = first; seed < first + MOST_SEEDS; seed++) {
      if (mutant.needsALiar() && !RunPlan.of(seed).isDishonest()) {
        continue;
      }
      try {
        var plan = RunPlan.of(seed).withJvms(mutant.needsJvms() ? RunPlan.MOST_JVMS : 1);
        new RandomRun(plan, mutant.tampering()).run();
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
