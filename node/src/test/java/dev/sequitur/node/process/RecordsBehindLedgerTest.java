package dev.sequitur.node.process;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cold copy of a node's records is put back after the node has gone on (RCV-7). */
class RecordsBehindLedgerTest {
  @TempDir private Path directory;

  @Test
  void aNodeWithAnOlderCopyOfItsRecordsIsRefusedUnlessItIsToGoOnAndThenSaysWhatItLacks()
      throws Exception {
    ContractAddress contract;
    try (var node = LoneNode.start(configuration())) {
      contract = node.makeGroup();
      node.count(contract, "before");
    }
    copy("leveldb", "older");
    copy("checkpoints", "older-checkpoints");
    try (var node = LoneNode.start(configuration())) {
      node.count(contract, "forgotten");
    }
    // As new as the ledger: nothing is said.
    try (var node = LoneNode.start(configuration())) {
      assertThat(node.health()).doesNotContain("older copy");
    }
    putBack("older", "leveldb");
    putBack("older-checkpoints", "checkpoints");

    for (int attempt = 0; attempt < 2; attempt++) {
      assertThat(
              catchThrowableOfType(
                  StartFailure.class, () -> LoneNode.start(configuration()).close()))
          .hasMessageContaining("older copy of its records: since block ")
          .hasMessageContaining("in 1 of its groups")
          .hasMessageContaining("--begin-older");
    }

    try (var node = LoneNode.start(configuration().withMayBeginOlder(true))) {
      // It has blocks yet to read at first, which is another trouble.
      await()
          .atMost(LoneNode.PATIENCE)
          .until(() -> node.health().contains("\"status\":\"DEGRADED\""));
      assertThat(node.health()).contains("goes on from an older copy");
      // Nobody else has the contents of its states, so what needs them waits (decision 0178).
      var head = node.node().sequencer().ledger().head().toCompletableFuture().get(60, SECONDS);
      // Stored, and not only read: a restart goes on from there.
      await().atMost(LoneNode.PATIENCE).until(() -> indexedTo(node).compareTo(head) >= 0);
    }
    // It has read what it had missed.
    try (var node = LoneNode.start(configuration())) {
      assertThat(node.health()).doesNotContain("older copy");
    }
  }

  private NodeConfiguration configuration() {
    return LoneNode.configuration(directory);
  }

  private static BlockHeight indexedTo(LoneNode lone) throws Exception {
    return lone.node()
        .sequencer()
        .store()
        .indexedTo()
        .toCompletableFuture()
        .get(60, SECONDS)
        .orElseThrow()
        .height();
  }

  private void copy(String from, String to) throws IOException {
    var target = Files.createDirectory(directory.resolve(to));
    try (var files = Files.list(directory.resolve(from))) {
      for (var file : files.toList()) {
        Files.copy(file, target.resolve(file.getFileName()));
      }
    }
  }

  private void putBack(String from, String to) throws IOException {
    LoneNode.delete(directory.resolve(to));
    Files.move(directory.resolve(from), directory.resolve(to));
  }
}
