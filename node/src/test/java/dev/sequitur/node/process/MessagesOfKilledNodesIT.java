package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two nodes and their ledger, each a process of its own as in examples/two-nodes: first the one
 * that is told is killed, then the one that tells, before it could tell all.
 */
@Tag("slow")
class MessagesOfKilledNodesIT {
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  @TempDir Path directory;

  @Test
  void whatMembersTellEachOtherIsOnEachNodeOnceAndInOrderWhoeverIsKilled() throws IOException {
    var nodes = TwoNodes.in(directory);
    var told = new ArrayList<String>();
    var answered = new ArrayList<String>();
    String group;
    try (var ledger = nodes.startLedger()) {
      ledger.awaitLine("The ledger is up");
      try (var first = nodes.startNode(1)) {
        var node1 = TwoNodes.caller(first);
        try (var second = nodes.startNode(2)) {
          var node2 = TwoNodes.caller(second);
          group = TwoNodes.group(node1, node2).id();
          send(node1, group, 20, told);
          send(node2, group, 10, answered);
          awaitMessages(node2, "node1", told);
          second.kill();
        }
        send(node1, group, 100, told);
        first.kill();
      }
      try (var first = nodes.startNode(1);
          var second = nodes.startNode(2)) {
        var node1 = TwoNodes.caller(first);
        var node2 = TwoNodes.caller(second);
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
}
