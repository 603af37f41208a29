package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sequitur.fixture.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node whose ledger process is not there, as a person meets it at the terminal. */
class AbsentLedgerIT {
  @TempDir private Path directory;

  @Test
  void aNodeSaysWhichLedgerIsNotThereAndGoesOnWhenItIs() throws IOException {
    int port = FreePorts.inARow(1);
    var file =
        Files.writeString(
            directory.resolve("node.conf"),
            "node { name = node1, data-directory = data }\nrpc.port = 0\n"
                + "ledger { mode = remote, remote.port = %d }".formatted(port));
    try (var node = SequiturProcess.start(directory, "start", "--config", file.toString())) {
      node.awaitLine("There is no ledger at http://127.0.0.1:" + port + ": start it there");
      var url = node.awaitLine("JSON-RPC +(http://\\S+)").group(1);
      try (var ledger =
          SequiturProcess.start(
              directory,
              "ledger",
              "--data",
              "blocks",
              "--port",
              "" + port,
              "--block-time",
              "200ms")) {
        ledger.awaitLine("The ledger is up");
        var caller = new JsonRpcCaller(url);
        await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> caller.answer("bidx_getBlockByNumber", "[1]").hasNonNull("result"));
      }
      assertThat(node.output()).doesNotContain("\tat ");
    }
  }
}
