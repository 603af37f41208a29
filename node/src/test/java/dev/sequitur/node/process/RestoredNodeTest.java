package dev.sequitur.node.process;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.console.RecordedConsole;
import dev.sequitur.console.StopSignal;
import dev.sequitur.ledger.LedgerSettings;
import dev.sequitur.node.command.CommandContext;
import dev.sequitur.node.command.NodeCommands;
import dev.sequitur.node.configuration.BackupSettings;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node is backed up while it runs, goes on, loses its store, and is brought back. */
class RestoredNodeTest {
  private static final NodeName NODE = new NodeName("node1");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;
  private RecordedConsole console = new RecordedConsole();

  @BeforeEach
  void configure() throws IOException {
    Files.writeString(
        directory.resolve("node.conf"), "node { name = node1, data-directory = data }\n");
  }

  @Test
  void aRestoredNodeKnowsThatItIsOldAndCompletesWhatItIsGivenOnceItMayGoOn() throws Exception {
    ContractAddress contract;
    try (var node = start(false)) {
      contract = makeGroup(node);
      pay(node, contract, "before");
      var backup = backUp(node);
      assertThat(backup.get("entries").longValue()).isPositive();
      assertThat(backup.get("written")).isEqualTo(backup.get("bytes"));
      pay(node, contract, "meanwhile");
      var second = backUp(node);
      assertThat(second.get("written").longValue())
          .isPositive()
          .isLessThanOrEqualTo(second.get("bytes").longValue());
      pay(node, contract, "forgotten");
    }

    assertThat(run("restore", "--check", backups().toString())).isZero();
    assertThat(console.out())
        .contains("A backup of node node1 as it was at ", "up to block ", "All of it can be read.");
    assertThat(run("restore", "--config", file(), backups().toString())).isEqualTo(1);
    assertThat(console.err()).contains("restore into an empty data directory");

    delete(directory.resolve("data/leveldb"));
    delete(directory.resolve("data/checkpoints"));
    assertThat(run("restore", "--config", file(), backups().toString())).isZero();
    assertThat(console.out()).contains("Restored: node node1 as it was at ");

    assertThat(catchThrowableOfType(StartFailure.class, () -> start(false).close()))
        .hasMessageContaining("older copy of its records: since block ")
        .hasMessageContaining("--begin-older");
    try (var node = start(true)) {
      assertThat(health(node))
          .contains("goes on from an older copy", "were restored from a backup of ");
      // A key that it knows: nobody else has the contents of "forgotten", so others wait (RCV-7).
      pay(node, contract, "meanwhile");
    }
    try (var node = start(false)) {
      assertThat(health(node)).doesNotContain("were restored from a backup");
    }
  }

  /** What was accepted after the backup and never sent, the ledger does not show. */
  @Test
  void aRestoredNodeOfWhichTheLedgerShowsNothingNewerSaysThatItDoesNotKnowWhatItWasGiven()
      throws Exception {
    try (var node = start(false)) {
      pay(node, makeGroup(node), "before");
      backUp(node);
    }
    delete(directory.resolve("data/leveldb"));
    delete(directory.resolve("data/checkpoints"));
    assertThat(run("restore", "--config", file(), backups().toString())).isZero();

    try (var node = start(false)) {
      assertThat(health(node))
          .contains("were restored from a backup of ")
          .contains("with an idempotency key of that time")
          .doesNotContain("older copy");
    }
  }

  @Test
  void aBackupThatIsDamagedOrOfOtherKeysIsToldAndLeavesNothing() throws Exception {
    try (var node = start(false)) {
      backUp(node);
    }
    delete(directory.resolve("data/leveldb"));
    delete(directory.resolve("data/checkpoints"));
    var seed = directory.resolve("data/keys.seed");
    Files.move(seed, directory.resolve("seed"));
    assertThat(run("restore", "--config", file(), backups().toString())).isEqualTo(1);
    assertThat(console.err()).contains("There is no key seed in ");
    Files.move(directory.resolve("seed"), seed);

    Path segment;
    try (var files = Files.walk(backups().resolve("segments"))) {
      segment = files.filter(Files::isRegularFile).findFirst().orElseThrow();
    }
    var content = Files.readAllBytes(segment);
    content[content.length / 2] ^= 1;
    Files.write(segment, content);

    assertThat(run("restore", "--check", backups().toString())).isEqualTo(1);
    assertThat(console.out())
        .contains(
            "It is damaged in 1 segment",
            segment.getFileName() + " has been changed",
            "There was: ");
    assertThat(run("restore", "--config", file(), backups().toString())).isEqualTo(1);
    assertThat(console.err()).contains("is damaged");
    assertThat(directory.resolve("data/leveldb")).doesNotExist();

    delete(backups());
    assertThat(run("restore", "--check", backups().toString())).isEqualTo(1);
    assertThat(console.err()).contains("There is no directory ");
    assertThat(run("restore", backups().toString())).isEqualTo(2);
  }

  private Path backups() {
    return directory.resolve("backup");
  }

  private String file() {
    return directory.resolve("node.conf").toString();
  }

  private int run(String... arguments) {
    console = new RecordedConsole();
    var context = new CommandContext(console.console(), new StopSignal(), new ProcessStarter());
    return NodeCommands.commandLine(context).execute(arguments);
  }

  private RunningNode start(boolean mayBeginOlder) {
    var settings = new BackupSettings(Optional.of(backups()), Long.MAX_VALUE);
    return new ProcessStarter()
        .startNode(
            NodeConfiguration.embedded(NODE, directory.resolve("data"))
                .withBackup(settings)
                .withMayBeginOlder(mayBeginOlder)
                .withLedger(
                    new LedgerAccess.Embedded(
                        LedgerSettings.DEFAULT.withBlockTime(Duration.ofMillis(50)))));
  }

  private static String health(RunningNode node) {
    return new JsonRpcCaller(node.url()).get("/health");
  }

  private static JsonNode backUp(RunningNode node) {
    var caller = new JsonRpcCaller(node.url());
    caller.result("node_backup", "[]");
    await()
        .atMost(PATIENCE)
        .until(() -> !state(caller.result("node_backupStatus", "[]")).equals("running"));
    var backup = caller.result("node_backupStatus", "[]");
    assertThat(state(backup)).as(backup.toString()).isEqualTo("done");
    return backup;
  }

  private static String state(JsonNode backup) {
    return backup.get("state").textValue();
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

  private static void delete(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
