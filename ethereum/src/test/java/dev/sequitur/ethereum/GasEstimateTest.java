package dev.sequitur.ethereum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.crypto.FileKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the submitter estimates, beside what a chain takes. */
class GasEstimateTest {
  /** A chain gives a fifth back at most, but only in the end. */
  private static final double MOST_OF_WHAT_WAS_PAID = 1.4;

  @TempDir private static Path directory;
  private static Anvil chain;
  private static GasTable table;

  @BeforeAll
  static void start() throws IOException {
    chain = Anvil.start();
    table = new GasTable(chain, FileKeys.open(directory));
  }

  @AfterAll
  static void stop() {
    if (chain != null) {
      chain.close();
    }
  }

  static Stream<Arguments> batches() {
    return GasTable.MEMBERS.stream()
        .flatMap(
            members ->
                GasTable.INPUTS.stream()
                    .flatMap(
                        inputs ->
                            GasTable.BATCHES.stream()
                                .map(batch -> Arguments.of(members, inputs, batch))));
  }

  @ParameterizedTest
  @MethodSource("batches")
  void isEnoughForEachBatchAndNotMuchTooMuch(int members, int inputs, int batch) {
    var use = table.use(members, inputs, batch);

    assertThat((double) use.limit() / use.used()).isLessThan(MOST_OF_WHAT_WAS_PAID);
  }
}
