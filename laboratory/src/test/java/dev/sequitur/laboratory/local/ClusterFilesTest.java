package dev.sequitur.laboratory.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import dev.sequitur.persistence.postgres.PostgresSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterFilesTest {
  private static final PostgresSettings DATABASE =
      new PostgresSettings("jdbc:postgresql://127.0.0.1:5432/db", "me", "hunter2", "any");

  @TempDir private Path directory;

  @Test
  void whatHoldsThePasswordIsForItsUserAlone() throws IOException {
    var jvm = new ClusterPlan.Jvm(1, 1);
    // Left there by somebody for everybody to read.
    Files.writeString(directory.resolve("node1-1.conf"), "");

    var file = files(Map.of()).jvm(jvm, DATABASE);

    var config = ConfigFactory.parseFile(file.toFile());
    assertThat(config.getString("postgresql.password")).isEqualTo("hunter2");
    assertThat(rights(file)).isEqualTo("rw-------");
  }

  @Test
  void theLedgersFileIsForItsUserAlone() throws IOException {
    assertThat(rights(files(Map.of()).ledger())).isEqualTo("rw-------");
  }

  @Test
  void aJvmHasTheTimeToStartThatThePersonGivesIt() throws IOException {
    var jvm =
        ConfigFactory.parseFile(files(Map.of()).jvm(new ClusterPlan.Jvm(2, 1), DATABASE).toFile());

    assertThat(jvm.getDuration("node.start-timeout")).isEqualTo(Duration.ofMinutes(7));
  }

  private static String rights(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  private ClusterFiles files(Map<String, String> settings) {
    return new ClusterFiles(
        new ClusterPlan(
            2,
            2,
            directory,
            18_500,
            Duration.ofSeconds(1),
            Optional.of(DATABASE),
            settings,
            Duration.ofMinutes(7)));
  }
}
