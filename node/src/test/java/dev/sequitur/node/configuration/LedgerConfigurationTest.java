package dev.sequitur.node.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import dev.sequitur.ledger.LedgerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerConfigurationTest {
  @TempDir Path directory;

  @Test
  void optionsGoBeforeTheFileAndTheFileBeforeTheDefaults() throws IOException {
    var file =
        Files.writeString(
            directory.resolve("ledger.conf"),
            "ledger { data-directory = blocks, port = 1, block-time = 3s }");
    var options = ConfigFactory.parseString("ledger.port = 2");

    var configuration = LedgerConfiguration.read(Optional.of(file), options);

    assertThat(configuration.listen()).isEqualTo(new HostAndPort("127.0.0.1", 2));
    assertThat(configuration.directory()).isEqualTo(directory.resolve("blocks"));
    assertThat(configuration.blocks())
        .isEqualTo(LedgerSettings.DEFAULT.withBlockTime(Duration.ofSeconds(3)));
  }

  @Test
  void withoutAPlaceForTheBlocksItSaysWhichOptionNamesOne() {
    assertThatThrownBy(() -> LedgerConfiguration.read(Optional.empty(), ConfigFactory.empty()))
        .isInstanceOf(ConfigurationMistakes.class)
        .hasMessageContaining("--data");
  }
}
