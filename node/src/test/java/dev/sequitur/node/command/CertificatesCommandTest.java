package dev.sequitur.node.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.console.RecordedConsole;
import dev.sequitur.console.StopSignal;
import dev.sequitur.links.tls.Certificates;
import dev.sequitur.links.tls.Certificates.Validity;
import dev.sequitur.node.process.ProcessStarter;
import dev.sequitur.protocol.id.NodeName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificatesCommandTest {
  private static final Instant NOW = Instant.now();

  @TempDir Path directory;

  private RecordedConsole console = new RecordedConsole();

  @BeforeEach
  void configure() throws IOException {
    issue(Duration.ofDays(10));
    Files.writeString(
        directory.resolve("node.conf"),
        """
        node { name = node1, data-directory = data }
        rpc.tls { enabled = true, certificate = node1.pem, private-key = node1.key.pem }
        transport {
          enabled = true
          tls { certificate = node1.pem, private-key = node1.key.pem, authority = authority.pem }
        }
        cluster {
          enabled = true, host = localhost, port = 9100, seed-nodes = ["localhost:9100"]
          tls { certificate = node1.pem, private-key = node1.key.pem, authority = authority.pem }
        }
        postgresql { url = "jdbc:postgresql://localhost/s", user = u, password = p, schema = s }
        ledger {
          mode = ethereum
          ethereum {
            rpc = ["https://localhost:8545"], factory = "0x%s"
            access { certificate = node1.pem, private-key = node1.key.pem, authority = authority.pem }
          }
        }
        """
            .formatted("11".repeat(20)));
  }

  private void issue(Duration left) throws IOException {
    Certificates.writeNetwork(
        directory,
        List.of(new NodeName("node1")),
        new Validity(NOW.minus(Duration.ofDays(20)), NOW.plus(left)));
  }

  @Test
  void ofEachPlaceItSaysWhoseTheCertificateIsAndWhenItEnds() {
    assertThat(run()).as(console.err()).isZero();

    assertThat(console.out().lines().filter(line -> line.contains("node1.pem")))
        .extracting(line -> line.substring(0, line.indexOf(' ')))
        .containsExactly("transport", "rpc", "cluster", "ledger");
    assertThat(console.out()).contains("for node1, by CN=", "9 days left");
  }

  @Test
  void oneThatCannotBeUsedIsToldByItsExitCodeToo() throws IOException {
    issue(Duration.ofDays(-1));

    assertThat(run()).isEqualTo(1);
    assertThat(console.out())
        .contains("0 days left", "NOT usable: The certificate ", " expired on ");

    Files.delete(directory.resolve("node1.pem"));
    console = new RecordedConsole();
    assertThat(run()).isEqualTo(1);
    assertThat(console.out()).contains("NOT usable: ", "does not exist");
  }

  @Test
  void withoutNodesNothingIsMade() {
    assertThat(execute("certificates", "--directory", directory.resolve("new").toString()))
        .isEqualTo(2);
    assertThat(console.err()).contains("Name the nodes");
    assertThat(directory.resolve("new")).doesNotExist();
  }

  private int run() {
    return execute("certificates", "show", "--config", directory.resolve("node.conf").toString());
  }

  private int execute(String... arguments) {
    var context = new CommandContext(console.console(), new StopSignal(), new ProcessStarter());
    return NodeCommands.commandLine(context).execute(arguments);
  }
}
