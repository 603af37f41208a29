package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sequitur.node.configuration.NodeConfiguration;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node of which only the key seed was restored, on a ledger that knows it. */
class KeysWithoutRecordsTest {
  @TempDir private Path directory;

  @Test
  void aNodeWithKeysThatTheLedgerKnowsAndWithoutRecordsIsRefusedUnlessItIsToBeginEmpty()
      throws Exception {
    try (var node = LoneNode.start(configuration())) {
      node.makeGroup();
    }
    LoneNode.loseRecords(directory);

    assertThat(
            catchThrowableOfType(StartFailure.class, () -> LoneNode.start(configuration()).close()))
        .hasMessageContaining("restore the whole data directory")
        .hasMessageContaining("--begin-empty");
    // It has left nothing behind that would look like records.
    assertThat(
            catchThrowableOfType(StartFailure.class, () -> LoneNode.start(configuration()).close()))
        .isNotNull();

    LoneNode.start(configuration().withMayBeginEmpty(true)).close();
    LoneNode.start(configuration()).close();
  }

  @Test
  void aNodeWithItsRecordsStartsAgain() throws Exception {
    try (var node = LoneNode.start(configuration())) {
      node.makeGroup();
    }
    LoneNode.start(configuration()).close();
  }

  @Test
  void aSeedThatNobodyHasUsedMayBegin() throws Exception {
    LoneNode.start(configuration()).close();
    LoneNode.loseRecords(directory);
    LoneNode.start(configuration()).close();
  }

  private NodeConfiguration configuration() {
    return LoneNode.configuration(directory);
  }
}
