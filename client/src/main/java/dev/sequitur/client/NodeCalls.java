package dev.sequitur.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;

/**
 * Calls one node over JSON-RPC, at whichever of its JVMs answered last. Blocks the caller; confined
 * to one thread.
 *
 * <p>By the JDK's older client: the newer one takes a third of a second of a processor before its
 * first call, most of it to prepare TLS that is not used, and a command makes one call.
 */
public final class NodeCalls {
  /** A node takes no more in one batch. */
  public static final int MOST = 500;

  /** Makes what a node is sent, and reads what it answers. */
  public static final JsonMapper JSON = new JsonMapper();

  private static final Duration CONNECT = Duration.ofSeconds(2);
  private static final Duration ANSWER = Duration.ofSeconds(20);

  static {
    // Else it would send a call again by itself if its connection breaks off.
    System.setProperty("sun.net.http.retryPost", "false");
  }

  private final Optional<SSLContext> context;
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
    this.context = credentials.context();
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
    var connection = to(jvms.get(turn).resolve(path));
    var answer = new String(answer(connection), StandardCharsets.UTF_8);
    return new Page(connection.getResponseCode(), answer);
  }

  private JsonNode post(byte[] body) throws IOException {
    var connection = to(jvms.get(turn));
    connection.setRequestMethod("POST");
    connection.setRequestProperty("Content-Type", "application/json");
    connection.setDoOutput(true);
    try (var out = connection.getOutputStream()) {
      out.write(body);
    }
    return JSON.readTree(answer(connection));
  }

  private HttpURLConnection to(URI address) throws IOException {
    var connection = (HttpURLConnection) address.toURL().openConnection();
    connection.setConnectTimeout(Math.toIntExact(CONNECT.toMillis()));
    connection.setReadTimeout(Math.toIntExact(ANSWER.toMillis()));
    connection.setInstanceFollowRedirects(false);
    connection.setUseCaches(false);
    token.ifPresent(secret -> connection.setRequestProperty("Authorization", "Bearer " + secret));
    if (connection instanceof HttpsURLConnection secure) {
      context.map(SSLContext::getSocketFactory).ifPresent(secure::setSSLSocketFactory);
    }
    return connection;
  }

  /** The whole of it, whatever its status. */
  private static byte[] answer(HttpURLConnection connection) throws IOException {
    boolean isError = connection.getResponseCode() >= HttpURLConnection.HTTP_BAD_REQUEST;
    try (var body = isError ? connection.getErrorStream() : connection.getInputStream()) {
      return body == null ? new byte[0] : body.readAllBytes();
    }
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
