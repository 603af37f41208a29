package dev.sequitur.node.process;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.sequitur.ledger.LedgerSettings;
import dev.sequitur.node.configuration.LedgerAccess;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.protocol.group.GroupRequest;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node of which only the key seed was restored, on a ledger that knows it. */
class KeysWithoutRecordsTest {
  private static final NodeName NODE = new NodeName("node1");

  @TempDir private Path directory;

  @Test
  void aNodeWithKeysThatTheLedgerKnowsAndWithoutRecordsIsRefusedUnlessItIsToBeginEmpty()
      throws Exception {
    try (var node = start(configuration())) {
      makeGroup(node);
    }
    lose("leveldb");
    lose("checkpoints");

    assertThat(catchThrowableOfType(StartFailure.class, () -> start(configuration()).close()))
        .hasMessageContaining("restore the whole data directory")
        .hasMessageContaining("--begin-empty");
    // It has left nothing behind that would look like records.
    assertThat(catchThrowableOfType(StartFailure.class, () -> start(configuration()).close()))
        .isNotNull();

    start(configuration().withMayBeginEmpty(true)).close();
    start(configuration()).close();
  }

  @Test
  void aNodeWithItsRecordsStartsAgain() throws Exception {
    try (var node = start(configuration())) {
      makeGroup(node);
    }
    start(configuration()).close();
  }

  @Test
  void aSeedThatNobodyHasUsedMayBegin() throws Exception {
    start(configuration()).close();
    lose("leveldb");
    lose("checkpoints");
    start(configuration()).close();
  }

  private static RunningNode start(NodeConfiguration configuration) {
    return new ProcessStarter().startNode(configuration);
  }

  private NodeConfiguration configuration() {
    return NodeConfiguration.embedded(NODE, directory)
        .withLedger(
            new LedgerAccess.Embedded(LedgerSettings.DEFAULT.withBlockTime(Duration.ofMillis(50))));
  }

  private static void makeGroup(RunningNode node) throws Exception {
    node.sequencer()
        .createGroup(
            new GroupRequest(
                "token",
                "alone",
                List.of(Identity.parse("alice@node1")),
                Bytes.utf8("{}"),
                Bytes.utf8("{}")))
        .toCompletableFuture()
        .get(60, SECONDS);
    await().atMost(Duration.ofSeconds(60)).until(() -> node.sequencer().groupCount() > 0);
  }

  private void lose(String name) throws IOException {
    try (var files = Files.walk(directory.resolve(name))) {
      files.sorted(Comparator.reverseOrder()).forEach(KeysWithoutRecordsTest::delete);
    }
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
