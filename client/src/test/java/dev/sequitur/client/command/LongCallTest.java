package dev.sequitur.client.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sequitur.console.RecordedConsole;
import dev.sequitur.console.StopSignal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ExitCode;

/** A command that has a node do something waits until it is done, and says what came of it. */
class LongCallTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final RecordedConsole console = new RecordedConsole();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private List<String> states = List.of();
  private HttpServer node;

  @BeforeEach
  void start() throws IOException {
    node = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    node.createContext("/", this::answer);
    node.start();
  }

  @AfterEach
  void stop() {
    node.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    var method = JSON.readTree(exchange.getRequestBody()).get(0).get("method").textValue();
    var state = states.get(asked.size());
    asked.add(method);
    var text =
        """
        [{"jsonrpc":"2.0","id":0,"result":{"state":"%s","directory":"backups","entries":3,
          "bytes":120,"written":40,"trouble":"The disk is gone."}}]
        """
            .formatted(state)
            .getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, text.length);
    try (var body = exchange.getResponseBody()) {
      body.write(text);
    }
  }

  private int backup(String... answered) {
    states = List.of(answered);
    return ClientCommands.commandLine(console.console(), new StopSignal())
        .execute("backup", "--node", "http://127.0.0.1:" + node.getAddress().getPort());
  }

  @Test
  void itIsAskedUntilItHasEnded() {
    assertThat(backup("running", "running", "done")).as(console.err()).isZero();

    assertThat(asked).containsExactly("node_backup", "node_backupStatus", "node_backupStatus");
    assertThat(console.out()).contains("is whole: 3 entries in 120 bytes, 40 bytes of them new");
  }

  @Test
  void oneThatFailsEndsTheCommandWithAnError() {
    assertThat(backup("running", "failed")).isEqualTo(ExitCode.SOFTWARE);

    assertThat(console.out()).contains("The backup has failed: The disk is gone.");
  }

  @Test
  void aJvmThatWasStartedAnewMeanwhileHasNotDoneIt() {
    assertThat(backup("running", "none")).isEqualTo(ExitCode.SOFTWARE);

    assertThat(console.err()).contains("was started anew meanwhile");
  }
}
