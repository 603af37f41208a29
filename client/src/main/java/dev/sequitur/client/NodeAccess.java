package dev.sequitur.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.sequitur.console.AnswerOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.net.ssl.SSLHandshakeException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options of all commands that ask a node: which one, and how its answer is printed. */
public final class NodeAccess {
  @Option(
      names = "--node",
      paramLabel = "URL",
      defaultValue = "http://127.0.0.1:8545",
      converter = NodeUrl.class,
      description = "Where the node's JSON-RPC listens (default: http://127.0.0.1:8545).")
  private URI node;

  @Mixin private final CredentialOptions credentials = new CredentialOptions();

  @Mixin private final AnswerOption answer = new AnswerOption();

  /** Of JSON-RPC over HTTP. */
  public static final class NodeUrl implements ITypeConverter<URI> {
    @Override
    public URI convert(String text) {
      try {
        var url = new URI(text);
        if (url.getHost() != null && List.of("http", "https").contains(url.getScheme())) {
          return url;
        }
      } catch (URISyntaxException e) {
        // Falls through: the sentence is the same.
      }
      throw new TypeConversionException(
          "'" + text + "' is no address of a node: write it such as http://127.0.0.1:8545");
    }
  }

  /**
   * What a method answers.
   *
   * @param params an array
   * @throws CallFailure with a sentence for the person, if the node refuses or does not answer
   */
  public JsonNode call(String method, ArrayNode params) {
    return call(node, credentials.read(), method, params);
  }

  /**
   * Makes several calls of one method in one exchange.
   *
   * @param params of each call, an array; at most {@link NodeCalls#MOST} of them
   * @return the answers, with {@code result} or {@code error}, in the order of the calls
   * @throws CallFailure with a sentence for the person, if no whole answer came
   */
  public List<JsonNode> batch(String method, List<JsonNode> params) {
    try {
      return new NodeCalls(List.of(node), credentials.read()).batch(method, params);
    } catch (IOException e) {
      throw silent(node, e);
    }
  }

  /** With texts as parameters. */
  public JsonNode call(String method, String... params) {
    var array = NodeCalls.JSON.createArrayNode();
    List.of(params).forEach(array::add);
    return call(method, array);
  }

  /** The same at another node, which is shown nothing: a token is for the node that has made it. */
  public static JsonNode call(URI node, String method, ArrayNode params) {
    return call(node, Credentials.NONE, method, params);
  }

  private static JsonNode call(URI node, Credentials credentials, String method, ArrayNode params) {
    JsonNode answer;
    try {
      answer = new NodeCalls(List.of(node), credentials).batch(method, List.of(params)).get(0);
    } catch (IOException e) {
      throw silent(node, e);
    }
    checked(answer);
    return answer.get("result");
  }

  private static JsonNode checked(JsonNode answer) {
    if (answer.has("error")) {
      var status = Optional.ofNullable(answer.at("/error/data/status").textValue());
      throw new CallFailure(forPeople(answer.at("/error/message").asText()), status);
    }
    return answer;
  }

  /**
   * What the node answers at a path.
   *
   * @throws CallFailure with a sentence for the person, if it refuses or does not answer
   */
  public JsonNode get(String path) {
    try {
      return checked(NodeCalls.JSON.readTree(page(path).text()));
    } catch (IOException e) {
      throw silent(node, e);
    }
  }

  /** The same as text. */
  public NodeCalls.Page page(String path) {
    try {
      return new NodeCalls(List.of(node), credentials.read()).get(path);
    } catch (IOException e) {
      throw silent(node, e);
    }
  }

  /**
   * The address of something on the node's page, as this command reaches the node, to be sent to
   * others: without a name and password that may stand before the host.
   *
   * @param shown what stands behind the #/ of the page's address
   */
  public String pageOf(String shown) {
    var port = node.getPort() < 0 ? "" : ":" + node.getPort();
    var path = node.getRawPath() == null ? "" : node.getRawPath().replaceAll("/+$", "");
    return "%s://%s%s%s/page/#/%s".formatted(node.getScheme(), node.getHost(), port, path, shown);
  }

  private static CallFailure silent(URI node, IOException cause) {
    if (cause instanceof SSLHandshakeException) {
      return new CallFailure(
          "The node at %s shows a certificate that cannot be believed: name who has issued it with --authority, and call the node by a name in it."
              .formatted(node),
          cause);
    }
    boolean answers =
        !(cause instanceof ConnectException
            || cause instanceof NoRouteToHostException
            || cause instanceof SocketTimeoutException
            || cause instanceof UnknownHostException);
    if (node.getScheme().equals("http") && answers) {
      return new CallFailure(
          "What listens at %s does not answer as a node: write https:// if it has TLS, or name another with --node."
              .formatted(node),
          cause);
    }
    return new CallFailure(
        "No node answers at %s: start it, or name another with --node.".formatted(node), cause);
  }

  /** Without where in the call a field stands, which whoever typed a command never saw. */
  public static String forPeople(String message) {
    return message.replaceAll("params\\[\\d+] \\((\\w+)\\)", "$1").replace("params[0].", "");
  }

  /** Prints a result as JSON, as the node gave it, or as its text. */
  public void print(PrintWriter out, JsonNode result, Function<JsonNode, String> text) {
    answer.print(out, result, text);
  }
}
