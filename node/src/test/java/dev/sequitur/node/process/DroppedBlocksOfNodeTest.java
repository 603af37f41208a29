package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.crypto.FileKeys;
import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.ledger.LedgerSettings;
import dev.sequitur.node.configuration.LedgerAccess;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ledger of a node drops blocks that the node has agreed to, and the node goes on (ROM-10). */
class DroppedBlocksOfNodeTest {
  @TempDir private Path directory;

  @Test
  void aNodeGoesOnAboveDroppedBlocksAndSaysSoWhereItWouldNeedThem() throws Exception {
    ContractAddress contract;
    try (var node = LoneNode.start(dropping())) {
      contract = node.makeGroup();
      node.count(contract, "before");
    }
    copy("leveldb", "older");
    copy("checkpoints", "older-checkpoints");
    try (var node = LoneNode.start(dropping())) {
      node.count(contract, "after");
      long made = head(node);
      await().atMost(LoneNode.PATIENCE).until(() -> oldest(node) > made);

      assertThat(ledger(node).at("/readers/0/standing").textValue()).isIn("agrees", "behind");
      assertThat(ledger(node).at("/readers/0/name").textValue()).isEqualTo("node1");
      node.count(contract, "on");
      assertThat(node.health()).doesNotContain("dropped");
      assertThat(node.caller().answer("bidx_getBlockByNumber", "[1]").toString())
          .contains("SQ010310", "dropped all blocks below");
      assertThat(compared(node, contract).toString()).contains("No block from");
    }
    try (var node = LoneNode.start(dropping())) {
      node.count(contract, "again");
    }

    putBack("older", "leveldb");
    putBack("older-checkpoints", "checkpoints");
    assertThat(catchThrowableOfType(StartFailure.class, () -> LoneNode.start(dropping()).close()))
        .hasMessageContaining("cannot read on: The ledger has dropped all blocks below")
        .hasMessageContaining("Restore a newer copy");

    LoneNode.loseRecords(directory);
    assertThat(catchThrowableOfType(StartFailure.class, () -> LoneNode.start(dropping()).close()))
        .hasMessageContaining("dropped all blocks below");
  }

  private NodeConfiguration dropping() throws IOException {
    var keys = FileKeys.open(directory);
    LedgerAddress self =
        new Secp256k1Signatures().address(keys.account(NodeKeyNames.checkpoints()));
    return LoneNode.configuration(directory)
        .withLedger(
            new LedgerAccess.Embedded(
                LedgerSettings.DEFAULT
                    .withBlockTime(Duration.ofMillis(50))
                    .withFinalityDepth(0)
                    .withCheckpointEvery(10)
                    .withReaders(Map.of("node1", self))
                    .withKeep(Optional.of(20L))));
  }

  private static JsonNode compared(LoneNode node, ContractAddress contract) {
    node.caller().result("sequencer_compareLedger", "['" + contract + "']");
    var found = new AtomicReference<JsonNode>();
    await()
        .atMost(LoneNode.PATIENCE)
        .until(
            () -> {
              found.set(
                  node.caller().result("sequencer_getLedgerComparison", "['" + contract + "']"));
              return !found.get().path("status").asText().equals("running");
            });
    return found.get();
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

  private static JsonNode ledger(LoneNode node) {
    return node.caller().result("node_room", "[]").path("ledger");
  }

  private static long oldest(LoneNode node) {
    return ledger(node).path("oldest").longValue();
  }

  private static long head(LoneNode node) {
    return node.node().sequencer().blockHeight().value();
  }
}
