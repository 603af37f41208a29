package dev.sequitur.node.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.console.RecordedConsole;
import dev.sequitur.console.StopSignal;
import dev.sequitur.node.process.ProcessStarter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.ExitCode;

class ConfigCommandTest {
  @TempDir private Path directory;
  private final RecordedConsole console = new RecordedConsole();

  private int run(String... words) {
    var context = new CommandContext(console.console(), new StopSignal(), new ProcessStarter());
    return NodeCommands.commandLine(context).execute(words);
  }

  private String file(String text) throws IOException {
    return Files.writeString(directory.resolve("given.conf"), text).toString();
  }

  @Test
  void aRightConfigurationIsToldInOneLineAndNothingIsMade() throws IOException {
    var file = file("node { name = node1, data-directory = data }\nrpc.port = 8545\n");

    assertThat(run("config", "check", file)).isZero();

    assertThat(console.out())
        .isEqualToIgnoringNewLines(
            file
                + " is right. Node node1 serves JSON-RPC at 127.0.0.1:8545 and keeps its data in "
                + directory.resolve("data")
                + ".");
    assertThat(directory.resolve("data")).doesNotExist();
  }

  @Test
  void everyMistakeIsToldAndTheExitCodeIsThatOfAWrongConfiguration() throws IOException {
    var file = file("node { name = node1 }\nrpc.port = 70000\n");

    assertThat(run("config", "check", file)).isEqualTo(ExitCode.USAGE);

    assertThat(console.out()).isEmpty();
    assertThat(console.err()).contains("node.data-directory").contains("rpc.port");
  }

  /** It would be refused by {@code start}, too. */
  @Test
  void aNodeThatEverybodyCouldCommandIsAMistake() throws IOException {
    var file =
        file("node { name = node1, data-directory = data }\nrpc { host = 0.0.0.0, port = 8545 }\n");

    assertThat(run("config", "check", file)).isEqualTo(ExitCode.USAGE);
    assertThat(console.err()).contains("rpc.host = 0.0.0.0 lets others reach the node");
    assertThat(console.out()).isEmpty();
  }

  /** Where one calls from the directory that both are in. */
  @Test
  void whatAFileIncludesIsFoundBesideItAlsoIfItIsGivenByItsNameAlone() throws IOException {
    var included = Files.createTempFile(Path.of(""), "included", ".conf");
    var given = Files.createTempFile(Path.of(""), "given", ".conf");
    try {
      Files.writeString(
          included, "node { name = node1, data-directory = data }\nrpc.port = 8545\n");
      Files.writeString(given, "include \"" + included.getFileName() + "\"\n");

      assertThat(run("config", "check", given.getFileName().toString())).as(console.err()).isZero();
      assertThat(console.out()).contains("Node node1 serves");
    } finally {
      Files.delete(given);
      Files.delete(included);
    }
  }

  @Test
  void aLedgersIsReadAsALedgers() throws IOException {
    var file = file("ledger { port = 8600, data-directory = blocks }\n");

    assertThat(run("config", "check", "--ledger", file)).isZero();
    assertThat(console.out())
        .contains("The ledger listens at 127.0.0.1:8600")
        .contains(directory.resolve("blocks").toString());

    assertThat(run("config", "check", file)).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void aScriptForTheShellCompletesCommandsOfCommands() {
    assertThat(run("completion")).isZero();

    assertThat(console.out()).contains("complete -F").contains("verify-proof").contains("check");
  }
}
