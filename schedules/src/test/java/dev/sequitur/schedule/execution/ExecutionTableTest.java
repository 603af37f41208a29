package dev.sequitur.schedule.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.table.DocumentedTables;
import dev.sequitur.protocol.table.RowsWalked;
import dev.sequitur.protocol.table.TableContract;
import dev.sequitur.protocol.table.TransitionTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The one machine of the schedules that is a table. */
final class ExecutionTableTest {
  private static final List<TransitionTable<?, ?, ?>> ALL = List.of(ExecutionTable.EXECUTION);

  @Test
  void itAnswersAsItSaysAndReachesEachState() throws IOException {
    TableContract.everyRowAnswersAsItSays(ExecutionTable.EXECUTION);
    TableContract.everyStateCanBeReached(ExecutionTable.EXECUTION);
    assertThat(ALL).hasSize(TableContract.declaredInThisModule());
  }

  @Test
  void everyRowThatMovesIsWalkedByATestOfTheQueue() {
    assertThat(RowsWalked.leftOutByTests(ALL, "dev.sequitur.schedule.queue")).isEmpty();
  }

  @Test
  void theDocumentShowsItAsItIs() throws IOException {
    DocumentedTables.areUpToDate(ALL);
    assertThat(Files.readString(Path.of("..", "docs", "protocol.md")))
        .contains("## Execution of what a schedule runs");
  }
}
