package dev.sequitur.node.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.console.RecordedConsole;
import dev.sequitur.console.StopSignal;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.process.ProcessStarter;
import dev.sequitur.protocol.id.NodeName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckStoreCommandTest {
  @TempDir Path directory;

  private RecordedConsole console = new RecordedConsole();

  @BeforeEach
  void configure() throws IOException {
    Files.writeString(
        directory.resolve("node.conf"), "node { name = node1, data-directory = data }\n");
  }

  @Test
  void aNodeThatHasNotRunHasNothingToCheck() {
    assertThat(run()).isEqualTo(2);
    assertThat(console.err()).contains("There is nothing in ");
  }

  @Test
  void whatIsWholeCanBeReadAndWhatIsDamagedIsNamedWithWhoCouldGiveItBack() throws IOException {
    var data = directory.resolve("data");
    new ProcessStarter().startNode(NodeConfiguration.embedded(new NodeName("node1"), data)).close();
    assertThat(run()).isZero();
    assertThat(console.out()).startsWith("The data directory ").contains("can be read as a whole.");

    Path log;
    try (var files = Files.list(data.resolve("leveldb"))) {
      log = files.filter(file -> file.toString().endsWith(".log")).findFirst().orElseThrow();
    }
    Files.delete(log);
    console = new RecordedConsole();
    assertThat(run()).isEqualTo(1);
    assertThat(console.out())
        .contains(
            "is damaged in one place.",
            "leveldb/" + log.getFileName() + " is missing",
            "restore the whole from a copy");
  }

  @Test
  void theHalfRecordOfAPowerCutIsToldAndIsNoReasonToRestore() throws IOException {
    var data = directory.resolve("data");
    new ProcessStarter().startNode(NodeConfiguration.embedded(new NodeName("node1"), data)).close();
    Path log;
    try (var files = Files.list(data.resolve("leveldb"))) {
      log = files.filter(file -> file.toString().endsWith(".log")).findFirst().orElseThrow();
    }
    long whole = Files.size(log);
    Files.write(log, new byte[] {1, 2, 3, 4, 50, 0, 1, 9}, StandardOpenOption.APPEND);

    assertThat(run()).isZero();

    assertThat(console.out())
        .startsWith("The data directory ")
        .contains(
            "The last write to leveldb/%s, from byte %d on, is not whole"
                .formatted(log.getFileName(), whole),
            "nothing is to be restored")
        .doesNotContain("from a copy");
  }

  private int run() {
    var context = new CommandContext(console.console(), new StopSignal(), new ProcessStarter());
    return NodeCommands.commandLine(context)
        .execute("check-store", "--config", directory.resolve("node.conf").toString());
  }
}
