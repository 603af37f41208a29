package dev.sequitur.node.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import dev.sequitur.ledger.LedgerSettings;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
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
            "ledger { data-directory = blocks, port = 1, block-time = 3s, checkpoint-every = 500 }");
    var options = ConfigFactory.parseString("ledger.port = 2");

    var configuration = LedgerConfiguration.read(Optional.of(file), options);

    assertThat(configuration.listen()).isEqualTo(new HostAndPort("127.0.0.1", 2));
    assertThat(configuration.directory()).isEqualTo(directory.resolve("blocks"));
    assertThat(configuration.blocks())
        .isEqualTo(
            LedgerSettings.DEFAULT.withBlockTime(Duration.ofSeconds(3)).withCheckpointEvery(500));
  }

  @Test
  void blocksAreDroppedOnceTheNamedReadersAgree() {
    var address = "0x" + "ab".repeat(20);

    var blocks =
        read("ledger { checkpoint-every = 500, keep-blocks = 9000, readers.node1 = \"%s\" }"
                .formatted(address))
            .blocks();

    assertThat(blocks.readers()).isEqualTo(Map.of("node1", new LedgerAddress(address)));
    assertThat(blocks.keep()).contains(9_000L);
    assertThat(read("").blocks().keep()).isEmpty();
  }

  @Test
  void blocksAreNotDroppedWithoutReadersOrCheckpoints() {
    assertThatThrownBy(() -> read("ledger { checkpoint-every = 500, keep-blocks = 9000 }"))
        .hasMessageContaining("ledger.keep-blocks: ")
        .hasMessageContaining("name the readers");
    assertThatThrownBy(
            () ->
                read(
                    "ledger { keep-blocks = 9000, readers.node1 = \"0x%s\" }"
                        .formatted("ab".repeat(20))))
        .hasMessageContaining("ledger.keep-blocks: ");
    assertThatThrownBy(() -> read("ledger.keep-blocks = -1"))
        .hasMessageContaining("forever or a whole number of 0 at least");
    assertThatThrownBy(() -> read("ledger.readers.node1 = someone"))
        .hasMessageContaining("ledger.readers.node1");
  }

  @Test
  void withoutAPlaceForTheBlocksItSaysWhichOptionNamesOne() {
    assertThatThrownBy(() -> LedgerConfiguration.read(Optional.empty(), ConfigFactory.empty()))
        .isInstanceOf(ConfigurationMistakes.class)
        .hasMessageContaining("--data");
  }

  @Test
  void beyondLoopbackItWantsTlsOrToBeToldThatItBelievesEverybody() {
    assertThatThrownBy(() -> read("ledger.host = \"0.0.0.0\""))
        .isInstanceOf(ConfigurationMistakes.class)
        .hasMessageContaining("believes whoever connects");

    assertThat(read("ledger { host = \"0.0.0.0\", believe-everybody = true }").tls()).isEmpty();
    assertThat(read("ledger.host = localhost").tls()).isEmpty();
    var secure =
        read(
            "ledger { host = \"0.0.0.0\", tls { enabled = true, certificate = c, private-key = k,"
                + " authority = a, nodes = [node1] } }");
    assertThat(secure.tls())
        .hasValueSatisfying(tls -> assertThat(tls.ledger()).hasToString("ledger"));
    assertThat(secure.nodes()).containsExactly(new NodeName("node1"));
  }

  @Test
  void aListOfNodesNeedsTls() {
    assertThatThrownBy(() -> read("ledger.tls.nodes = [node1]"))
        .hasMessageContaining("ledger.tls.enabled");
  }

  @Test
  void limitsThatDoNotFitTogetherAreTold() {
    assertThatThrownBy(
            () -> read("ledger.limits { connections = 10, connections-per-address = 11 }"))
        .hasMessageContaining("ledger.limits: ");
    assertThatThrownBy(() -> read("ledger.limits.each-call = 0s"))
        .hasMessageContaining("ledger.limits.each-call");
  }

  private static LedgerConfiguration read(String content) {
    return LedgerConfiguration.read(
        Optional.empty(), ConfigFactory.parseString(content + "\nledger.data-directory = blocks"));
  }
}
