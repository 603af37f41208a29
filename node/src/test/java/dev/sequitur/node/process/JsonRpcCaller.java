package dev.sequitur.node.process;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Calls one node over HTTP and knows nothing else of it. */
public record JsonRpcCaller(String url) {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final JsonMapper JSON = new JsonMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** What stands still is given up, as a caller would; longer than a node lets a call last. */
  private static final Duration CALL = Duration.ofSeconds(40);

  /**
   * The whole answer.
   *
   * @param params a JSON array; apostrophes stand for quotation marks
   */
  public JsonNode answer(String method, String params) {
    var body =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\""
            + method
            + "\",\"params\":"
            + params.replace('\'', '"')
            + "}";
    try {
      return JSON.readTree(post(body));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** What it answers, which must be no error. */
  public JsonNode result(String method, String params) {
    var answer = answer(method, params);
    if (!answer.has("result")) {
      throw new AssertionError(method + " " + params + ": " + answer);
    }
    return answer.get("result");
  }

  /** Waits until a result is there and not null. */
  public JsonNode awaitResult(String method, String params) {
    return await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .until(() -> result(method, params), result -> !result.isNull());
  }

  /** Waits until a field of a result is there and not null. */
  public JsonNode awaitResult(String method, String params, String field) {
    return await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .until(() -> result(method, params).path(field), value -> !value.isNull());
  }

  /** The body of the answer. */
  public String post(String body) {
    return exchange(
        HttpRequest.newBuilder(URI.create(url))
            .timeout(CALL)
            .header("content-type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build());
  }

  /** The body of the answer. */
  public String get(String path) {
    return exchange(HttpRequest.newBuilder(URI.create(url + path)).timeout(CALL).build());
  }

  private static String exchange(HttpRequest request) {
    try {
      return HTTP.send(request, BodyHandlers.ofString()).body();
    } catch (IOException e) {
      throw new AssertionError(request.uri() + " does not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
