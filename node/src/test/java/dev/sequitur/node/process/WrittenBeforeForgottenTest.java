package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.console.RecordedConsole;
import dev.sequitur.console.StopSignal;
import dev.sequitur.json.JsonText;
import dev.sequitur.node.command.CommandContext;
import dev.sequitur.node.command.NodeCommands;
import dev.sequitur.node.configuration.RoomExportSettings;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.room.RoomPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** ROM-6: a node that forgets at once writes first, and what it has written can be checked. */
class WrittenBeforeForgottenTest {
  private static final Duration PATIENCE = LoneNode.PATIENCE.multipliedBy(3);

  private static final RoomPolicy AT_ONCE = RoomPolicy.of(Duration.ofMillis(1), Duration.ofDays(1));

  @TempDir private Path directory;

  @Test
  void whatANodeHasForgottenIsInAFileWithItsContentsAndAProof() throws Exception {
    ContractAddress contract;
    TransactionId second;
    try (var node = start()) {
      contract = node.makeGroup();
      var first = count(node, contract);
      awaitForgotten(node, first);
      second = count(node, contract);
      awaitForgotten(node, second);
      assertThat(lines()).containsKeys(first, second);
    }
    try (var node = start()) {
      var third = count(node, contract);
      awaitForgotten(node, third);
      assertThat(lines()).containsKey(third);
    }

    try (var files = Files.list(ended())) {
      assertThat(files).as("the file that was open goes on").hasSize(1);
    }
    var line = lines().get(second);
    assertThat(line.at("/transaction/function").textValue()).isEqualTo("increment");
    assertThat(line.at("/states/spent/0/data").isObject()).as(line.toString()).isTrue();
    assertThat(line.at("/states/confirmed")).hasSize(1);
    var proof = directory.resolve("proof.json");
    Files.write(proof, JsonText.write(line.get("proof")));
    var console = new RecordedConsole();
    var context = new CommandContext(console.console(), new StopSignal(), new ProcessStarter());
    assertThat(NodeCommands.commandLine(context).execute("verify-proof", proof.toString()))
        .as(console.err())
        .isZero();
    assertThat(console.out()).contains("Proven: ");
  }

  private LoneNode start() {
    var plain = LoneNode.configuration(directory.resolve("data"));
    return LoneNode.start(
        plain
            .withRules(plain.rules().withRoom(AT_ONCE))
            .withRoomExport(new RoomExportSettings(Optional.of(ended()), 1L << 20)));
  }

  private Path ended() {
    return directory.resolve("ended");
  }

  private static TransactionId count(LoneNode node, ContractAddress contract) {
    return TransactionId.parse(
        node.caller()
            .result(
                "ptx_sendTransaction",
                "[{'type':'private','domain':'record','function':'increment','from':'alice','to':'%s','data':{'key':'k','by':1}}]"
                    .formatted(contract))
            .textValue());
  }

  private static void awaitForgotten(LoneNode node, TransactionId id) {
    var store = node.node().sequencer().store();
    await()
        .atMost(PATIENCE)
        .until(() -> store.forgotten(id).toCompletableFuture().join().isPresent());
  }

  private Map<TransactionId, JsonNode> lines() {
    var lines = new HashMap<TransactionId, JsonNode>();
    try (var files = Files.list(ended())) {
      for (var file : files.toList()) {
        for (var line : Files.readAllLines(file)) {
          var read = JsonText.parse(line);
          lines.put(TransactionId.parse(read.get("id").textValue()), read);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return lines;
  }
}
