package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.fixture.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two nodes and their ledger, each a process of its own as in examples/two-nodes: first the one
 * that is told is killed, then the one that tells, before it could tell all.
 */
class MessagesOfKilledNodesIT {
  private static final Path EXAMPLES = Path.of("..", "examples", "two-nodes").toAbsolutePath();
  private static final String NODE_UP = "JSON-RPC +(http://\\S+)";
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  @TempDir Path directory;
  private int ports;

  @Test
  void whatMembersTellEachOtherIsOnEachNodeOnceAndInOrderWhoeverIsKilled() throws IOException {
    ports = FreePorts.inARow(5);
    try (var command =
        start("certificates", "--directory", "certificates", "node1", "node2", "ledger")) {
      assertThat(command.awaitExit()).as(command.output()).isZero();
    }
    var told = new ArrayList<String>();
    var answered = new ArrayList<String>();
    String group;
    try (var ledger = start("ledger", "--config", configured("ledger.conf"))) {
      ledger.awaitLine("The ledger is up");
      try (var first = start("start", "--config", configured("node1.conf"))) {
        var node1 = new JsonRpcCaller(first.awaitLine(NODE_UP).group(1));
        try (var second = start("start", "--config", configured("node2.conf"))) {
          var node2 = new JsonRpcCaller(second.awaitLine(NODE_UP).group(1));
          group = group(node1, node2);
          send(node1, group, 20, told);
          send(node2, group, 10, answered);
          awaitMessages(node2, "node1", told);
          second.kill();
        }
        send(node1, group, 100, told);
        first.kill();
      }
      try (var first = start("start", "--config", configured("node1.conf"));
          var second = start("start", "--config", configured("node2.conf"))) {
        var node1 = new JsonRpcCaller(first.awaitLine(NODE_UP).group(1));
        var node2 = new JsonRpcCaller(second.awaitLine(NODE_UP).group(1));
        awaitMessages(node2, "node1", told);
        send(node1, group, 10, told);
        for (var node : List.of(node1, node2)) {
          awaitMessages(node, "node1", told);
          awaitMessages(node, "node2", answered);
        }
        assertThat(ids(node1)).containsExactlyInAnyOrderElementsOf(ids(node2)).hasSize(140);
      }
    }
  }

  private static void send(JsonRpcCaller node, String group, int count, List<String> sent) {
    for (int i = 0; i < count; i++) {
      var text = "message " + sent.size();
      node.result(
          "pgroup_sendMessage",
          "[{'domain':'record','group':'%s','topic':'t','data':'%s'}]".formatted(group, text));
      sent.add(text);
    }
  }

  private static void awaitMessages(JsonRpcCaller node, String from, List<String> expected) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(values(messages(node, from), "data")).isEqualTo(expected));
  }

  private static JsonNode messages(JsonRpcCaller node, String from) {
    return node.result(
        "pgroup_queryMessages",
        "[{'limit':1000,'sort':['localSequence'],'eq':[{'field':'node','value':'%s'}]}]"
            .formatted(from));
  }

  private static List<String> ids(JsonRpcCaller node) {
    return values(node.result("pgroup_queryMessages", "[{'limit':1000}]"), "id");
  }

  private static List<String> values(JsonNode messages, String field) {
    var values = new ArrayList<String>();
    messages.forEach(message -> values.add(message.get(field).asText()));
    return values;
  }

  private static String group(JsonRpcCaller node1, JsonRpcCaller node2) {
    var id =
        node1
            .result(
                "pgroup_createGroup",
                "[{'domain':'record','name':'shared','members':['alice@node1','bob@node2']}]")
            .get("id")
            .asText();
    var params = "['record','" + id + "']";
    await()
        .atMost(PATIENCE)
        .until(() -> contract(node1, params).isTextual() && contract(node2, params).isTextual());
    return id;
  }

  private static JsonNode contract(JsonRpcCaller node, String params) {
    return node.result("pgroup_getGroupById", params).path("contractAddress");
  }

  /** The example's file with every port replaced. */
  private String configured(String name) throws IOException {
    var content =
        Files.readString(EXAMPLES.resolve(name))
            .replace("8545", "" + ports)
            .replace("8546", "" + (ports + 1))
            .replace("9001", "" + (ports + 2))
            .replace("9002", "" + (ports + 3))
            .replace("8600", "" + (ports + 4))
            .replace("block-time = 1s", "block-time = 200ms");
    return Files.writeString(directory.resolve(name), content).toString();
  }

  private SequiturProcess start(String... commandLine) {
    return SequiturProcess.start(directory, commandLine);
  }
}
