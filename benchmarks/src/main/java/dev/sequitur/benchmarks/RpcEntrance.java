package dev.sequitur.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.NodeStore.Intent;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * JSON-RPC over HTTP on connections that stay open: each request is a batch of calls, as a program
 * sends them that has many transactions. Thread-safe.
 */
final class RpcEntrance implements Entrance {
  /** Requests under way at one node, each on a connection of its own. */
  private static final int CONNECTIONS = 8;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final HttpClient client;
  private final URI node;
  private final Optional<String> token;
  private final int calls;

  /**
   * @param token is sent with each request
   * @param calls in one request
   */
  RpcEntrance(HttpClient client, URI node, Optional<String> token, int calls) {
    this.client = client;
    this.node = node;
    this.token = token;
    this.calls = calls;
  }

  /** For all nodes together. */
  static HttpClient client() {
    return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }

  @Override
  public int together() {
    return calls;
  }

  @Override
  public int atOnce() {
    return CONNECTIONS;
  }

  @Override
  public CompletableFuture<List<TransactionId>> submit(List<Intent> intents) {
    var request =
        HttpRequest.newBuilder(node)
            .timeout(PATIENCE)
            .header("content-type", "application/json")
            .POST(BodyPublishers.ofByteArray(body(intents)));
    token.ifPresent(secret -> request.header("authorization", "Bearer " + secret));
    return client
        .sendAsync(request.build(), BodyHandlers.ofByteArray())
        .thenApply(RpcEntrance::ids);
  }

  /** Nothing in it needs to be escaped: names, addresses, and inputs that are JSON already. */
  private static byte[] body(List<Intent> intents) {
    var text = new StringBuilder("[");
    for (var intent : intents) {
      var sent = intent.privately().orElseThrow();
      text.append(text.length() == 1 ? "" : ",")
          .append("{\"jsonrpc\":\"2.0\",\"id\":")
          .append(text.length())
          .append(",\"method\":\"ptx_sendTransaction\",\"params\":[{\"type\":\"private\"")
          .append(",\"domain\":\"")
          .append(sent.domain())
          .append("\",\"from\":\"")
          .append(sent.from())
          .append("\",\"to\":\"")
          .append(sent.contract().value())
          .append("\",\"function\":\"")
          .append(sent.function())
          .append("\",\"data\":")
          .append(sent.inputs().toUtf8())
          .append("}]}");
    }
    return text.append(']').toString().getBytes(StandardCharsets.UTF_8);
  }

  private static List<TransactionId> ids(HttpResponse<byte[]> response) {
    var answers = JsonText.parse(response.body());
    var ids = new ArrayList<TransactionId>(answers.size());
    for (JsonNode answer : answers) {
      if (!answer.path("result").isTextual()) {
        throw new IllegalStateException("A transaction was refused: " + answer);
      }
      ids.add(TransactionId.parse(answer.get("result").textValue()));
    }
    return ids;
  }
}
