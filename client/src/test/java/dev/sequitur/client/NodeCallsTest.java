package dev.sequitur.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What stands in for a node answers each call as the test wants it. */
@Timeout(120)
class NodeCallsTest {
  private static final List<JsonNode> ONE_CALL = List.of(JsonNodeFactory.instance.arrayNode());

  private static URI url(int port) {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** It may have been done. */
  @Test
  void aCallWhoseConnectionBreaksOffIsNotMadeAgain() throws IOException {
    var taken = new AtomicInteger();
    try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      var serving =
          CompletableFuture.runAsync(
              () -> {
                while (!server.isClosed()) {
                  try (var connection = server.accept()) {
                    if (connection.getInputStream().read(new byte[10_000]) > 0) {
                      taken.incrementAndGet();
                    }
                  } catch (IOException e) {
                    return;
                  }
                }
              });
      var calls = new NodeCalls(List.of(url(server.getLocalPort())));

      assertThatThrownBy(() -> calls.batch("ptx_sendTransaction", ONE_CALL))
          .isInstanceOf(IOException.class);
      server.close();
      serving.join();
    }

    assertThat(taken).hasValue(1);
  }

  @Test
  void anAnswerIsReadWhateverItsStatusAndNobodyIsFollowedElsewhere() throws IOException {
    var status = new AtomicInteger();
    var shown = new AtomicReference<>("");
    var asked = new AtomicInteger();
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          asked.incrementAndGet();
          shown.set(exchange.getRequestHeaders().getFirst("Authorization"));
          exchange.getResponseHeaders().set("Location", "/elsewhere");
          var body =
              "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"message\":\"no\"}}"
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status.get(), body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    try {
      var credentials = new Credentials(Optional.of("secret"), Optional.empty());
      var calls = new NodeCalls(List.of(url(server.getAddress().getPort())), credentials);
      for (int code : List.of(200, 302, 401, 403, 429, 503)) {
        status.set(code);

        assertThat(calls.batch("node_name", ONE_CALL).get(0).at("/error/message").asText())
            .isEqualTo("no");
        assertThat(calls.get("/health").status()).isEqualTo(code);
      }
    } finally {
      server.stop(0);
    }
    assertThat(shown).hasValue("Bearer secret");
    assertThat(asked).hasValue(12);
  }
}
