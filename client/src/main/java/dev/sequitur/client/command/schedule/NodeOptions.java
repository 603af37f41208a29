package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.client.CallFailure;
import dev.sequitur.client.NodeAccess;
import dev.sequitur.client.NodeCalls;
import dev.sequitur.console.WrongOption;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * What all commands of the schedules take: which node, which queue, how to answer. What changes
 * something adds under which key it can be repeated.
 */
final class NodeOptions {
  @Mixin private final NodeAccess access = new NodeAccess();

  @Option(
      names = "--queue",
      paramLabel = "NAME",
      defaultValue = "default",
      description = "The schedule queue (default: default).")
  private String queue;

  /** Of what changes something alone: whoever only looks can look again. */
  private String idempotencyKey;

  String queue() {
    return queue;
  }

  void repeatUnder(String key) {
    idempotencyKey = key;
  }

  /** The beginning of what a command sends: the queue, and the key if there is one. */
  ObjectNode command() {
    var command = NodeCalls.JSON.createObjectNode().put("queue", queue);
    return idempotencyKey == null ? command : command.put("idempotencyKey", idempotencyKey);
  }

  /**
   * A time as a command sends it.
   *
   * @throws WrongOption if the command is to be repeated, and the time would be another one then
   */
  String time(WrittenMoment.Time at) {
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

  /** Where the node's page shows one of the queue. */
  String page(String what, String id) {
    return access.pageOf(
        "%s/%s?queue=%s"
            .formatted(
                what,
                URLEncoder.encode(id, StandardCharsets.UTF_8),
                URLEncoder.encode(queue, StandardCharsets.UTF_8)));
  }

  /** Whether the command can be repeated. */
  boolean hasKey() {
    return idempotencyKey != null;
  }

  /** Under which the command can be repeated. */
  Optional<String> key() {
    return Optional.ofNullable(idempotencyKey);
  }

  /** Leaves out what was not said. */
  static void put(ObjectNode command, String field, String value) {
    if (value != null) {
      command.put(field, value);
    }
  }

  JsonNode call(String method, ObjectNode command) {
    return call(method, NodeCalls.JSON.createArrayNode().add(command));
  }

  /** With these texts and the queue. */
  JsonNode ask(String method, String... texts) {
    var params = NodeCalls.JSON.createArrayNode();
    Stream.of(texts).forEach(params::add);
    return call(method, params.add(queue));
  }

  /**
   * @throws CallFailure with a sentence for the person, if the node refuses or does not answer
   */
  JsonNode call(String method, ArrayNode params) {
    return access.call(method, params);
  }

  /** As {@link NodeAccess#batch}, one object for each call. */
  List<JsonNode> batch(String method, List<ObjectNode> commands) {
    return access.batch(
        method,
        commands.stream()
            .<JsonNode>map(command -> NodeCalls.JSON.createArrayNode().add(command))
            .toList());
  }

  /** Prints a result as JSON, or as its text. */
  void print(PrintWriter out, JsonNode result, Function<JsonNode, String> text) {
    access.print(out, result, text);
  }
}
