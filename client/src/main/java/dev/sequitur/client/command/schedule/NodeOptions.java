package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.client.CallFailure;
import dev.sequitur.client.CredentialOptions;
import dev.sequitur.client.Credentials;
import dev.sequitur.client.NodeCalls;
import dev.sequitur.console.WrongOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.net.ssl.SSLHandshakeException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * What all commands of the schedules take: which node, which queue, how to answer. What changes
 * something adds under which key it can be repeated.
 */
final class NodeOptions {
  static final JsonMapper JSON = new JsonMapper();

  @Option(
      names = "--node",
      paramLabel = "URL",
      defaultValue = "http://127.0.0.1:8545",
      converter = NodeUrl.class,
      description = "Where the node's JSON-RPC listens (default: http://127.0.0.1:8545).")
  private URI node;

  @Mixin private final CredentialOptions credentials = new CredentialOptions();

  @Option(
      names = "--queue",
      paramLabel = "NAME",
      defaultValue = "default",
      description = "The schedule queue (default: default).")
  private String queue;

  @Option(names = "--json", description = "Answer with JSON, as the node does.")
  private boolean json;

  /** Of what changes something alone: whoever only looks can look again. */
  private String idempotencyKey;

  /** Of JSON-RPC over HTTP. */
  static final class NodeUrl implements ITypeConverter<URI> {
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

  String queue() {
    return queue;
  }

  void repeatUnder(String key) {
    idempotencyKey = key;
  }

  /** The beginning of what a command sends: the queue, and the key if there is one. */
  ObjectNode command() {
    var command = JSON.createObjectNode().put("queue", queue);
    return idempotencyKey == null ? command : command.put("idempotencyKey", idempotencyKey);
  }

  /**
   * A time as a command sends it.
   *
   * @throws WrongOption if the command is to be repeated, and the time would be another one then
   */
  String time(Moment.Time at) {
    if (idempotencyKey != null && at.fromNow()) {
      throw new WrongOption(
          "A command with --key is the same whenever it is repeated, and a time from now is not:"
              + " write "
              + at.text()
              + ".");
    }
    return at.text();
  }

  /**
   * Whether signatures are given over the transaction that brings them, as in the profile current,
   * and not over the scheduled body.
   */
  boolean signsWholeTransactions() {
    for (var family : ask("schedule_overview").path("families")) {
      if (family.path("profile").asText().equals("current")) {
        return true;
      }
    }
    return false;
  }

  /** Whether the command can be repeated. */
  boolean hasKey() {
    return idempotencyKey != null;
  }

  /** Leaves out what was not said. */
  static void put(ObjectNode command, String field, String value) {
    if (value != null) {
      command.put(field, value);
    }
  }

  JsonNode call(String method, ObjectNode command) {
    return call(method, JSON.createArrayNode().add(command));
  }

  /** With one text and the queue. */
  JsonNode ask(String method, String text) {
    return call(method, JSON.createArrayNode().add(text).add(queue));
  }

  /** With the queue alone. */
  JsonNode ask(String method) {
    return call(method, JSON.createArrayNode().add(queue));
  }

  /**
   * @throws CallFailure with a sentence for the person, if the node refuses or does not answer
   */
  JsonNode call(String method, ArrayNode params) {
    return call(node, credentials.read(), method, params);
  }

  /** The same at another node, which is shown nothing: a token is for the node that has made it. */
  static JsonNode call(URI node, String method, ArrayNode params) {
    return call(node, Credentials.NONE, method, params);
  }

  private static JsonNode call(URI node, Credentials credentials, String method, ArrayNode params) {
    JsonNode answer;
    try {
      answer = new NodeCalls(List.of(node), credentials).batch(method, List.of(params)).get(0);
    } catch (SSLHandshakeException e) {
      throw new CallFailure(
          "The node at %s shows a certificate that cannot be believed: name who has issued it with --authority, and call the node by a name in it."
              .formatted(node),
          e);
    } catch (IOException e) {
      throw new CallFailure(
          "No node answers at %s: start it, or name another with --node.".formatted(node), e);
    }
    if (answer.has("error")) {
      var status = Optional.ofNullable(answer.at("/error/data/status").textValue());
      throw new CallFailure(forPeople(answer.at("/error/message").asText()), status);
    }
    return answer.get("result");
  }

  /** Without where in the call a field stands, which whoever typed a command never saw. */
  private static String forPeople(String message) {
    return message.replaceAll("params\\[\\d+] \\((\\w+)\\)", "$1").replace("params[0].", "");
  }

  /** Prints a result as JSON, or as its text. */
  void print(PrintWriter out, JsonNode result, Function<JsonNode, String> text) {
    out.println(json ? pretty(result) : text.apply(result));
    out.flush();
  }

  private static String pretty(JsonNode result) {
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(result);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("A result could not be written.", e);
    }
  }
}
