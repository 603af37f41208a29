package dev.sequitur.ethereum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import dev.sequitur.ethereum.ChainAccess.Shown;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is shown to a chain's node, and to nobody else. */
class ChainAccessTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

  @TempDir Path directory;

  private HttpServer server;
  private volatile Headers sent;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          sent = exchange.getRequestHeaders();
          var words =
              "I do not know %s %s"
                  .formatted(sent.getFirst("X-Api-Key"), sent.getFirst("Authorization"))
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(401, words.length);
          exchange.getResponseBody().write(words);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  /** What its caller is told. */
  private String ask(Shown... shown) {
    var address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    var rpc =
        new ChainRpc(
            List.of(address),
            ChainRpc.KEY,
            new ChainAccess(List.of(shown), Optional.empty(), InstantSource.fixed(NOW)),
            ChainRpc.Limits.DEFAULT,
            ForkJoinPool.commonPool());
    var told = new StringBuilder();
    assertThatThrownBy(() -> rpc.ask("eth_chainId").toCompletableFuture().join())
        .hasCauseInstanceOf(LedgerUnreachableException.class)
        .satisfies(failure -> told.append(failure.getMessage()));
    return told.toString();
  }

  @Test
  void aHeaderIsSentAndNotTold() {
    var told = ask(new Shown.Header("x-api-key", new Secret.Given("hunter2")));

    assertThat(sent.getFirst("X-Api-Key")).isEqualTo("hunter2");
    assertThat(told).contains("401").doesNotContain("hunter2");
  }

  @Test
  void aTokenIsReadAgainFromItsFileForEachRequestAndNotTold() throws IOException {
    var file = Files.writeString(directory.resolve("token"), "first-token\n");
    assertThat(ask(new Shown.Bearer(new Secret.InFile(file)))).doesNotContain("first-token");
    assertThat(sent.getFirst("Authorization")).isEqualTo("Bearer first-token");

    Files.writeString(file, "second-token");
    ask(new Shown.Bearer(new Secret.InFile(file)));
    assertThat(sent.getFirst("Authorization")).isEqualTo("Bearer second-token");
  }

  /** The last part was made with another program of the same key and text. */
  @Test
  void aTokenIsMadeOfAKeyWithTheTimeAndNotTold() {
    var told = ask(new Shown.Jwt(new Secret.Given("0x" + "0f".repeat(32))));

    var token = sent.getFirst("Authorization").substring("Bearer ".length());
    var parts = token.split("\\.");
    assertThat(decoded(parts[0])).isEqualTo("{\"alg\":\"HS256\",\"typ\":\"JWT\"}");
    assertThat(decoded(parts[1])).isEqualTo("{\"iat\":1893456000}");
    assertThat(parts[2]).isEqualTo("W3iDOYrj6LFbBkTGQfFbD-QE0atgZ-6K9ISc5NJCc8w");
    assertThat(told).doesNotContain(token, parts[2]);
  }

  private static String decoded(String part) {
    return new String(Base64.getUrlDecoder().decode(part), StandardCharsets.UTF_8);
  }

  @Test
  void whatCannotBeReadIsToldByItsPlace() throws IOException {
    var missing = directory.resolve("none");
    assertThat(ask(new Shown.Bearer(new Secret.InFile(missing))))
        .contains(missing.toString(), "let this user read it");
    var two = Files.writeString(directory.resolve("two"), "hunter2\nhunter2");
    assertThat(ask(new Shown.Bearer(new Secret.InFile(two))))
        .contains(two.toString(), "one line")
        .doesNotContain("hunter2");
    assertThat(ask(new Shown.Jwt(new Secret.Given("hunter2hunter2"))))
        .contains("32 bytes")
        .doesNotContain("hunter2");
  }

  @Test
  void aSecretIsNotPrinted() {
    assertThat(new Shown.Bearer(new Secret.Given("hunter2")).toString()).doesNotContain("hunter2");
  }
}
