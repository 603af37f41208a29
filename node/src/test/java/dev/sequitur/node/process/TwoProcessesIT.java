package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The configurations of examples/two-nodes, on other ports: three processes, mutual TLS. */
class TwoProcessesIT {
  private static final String[] STEPS = {
    "DelegationCommand",
    "AssembleRequest",
    "AssembleResponse",
    "EndorsementRequest",
    "EndorsementResponse",
    "RequestDispatchConfirmation",
    "DispatchConfirmationResponse",
    "Dispatched"
  };

  @TempDir Path directory;

  @Test
  void twoNodesShareARecordAndOneOfThemIsKilledOnTheWay() throws IOException {
    var nodes = TwoNodes.in(directory);
    try (var ledger = nodes.startLedger();
        var first = nodes.startNode(1)) {
      ledger.awaitLine("The ledger is up");
      var node1 = TwoNodes.caller(first);
      String contract;
      try (var second = nodes.startNode(2)) {
        var node2 = TwoNodes.caller(second);
        contract = TwoNodes.group(node1, node2).contract();
        var traced = confirm(node1, increment(contract, "alice"));
        confirm(node2, increment(contract, "bob"));
        assertThatBothShowTheWholeExchange(node1, node2, traced);
        node2.result("ptx_sendTransaction", increment(contract, "bob"));
        second.kill();
        assertThat(names(trace(node1, traced).get("silent"))).containsExactly("node2");
      }
      try (var again = nodes.startNode(2)) {
        var node2 = TwoNodes.caller(again);
        confirm(node2, increment(contract, "bob"));
        confirm(node1, increment(contract, "alice"));
        awaitVisits(node1, contract, "alice", 5);
        awaitVisits(node2, contract, "bob", 5);
        again.stop();
        assertThat(again.output()).contains("Node node2 is stopped.").doesNotContain("\tat ");
      }
      first.stop();
      ledger.stop();
      assertThat(ledger.output()).contains("The ledger is stopped.");
    }
  }

  private static String increment(String contract, String from) {
    return "[{'type':'private','domain':'record','function':'increment','from':'"
        + from
        + "','to':'"
        + contract
        + "','data':{'key':'visits','by':1}}]";
  }

  /** Whoever is asked: what one node does within itself, the other knows only by asking. */
  private static void assertThatBothShowTheWholeExchange(
      JsonRpcCaller node1, JsonRpcCaller node2, String transaction) {
    var atFirst = wholeTrace(node1, transaction);
    var atSecond = wholeTrace(node2, transaction);
    assertThat(exchange(atFirst)).containsSubsequence(STEPS);
    assertThat(exchange(atSecond)).containsSubsequence(STEPS);
    assertThat(atFirst.get("messages").findValuesAsText("messageId")).doesNotHaveDuplicates();
    assertThat(atFirst.get("messages"))
        .anySatisfy(
            message -> assertThat(names(message.get("seenBy"))).containsExactly("node1", "node2"));
  }

  /** Without what is sent again and again. */
  private static List<String> exchange(JsonNode trace) {
    return StreamSupport.stream(trace.get("messages").spliterator(), false)
        .filter(message -> !message.get("type").asText().endsWith("HeartbeatNotification"))
        .map(message -> message.get("type").asText())
        .toList();
  }

  /** On a busy machine a node may not answer in time. */
  private static JsonNode wholeTrace(JsonRpcCaller node, String transaction) {
    return Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> trace(node, transaction), trace -> trace.get("silent").isEmpty());
  }

  private static JsonNode trace(JsonRpcCaller node, String transaction) {
    return node.result("sequencer_traceTransaction", "['" + transaction + "']");
  }

  private static List<String> names(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asText).toList();
  }

  private static String confirm(JsonRpcCaller node, String transaction) {
    var id = node.result("ptx_sendTransaction", transaction).asText();
    var receipt = node.awaitResult("ptx_getTransactionReceipt", "['" + id + "']");
    assertThat(receipt.get("success").asBoolean()).as(receipt.toString()).isTrue();
    return id;
  }

  private static void awaitVisits(JsonRpcCaller node, String contract, String from, int visits) {
    var group = node.result("pgroup_getGroupByAddress", "['" + contract + "']").get("id").asText();
    var call =
        "[{'domain':'record','group':'"
            + group
            + "','from':'"
            + from
            + "','function':'get','input':{'key':'visits'}}]";
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> node.result("pgroup_call", call).path("value").asInt() == visits);
  }
}
