package dev.sequitur.laboratory.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.fixture.FreePorts;
import dev.sequitur.laboratory.Main;
import dev.sequitur.node.process.SequiturProcess;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A network of processes that a person stops. As Ctrl-C the signal reaches all of them at once; it
 * is SIGTERM, since a build in the background has SIGINT ignored.
 */
@Tag("slow")
class StoppedNetworkIT {
  private static final int TERMINATED = 143;

  @TempDir private Path directory;

  private SequiturProcess start(String... commandLine) {
    return SequiturProcess.start(directory, Main.class, List.of(), commandLine);
  }

  @ParameterizedTest
  @ValueSource(strings = {"JVMs up", "Ctrl-C stops everything"})
  void aClusterEndsInOrderInTheMiddleOfItsStartAndAfterIt(String when) {
    try (var cluster =
        start(
            "cluster",
            "--nodes",
            "1",
            "--jvms-per-node",
            "1",
            "--port",
            port(),
            "--data",
            "data")) {
      cluster.awaitLine(when);
      cluster.terminateWithAllThatItHasStarted();

      assertThat(cluster.awaitExit()).isEqualTo(TERMINATED);
      assertThat(cluster.output()).contains("Everything is stopped.").doesNotContain("has ended");
      assertThat(cluster.hasLeftAProcess()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"JVMs up", "Minting|Transactions"})
  void aSoakEndsInOrderAndLeavesNothingBehind(String when) {
    try (var soak = start("soak", "--nodes", "1", "--minutes", "1", "--port", port())) {
      soak.awaitLine(when);
      var data = Path.of(soak.awaitLine("data in (\\S+)").group(1));
      soak.terminateWithAllThatItHasStarted();

      assertThat(soak.awaitExit()).isEqualTo(TERMINATED);
      assertThat(soak.output())
          .contains("sequitur soak: Stopped before the end: there is no report.")
          .doesNotContain("has ended", "does not answer");
      assertThat(soak.hasLeftAProcess()).isFalse();
      assertThat(data).doesNotExist();
    }
  }

  @Test
  void aSoakKeepsWhatItHasDoneInADirectoryThatItWasGiven() {
    try (var soak =
        start("soak", "--nodes", "1", "--minutes", "1", "--port", port(), "--data", "kept")) {
      soak.awaitLine("JVMs up");
      soak.terminateWithAllThatItHasStarted();

      assertThat(soak.awaitExit()).isEqualTo(TERMINATED);
      assertThat(soak.output()).contains("stay in " + directory.resolve("kept"));
      assertThat(directory.resolve("kept")).isNotEmptyDirectory();
    }
  }

  private static String port() {
    return "" + FreePorts.inARow(20);
  }
}
