package dev.sequitur.laboratory.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.laboratory.soak.KillLog.Phase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KillLogTest {
  private static final long SECOND = 1_000_000_000;

  @ParameterizedTest
  @CsvSource({
    "0, 29, BEFORE",
    "29, 31, DURING",
    "28, 30, DURING",
    "45, 46, DURING",
    "46, 47, AFTER",
    "46, 59, AFTER",
    "46, 61, DURING",
    "76, 80, AFTER",
  })
  void aTransactionBelongsToTheKillsItHasMet(long from, long to, Phase expected) {
    var log = new KillLog();
    log.add(30 * SECOND);
    log.add(60 * SECOND);
    assertThat(log.phase(from * SECOND, to * SECOND)).isEqualTo(expected);
  }

  @Test
  void withoutKillsEverythingIsBefore() {
    assertThat(new KillLog().phase(0, SECOND)).isEqualTo(Phase.BEFORE);
  }

  @Test
  void aKillLastsUntilTheJvmServesAgain() {
    var log = new KillLog();
    log.add(30 * SECOND);
    log.recovered(30 * SECOND, 70 * SECOND);
    assertThat(log.phase(69 * SECOND, 71 * SECOND)).isEqualTo(Phase.DURING);
    assertThat(log.phase(71 * SECOND, 72 * SECOND)).isEqualTo(Phase.AFTER);
  }
}
