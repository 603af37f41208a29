package dev.sequitur.protocol.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.ProtocolTables;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Each row that moves is walked by a test of what its machine is told, not only by the tests of the
 * table. The simulation walks most of them too, but which ones the seeds say.
 */
class RowsWalkedTest {
  /** A step towards these the rules take nowhere: the rows are there in case they ever do. */
  private static final Set<String> NEVER =
      Set.of(
          // What has ended is known by its receipt alone: EndingTest.aLateConfirmationWins.
          "sender's transaction: CONFIRMED in REVERTED",
          // Dispatches are loaded before anything is assembled or after the range has ended.
          "coordinated transaction: ALREADY_DISPATCHED in ASSEMBLING",
          "coordinated transaction: ALREADY_DISPATCHED in ATTESTATION",
          // It is given to its caller only when nothing that it depends on is left.
          "coordinated transaction: DEPENDENCY_LEFT in DISTRIBUTED");

  @Test
  void everyRowThatMovesIsWalkedByATestOfItsMachine() {
    assertThat(
            RowsWalked.leftOutByTests(
                ProtocolTables.all(),
                "dev.sequitur.protocol.sender",
                "dev.sequitur.protocol.coordinator",
                "dev.sequitur.protocol.submitter",
                "dev.sequitur.protocol.messaging",
                "dev.sequitur.protocol.founding",
                "dev.sequitur.protocol.listener",
                "dev.sequitur.protocol.funding"))
        .isEqualTo(new TreeSet<>(NEVER));
  }
}
