package dev.sequitur.laboratory.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sequitur.laboratory.Main;
import dev.sequitur.node.process.JsonRpcCaller;
import dev.sequitur.node.process.SequiturProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demonstration as a person runs it: a process, its output, its endpoints, its report. */
class DemoIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path directory;

  @Test
  void fourNodesSequenceAWorkloadAndAnswerOverHttpAfterwards() throws IOException {
    try (var demo = start("--transactions", "300", "--keep-running")) {
      demo.awaitLine("The nodes stay up until Ctrl-C");
      var nodes =
          IntStream.rangeClosed(1, 4)
              .mapToObj(node -> demo.awaitLine("  node" + node + "  (http://\\S+)").group(1))
              .map(JsonRpcCaller::new)
              .toList();
      assertThat(nodes).extracting(node -> node.get("/health")).doesNotContainNull();
      var contract = contractOf(nodes.get(0), "demo-token-1");
      allNodesNameTheSameCoordinator(nodes, contract);
      aTransferIsConfirmedOnceHoweverOftenItIsSent(nodes, contract);
      badInputIsAnsweredAndForgotten(nodes.get(1), contract);

      demo.stop();
      assertThat(demo.output()).contains("demo-token-1").doesNotContain("\tat ");
    }
    var report = report();
    assertThat(report.get("submitted").asInt()).isEqualTo(300);
    assertThat(report.get("confirmed").asInt() + report.get("reverted").asInt()).isEqualTo(300);
    assertHolds(report);
  }

  @Test
  void killedInTheMiddleItConfirmsEachAcceptedIntentExactlyOnceWhenStartedAgain()
      throws IOException {
    try (var killed = start("--transactions", "1500")) {
      killed.awaitLine("Transactions: [2-6][0-9]%");
      killed.kill();
      assertThat(killed.output()).doesNotContain("Summary");
    }

    try (var again = start("--transactions", "1500")) {
      assertThat(again.awaitExit()).as(again.output()).isZero();
      assertThat(again.output()).contains("it is resumed");
    }
    var report = report();
    assertThat(report.get("resumed").asBoolean()).isTrue();
    assertThat(report.get("submitted").asInt()).isEqualTo(1500);
    assertThat(report.get("confirmed").asInt() + report.get("reverted").asInt()).isEqualTo(1500);
    assertHolds(report);
  }

  private static void allNodesNameTheSameCoordinator(List<JsonRpcCaller> nodes, String contract) {
    // Nodes index a block one after another: around a boundary they may differ for a moment.
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () -> {
              var coordinators = new HashSet<String>();
              nodes.forEach(
                  node ->
                      coordinators.add(
                          node.result("sequencer_getCoordinator", "['" + contract + "']")
                              .get("coordinator")
                              .asText()));
              return coordinators.size() == 1;
            });
  }

  private static void aTransferIsConfirmedOnceHoweverOftenItIsSent(
      List<JsonRpcCaller> nodes, String contract) {
    var before = balance(nodes.get(1), contract, "bob", "dave@node4");
    var transfer =
        "[{'type':'private','domain':'token','function':'transfer','from':'bob','to':'"
            + contract
            + "','idempotencyKey':'mine','data':{'to':'dave@node4','amount':'7'}}]";
    var id = nodes.get(1).result("ptx_sendTransaction", transfer).asText();
    assertThat(nodes.get(1).result("ptx_sendTransaction", transfer).asText()).isEqualTo(id);

    var receipt = nodes.get(1).awaitResult("ptx_getTransactionReceipt", "['" + id + "']");
    assertThat(receipt.get("success").asBoolean()).isTrue();
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> balance(nodes.get(3), contract, "dave", "dave@node4") == before + 7);
    var another = transfer.replace("'7'", "'8'");
    assertThat(nodes.get(1).answer("ptx_sendTransaction", another).at("/error/code").asInt())
        .isEqualTo(-32001);
    assertThat(nodes.get(1).result("sequencer_traceTransaction", "['" + id + "']").toString())
        .contains("DelegationCommand");
  }

  private static void badInputIsAnsweredAndForgotten(JsonRpcCaller node, String contract) {
    assertThat(node.post("{")).contains("-32700");
    assertThat(node.answer("ptx_noSuchMethod", "[]").at("/error/code").asInt()).isEqualTo(-32601);
    for (var amount : List.of("0", "-1", "999999999999")) {
      var error =
          node.answer(
                  "ptx_sendTransaction",
                  "[{'type':'private','domain':'token','function':'transfer','from':'bob','to':'"
                      + contract
                      + "','data':{'to':'dave@node4','amount':'"
                      + amount
                      + "'}}]")
              .path("error");
      assertThat(error.path("message").asText()).as(amount).startsWith("SQ");
    }
    assertThat(node.result("ptx_queryPendingTransactions", "[{'limit':10},false]")).isEmpty();
    assertThat(node.get("/metrics")).contains("sequitur_messages_sent_total");
  }

  /** As that member sees it who is on the node that is asked. */
  private static long balance(JsonRpcCaller node, String contract, String member, String owner) {
    var group = node.result("pgroup_getGroupByAddress", "['" + contract + "']").get("id").asText();
    return node.result(
            "pgroup_call",
            "[{'domain':'token','group':'"
                + group
                + "','from':'"
                + member
                + "','function':'balanceOf','input':{'owner':'"
                + owner
                + "'}}]")
        .get("balance")
        .asLong();
  }

  private static String contractOf(JsonRpcCaller node, String name) {
    var groups = node.result("pgroup_queryGroups", "[{'limit':100}]");
    for (var group : groups) {
      if (group.get("name").asText().equals(name)) {
        return group.get("contractAddress").asText();
      }
    }
    throw new AssertionError("No group " + name + ": " + groups);
  }

  private SequiturProcess start(String... more) {
    var options =
        List.of(
            "demo",
            "--block-time",
            "200ms",
            "--range-size",
            "10",
            "--data",
            directory.resolve("data").toString(),
            "--report",
            directory.resolve("report.json").toString());
    var line = new ArrayList<>(options);
    line.addAll(List.of(more));
    return SequiturProcess.start(directory, Main.class, List.of(), line.toArray(String[]::new));
  }

  private JsonNode report() throws IOException {
    return new JsonMapper().readTree(Files.readString(directory.resolve("report.json")));
  }

  private static void assertHolds(JsonNode report) {
    for (var none : List.of("duplicates", "doubleSpends", "lost", "refused")) {
      assertThat(report.get(none).asInt()).as(none).isZero();
    }
    assertThat(report.get("doubleCheck").get("holds").asBoolean()).isTrue();
  }
}
