package dev.sequitur.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Calls one node over JSON-RPC, at whichever of its JVMs answered last. Blocks the caller; confined
 * to one thread.
 */
public final class NodeCalls {
  /** A node takes no more in one batch. */
  public static final int MOST = 500;

  private static final Duration CONNECT = Duration.ofSeconds(2);
  private static final Duration ANSWER = Duration.ofSeconds(20);
  private static final JsonMapper JSON = new JsonMapper();

  private final HttpClient http;
  private final Optional<String> token;
  private final List<URI> jvms;
  private int turn;

  /**
   * @param jvms of the one node
   */
  public NodeCalls(List<URI> jvms) {
    this(jvms, Credentials.NONE);
  }

  /**
   * @param jvms of the one node
   */
  public NodeCalls(List<URI> jvms, Credentials credentials) {
    this.jvms = List.copyOf(jvms);
    this.token = credentials.token();
    var builder =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT);
    credentials.context().ifPresent(builder::sslContext);
    this.http = builder.build();
  }

  /**
   * Makes several calls of one method in one exchange.
   *
   * @param parameters of each call, an array; at most {@link #MOST} of them
   * @return the answers, with {@code result} or {@code error}, in the order of the calls
   * @throws IOException if no whole answer came: what was asked may have been done all the same,
   *     and the next call goes to another JVM, if there is one
   */
  public List<JsonNode> batch(String method, List<JsonNode> parameters) throws IOException {
    var requests = JSON.createArrayNode();
    for (int id = 0; id < parameters.size(); id++) {
      requests
          .addObject()
          .put("jsonrpc", "2.0")
          .put("id", id)
          .put("method", method)
          .set("params", parameters.get(id));
    }
    try {
      return inOrder(post(JSON.writeValueAsBytes(requests)), parameters.size());
    } catch (IOException e) {
      turn = (turn + 1) % jvms.size();
      throw e;
    }
  }

  /** What stands at a path, with the status of HTTP: 503 is one that tells of a node's trouble. */
  public record Page(int status, String text) {}

  /**
   * What the node answers at a path.
   *
   * @throws IOException if there is no answer
   */
  public Page get(String path) throws IOException {
    var request = to(jvms.get(turn).resolve(path)).build();
    try {
      var answer = http.send(request, BodyHandlers.ofString());
      return new Page(answer.statusCode(), answer.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while waiting for an answer.", e);
    }
  }

  private JsonNode post(byte[] body) throws IOException {
    var request =
        to(jvms.get(turn))
            .header("content-type", "application/json")
            .POST(BodyPublishers.ofByteArray(body))
            .build();
    try {
      return JSON.readTree(http.send(request, BodyHandlers.ofByteArray()).body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while waiting for an answer.", e);
    }
  }

  private HttpRequest.Builder to(URI address) {
    var request = HttpRequest.newBuilder(address).timeout(ANSWER);
    token.ifPresent(secret -> request.header("authorization", "Bearer " + secret));
    return request;
  }

  private static List<JsonNode> inOrder(JsonNode answers, int size) throws IOException {
    if (answers.has("error")) {
      // Of the exchange as a whole: none of its calls was made.
      return Collections.nCopies(size, answers);
    }
    var ordered = new JsonNode[size];
    for (var answer : answers) {
      int id = answer.path("id").asInt(-1);
      if (id >= 0 && id < size) {
        ordered[id] = answer;
      }
    }
    var list = new ArrayList<JsonNode>(size);
    for (var answer : ordered) {
      if (answer == null) {
        throw new IOException("A node has answered only some of the calls of a batch.");
      }
      list.add(answer);
    }
    return list;
  }
}
