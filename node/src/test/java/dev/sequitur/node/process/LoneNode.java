package dev.sequitur.node.process;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sequitur.ledger.LedgerSettings;
import dev.sequitur.node.configuration.LedgerAccess;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.protocol.group.GroupRequest;
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

/** A node in this process, with its ledger in it, whose only group is that of one of its own. */
record LoneNode(RunningNode node) implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(60);

  static LoneNode start(NodeConfiguration configuration) {
    return new LoneNode(new ProcessStarter().startNode(configuration));
  }

  /** Of node1, with a block each 50 ms. */
  static NodeConfiguration configuration(Path directory) {
    return NodeConfiguration.embedded(new NodeName("node1"), directory)
        .withLedger(
            new LedgerAccess.Embedded(LedgerSettings.DEFAULT.withBlockTime(Duration.ofMillis(50))));
  }

  /** Its records are lost: its journal, and what its queues and its store keep. */
  static void loseRecords(Path directory) throws IOException {
    delete(directory.resolve("leveldb"));
    delete(directory.resolve("checkpoints"));
  }

  static void delete(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  ContractAddress makeGroup() throws Exception {
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

  /** Counts a key of the group up by one, and returns when that has succeeded. */
  void count(ContractAddress contract, String key) {
    var id =
        caller()
            .result(
                "ptx_sendTransaction",
                "[{'type':'private','domain':'record','function':'increment','from':'alice','to':'%s','data':{'key':'%s','by':1}}]"
                    .formatted(contract, key))
            .textValue();
    var receipt = caller().awaitResult("ptx_getTransactionReceipt", "['" + id + "']");
    assertThat(receipt.get("success").booleanValue()).isTrue();
  }

  JsonRpcCaller caller() {
    return new JsonRpcCaller(node.url());
  }

  String health() {
    return caller().get("/health");
  }

  @Override
  public void close() {
    node.close();
  }
}
