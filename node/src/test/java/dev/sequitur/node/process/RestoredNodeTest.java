package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.console.RecordedConsole;
import dev.sequitur.console.StopSignal;
import dev.sequitur.crypto.FileKeys;
import dev.sequitur.crypto.NodeKeyFile;
import dev.sequitur.crypto.PassphraseSource;
import dev.sequitur.node.command.CommandContext;
import dev.sequitur.node.command.NodeCommands;
import dev.sequitur.node.configuration.BackupSettings;
import dev.sequitur.protocol.id.ContractAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node is backed up while it runs, goes on, loses its store, and is brought back. */
class RestoredNodeTest {
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
      contract = node.makeGroup();
      node.count(contract, "before");
      var backup = backUp(node);
      assertThat(backup.get("entries").longValue()).isPositive();
      assertThat(backup.get("written")).isEqualTo(backup.get("bytes"));
      node.count(contract, "meanwhile");
      var second = backUp(node);
      assertThat(second.get("written").longValue())
          .isPositive()
          .isLessThanOrEqualTo(second.get("bytes").longValue());
      node.count(contract, "forgotten");
    }

    assertThat(run("restore", "--check", backups().toString())).isZero();
    assertThat(console.out())
        .contains("A backup of node node1 as it was at ", "up to block ", "All of it can be read.");
    assertThat(run("restore", "--config", file(), backups().toString())).isEqualTo(1);
    assertThat(console.err()).contains("restore into an empty data directory");

    LoneNode.loseRecords(directory.resolve("data"));
    assertThat(run("restore", "--config", file(), backups().toString())).isZero();
    assertThat(console.out()).contains("Restored: node node1 as it was at ");

    assertThat(catchThrowableOfType(StartFailure.class, () -> start(false).close()))
        .hasMessageContaining("older copy of its records: since block ")
        .hasMessageContaining("--begin-older");
    try (var node = start(true)) {
      assertThat(node.health())
          .contains("goes on from an older copy", "were restored from a backup of ");
      // A key that it knows: nobody else has the contents of "forgotten", so others wait (RCV-7).
      node.count(contract, "meanwhile");
    }
    try (var node = start(false)) {
      assertThat(node.health()).doesNotContain("were restored from a backup");
    }
  }

  /** What was accepted after the backup and never sent, the ledger does not show. */
  @Test
  void aRestoredNodeOfWhichTheLedgerShowsNothingNewerSaysThatItDoesNotKnowWhatItWasGiven()
      throws Exception {
    FileKeys.open(directory.resolve("data"));
    var seed = directory.resolve("data/keys.seed");
    var alone = Files.readAllBytes(seed);
    var own =
        new NodeKeyFile(directory.resolve("data"), PassphraseSource.NONE)
            .rotate("alice", Optional.empty());
    try (var node = start(false)) {
      node.count(node.makeGroup(), "before");
      backUp(node);
    }
    LoneNode.loseRecords(directory.resolve("data"));
    Files.write(seed, alone);
    assertThat(run("restore", "--check", backups().toString())).isZero();
    assertThat(console.out())
        .contains(
            "Beside those of its seed the node had keys that are no part of it: alice " + own);
    assertThat(run("restore", "--config", file(), backups().toString())).isZero();
    assertThat(console.out())
        .contains("The node lacks keys that it had: alice " + own + " (in the file of the seed).");

    try (var node = start(false)) {
      assertThat(node.health())
          .contains("were restored from a backup of ")
          .contains("with an idempotency key of that time")
          .doesNotContain("older copy");
    }
  }

  @Test
  void aBackupThatIsDamagedOrOfOtherKeysIsToldAndLeavesNothing() throws Exception {
    try (var node = start(false)) {
      // One that has just begun may have stored nothing yet.
      await()
          .atMost(LoneNode.PATIENCE)
          .until(() -> Integer.parseInt(backUp(node).get("entries").asText()) > 0);
    }
    LoneNode.loseRecords(directory.resolve("data"));
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

    LoneNode.delete(backups());
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

  private LoneNode start(boolean mayBeginOlder) {
    var settings = new BackupSettings(Optional.of(backups()), Long.MAX_VALUE);
    return LoneNode.start(
        LoneNode.configuration(directory.resolve("data"))
            .withBackup(settings)
            .withMayBeginOlder(mayBeginOlder));
  }

  private static JsonNode backUp(LoneNode node) {
    var caller = node.caller();
    caller.result("node_backup", "[]");
    await()
        .atMost(LoneNode.PATIENCE)
        .until(() -> !state(caller.result("node_backupStatus", "[]")).equals("running"));
    var backup = caller.result("node_backupStatus", "[]");
    assertThat(state(backup)).as(backup.toString()).isEqualTo("done");
    return backup;
  }

  private static String state(JsonNode backup) {
    return backup.get("state").textValue();
  }
}
