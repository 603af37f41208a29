package dev.sequitur.ethereum;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;

/**
 * A node before another one, whose answers it alters as a test wants, or that asks who calls.
 * Thread-safe.
 */
public final class AlteringNode implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final HttpServer server;
  private final URI behind;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private volatile Optional<Map.Entry<String, String>> admitted = Optional.empty();
  private volatile BiConsumer<JsonNode, ObjectNode> alteration = (request, answer) -> {};

  /** Alters nothing yet. */
  public AlteringNode(URI behind) throws IOException {
    this.behind = behind;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  /** Where it is asked. */
  public URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** Whoever does not show this header is refused from now on. */
  public AlteringNode admits(String header, String value) {
    admitted = Optional.of(Map.entry(header, value));
    return this;
  }

  private boolean isAdmitted(Headers shown) {
    return admitted
        .filter(asked -> !asked.getValue().equals(shown.getFirst(asked.getKey())))
        .isEmpty();
  }

  /**
   * From now on.
   *
   * @param how is given each call and its answer, which it may change
   */
  public AlteringNode alters(BiConsumer<JsonNode, ObjectNode> how) {
    alteration = how;
    return this;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = exchange.getRequestBody().readAllBytes();
      if (!isAdmitted(exchange.getRequestHeaders())) {
        exchange.sendResponseHeaders(401, -1);
        return;
      }
      var request = JSON.readTree(body);
      var answered =
          client.send(
              HttpRequest.newBuilder(behind)
                  .header("content-type", "application/json")
                  .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                  .build(),
              HttpResponse.BodyHandlers.ofByteArray());
      var answer = JSON.readTree(answered.body());
      if (request.isArray()) {
        for (int i = 0; i < request.size(); i++) {
          alteration.accept(request.get(i), (ObjectNode) answer.get(i));
        }
      } else {
        alteration.accept(request, (ObjectNode) answer);
      }
      var bytes = JSON.writeValueAsBytes(answer);
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
