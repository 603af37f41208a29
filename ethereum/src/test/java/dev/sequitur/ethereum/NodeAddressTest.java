package dev.sequitur.ethereum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeAddressTest {
  @ParameterizedTest
  @CsvSource({
    "http://127.0.0.1:8545, http://127.0.0.1:8545, http://127.0.0.1:8545",
    "http://127.0.0.1:8545/, http://127.0.0.1:8545/, http://127.0.0.1:8545/",
    "https://a.example/v3/hunter2, https://a.example/v3/hunter2, https://a.example/…",
    "https://a.example?key=hunter2, https://a.example?key=hunter2, https://a.example/…",
    "https://me:hunter2@a.example:1/x, https://a.example:1/x, https://a.example:1/…",
    "https://me:hunter2@a.example, https://a.example, https://a.example"
  })
  void whatMayBeASecretIsAskedAndNotShown(URI named, URI asked, URI shown) {
    var address = NodeAddress.of(named);

    assertThat(address.at()).isEqualTo(asked);
    assertThat(address.shown()).isEqualTo(shown);
    assertThat(address.hide("no such project: hunter2")).doesNotContain(secretOf(named));
  }

  private static String secretOf(URI named) {
    return named.toString().contains("hunter2") ? "hunter2" : "nothing that is hidden";
  }

  @Test
  void userAndPasswordAreSentAndTheNodesWordsAreToldWithoutSecrets() throws IOException {
    var sent = new CompletableFuture<String>();
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          sent.complete(exchange.getRequestHeaders().getFirst("Authorization"));
          var words =
              "No project 0123456789abcdef of me:hunter2 here".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(403, words.length);
          exchange.getResponseBody().write(words);
          exchange.close();
        });
    server.start();
    try {
      var address =
          URI.create(
              "http://me:hunter2@127.0.0.1:%d/v3/0123456789abcdef"
                  .formatted(server.getAddress().getPort()));
      var rpc = new ChainRpc(List.of(address), ForkJoinPool.commonPool());

      assertThatThrownBy(() -> rpc.ask("eth_chainId").toCompletableFuture().join())
          .hasMessageContaining("127.0.0.1")
          .hasMessageContaining("403")
          .hasMessageNotContaining("hunter2")
          .hasMessageNotContaining("0123456789abcdef");
      assertThat(sent.join()).isEqualTo("Basic bWU6aHVudGVyMg==");
      assertThat(rpc.nodes().toString()).doesNotContain("hunter2", "0123456789abcdef");
    } finally {
      server.stop(0);
    }
  }
}
