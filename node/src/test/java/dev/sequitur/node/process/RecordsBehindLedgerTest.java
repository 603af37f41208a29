package dev.sequitur.node.process;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.sequitur.ledger.LedgerSettings;
import dev.sequitur.node.configuration.LedgerAccess;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.protocol.group.GroupRequest;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cold copy of a node's records is put back after the node has gone on (RCV-7). */
class RecordsBehindLedgerTest {
  private static final NodeName NODE = new NodeName("node1");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;

  @Test
  void aNodeWithAnOlderCopyOfItsRecordsIsRefusedUnlessItIsToGoOnAndThenSaysWhatItLacks()
      throws Exception {
    ContractAddress contract;
    try (var node = start(configuration())) {
      contract = makeGroup(node);
      pay(node, contract, "before");
    }
    copy("leveldb", "older");
    copy("checkpoints", "older-checkpoints");
    try (var node = start(configuration())) {
      pay(node, contract, "forgotten");
    }
    // As new as the ledger: nothing is said.
    try (var node = start(configuration())) {
      assertThat(health(node)).doesNotContain("older copy");
    }
    putBack("older", "leveldb");
    putBack("older-checkpoints", "checkpoints");

    for (int attempt = 0; attempt < 2; attempt++) {
      assertThat(catchThrowableOfType(StartFailure.class, () -> start(configuration()).close()))
          .hasMessageContaining("older copy of its records: since block ")
          .hasMessageContaining("in 1 of its groups")
          .hasMessageContaining("--begin-older");
    }

    try (var node = start(configuration().withMayBeginOlder(true))) {
      // It has blocks yet to read at first, which is another trouble.
      await().atMost(PATIENCE).until(() -> health(node).contains("\"status\":\"DEGRADED\""));
      assertThat(health(node)).contains("goes on from an older copy");
      // Nobody else has the contents of its states, so what needs them waits (decision 0178).
      var head = node.sequencer().ledger().head().toCompletableFuture().get(60, SECONDS);
      // Stored, and not only read: a restart goes on from there.
      await().atMost(PATIENCE).until(() -> indexedTo(node).compareTo(head) >= 0);
    }
    // It has read what it had missed.
    try (var node = start(configuration())) {
      assertThat(health(node)).doesNotContain("older copy");
    }
  }

  private static RunningNode start(NodeConfiguration configuration) {
    return new ProcessStarter().startNode(configuration);
  }

  private NodeConfiguration configuration() {
    return NodeConfiguration.embedded(NODE, directory)
        .withLedger(
            new LedgerAccess.Embedded(LedgerSettings.DEFAULT.withBlockTime(Duration.ofMillis(50))));
  }

  private static ContractAddress makeGroup(RunningNode node) throws Exception {
    node.sequencer()
        .createGroup(
            new GroupRequest(
                "record",
                "alone",
                List.of(Identity.parse("alice@node1")),
                Bytes.utf8("{}"),
                Bytes.utf8("{}")))
        .toCompletableFuture()
        .get(60, SECONDS);
    await().atMost(PATIENCE).until(() -> node.sequencer().groupCount() > 0);
    return node.sequencer()
        .store()
        .knownGroups(Optional.empty(), 1)
        .toCompletableFuture()
        .join()
        .getFirst()
        .contract();
  }

  private static void pay(RunningNode node, ContractAddress contract, String key) {
    var caller = new JsonRpcCaller(node.url());
    var id =
        caller
            .result(
                "ptx_sendTransaction",
                "[{'type':'private','domain':'record','function':'increment','from':'alice','to':'%s','data':{'key':'%s','by':1}}]"
                    .formatted(contract, key))
            .textValue();
    var receipt = caller.awaitResult("ptx_getTransactionReceipt", "['" + id + "']");
    assertThat(receipt.get("success").booleanValue()).isTrue();
  }

  private static BlockHeight indexedTo(RunningNode node) throws Exception {
    return node.sequencer()
        .store()
        .indexedTo()
        .toCompletableFuture()
        .get(60, SECONDS)
        .orElseThrow()
        .height();
  }

  private static String health(RunningNode node) {
    return new JsonRpcCaller(node.url()).get("/health");
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
    try (var files = Files.walk(directory.resolve(to))) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
    Files.move(directory.resolve(from), directory.resolve(to));
  }
}
