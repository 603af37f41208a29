package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.console.Release;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiagnosisMethodsTest {
  @TempDir Path directory;

  @Test
  void aNodeTellsItsReleaseConfigurationThreadsAndTheEndOfItsLog() throws IOException {
    var log = Files.writeString(directory.resolve("sequitur.log"), "one line\n");
    try (var rpc = RunningRpc.of(new Diagnosable("node { name = node1 }", Optional.of(log)))) {
      var told = rpc.result("node_diagnose", "[]");

      assertThat(told.get("version").asText()).isEqualTo(Release.name());
      assertThat(told.get("configuration").asText()).isEqualTo("node { name = node1 }");
      assertThat(told.get("log").asText()).isEqualTo("one line\n");
      assertThat(told.get("threads").asText())
          .contains("diagnosis")
          .contains(": RUNNABLE\n    at ")
          .doesNotContain("DEADLOCKED");
      assertThat(told.get("started").asText()).startsWith("20").endsWith("Z");
    }
  }

  @Test
  void aLogThatCannotBeReadHidesNothingElse() {
    var gone = directory.resolve("gone.log");
    try (var rpc = RunningRpc.of(new Diagnosable("node { name = node1 }", Optional.of(gone)))) {
      var told = rpc.result("node_diagnose", "[]");

      assertThat(told.get("log").asText()).startsWith("The log cannot be read: ");
      assertThat(told.get("configuration").asText()).isEqualTo("node { name = node1 }");
    }
  }

  @Test
  void aProcessThatWritesNoFileLeavesTheLogOut() {
    try (var rpc = RunningRpc.withDefaults()) {
      assertThat(rpc.result("node_diagnose", "[]").has("log")).isFalse();
    }
  }
}
