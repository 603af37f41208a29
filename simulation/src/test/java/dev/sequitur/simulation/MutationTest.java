package dev.sequitur.simulation;

import static java.time.ZoneOffset.UTC;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The simulation can find bugs: with any one of the rules broken it fails. What it took is in
 * docs/simulation.md, and is tried first, since the networks before it show nothing; {@code
 * -Dsimulation.mutants=table} prints the table anew. {@code all} tries all of them; a number every
 * third, each third in turn. Without either the day is that number.
 */
final class MutationTest {
  private static final Path PAGE = Path.of("../docs/simulation.md");

  /** | the broken rule | the first seed that failed | */
  private static final Pattern ROW = Pattern.compile("^\\| ([^|]+) \\| (\\d+)[^|]* \\|.*$");

  private static final Map<String, Long> FAILED = failed();

  private static final long MOST_SEEDS = 100;

  /** In the build the others begin here for these few; the table begins with 1. */
  private static final Map<Mutant, Long> LATE =
      Map.of(
          Mutant.IGNORE_HOLD_OFF,
          130L,
          Mutant.FORGET_HOW_MANY,
          40L,
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

  private static Map<String, Long> failed() {
    try (var lines = Files.lines(PAGE)) {
      return lines
          .map(ROW::matcher)
          .filter(Matcher::matches)
          .collect(toMap(row -> row.group(1), row -> Long.valueOf(row.group(2))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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

  /** A seed of the page that fails no more only costs one network. */
  private static LongStream seeds(Mutant mutant) {
    if (WHOLE) {
      return LongStream.range(1, 1 + MOST_SEEDS);
    }
    long first = LATE.getOrDefault(mutant, 1L);
    return LongStream.concat(
        Stream.ofNullable(FAILED.get(mutant.words())).mapToLong(seed -> seed),
        LongStream.range(first, first + MOST_SEEDS));
  }

  @ParameterizedTest
  @MethodSource("tried")
  void aBrokenRuleIsNoticed(Mutant mutant) {
    for (long seed : seeds(mutant).toArray()) {
      if (mutant.needsALiar() && !RunPlan.of(seed).isDishonest()) {
        continue;
      }
      try {
        var plan = RunPlan.of(seed).withJvms(mutant.needsJvms() ? RunPlan.MOST_JVMS : 1);
        var restored = mutant.needsRestores() ? plan.withRestores() : plan;
        var changing = mutant.needsChanges() ? restored.withChanges() : restored;
        new RandomRun(changing, mutant.tampering()).run();
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
