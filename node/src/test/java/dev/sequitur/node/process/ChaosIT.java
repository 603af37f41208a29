package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.ethereum.Anvil;
import dev.sequitur.fixture.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes in processes of their own; on the first of them faults can be set. */
class ChaosIT {
  private static final Path EXAMPLES = Path.of("..", "examples", "two-nodes").toAbsolutePath();
  private static final String NODE_UP = "JSON-RPC +(http://\\S+)";
  private static final String TOKEN = "only-for-a-rehearsal";
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir Path directory;
  private int ports;

  @Test
  void aFaultIsRefusedUnlessConfiguredAndWhatItHeldUpIsConfirmedOnceItIsCleared()
      throws IOException {
    prepare();
    try (var ledger = start("ledger", "--config", configured("ledger.conf", ""))) {
      ledger.awaitLine("The ledger is up");
      rehearse("");
    }
  }

  @Test
  void theSameHoldsOnAChain() throws IOException {
    prepare();
    try (var chain = Anvil.startWithBlocks()) {
      var rpc = chain.address().toString();
      String factory;
      try (var command = start("deploy-factory", "--rpc", rpc)) {
        factory = command.awaitLine("The factory is (0x[0-9a-f]{40})").group(1);
        assertThat(command.awaitExit()).as(command.output()).isZero();
      }
      rehearse(
          """

          ledger {
            mode = ethereum
            chain-id = 1337
            ethereum { rpc = ["%s"], factory = "%s" }
            gas { initial-fee = 0, initial-priority-fee = 0, max-fee = 0, max-priority-fee = 0 }
          }
          """
              .formatted(rpc, factory));
    }
  }

  private void prepare() throws IOException {
    ports = FreePorts.inARow(5);
    try (var command =
        start("certificates", "--directory", "certificates", "node1", "node2", "ledger")) {
      assertThat(command.awaitExit()).as(command.output()).isZero();
    }
  }

  /**
   * @param ledger other lines about the ledger than those of the example
   */
  private void rehearse(String ledger) throws IOException {
    var chaos = "\nchaos { enabled = true, token = " + TOKEN + " }\n";
    try (var first = start("start", "--config", configured("node1.conf", ledger + chaos));
        var second = start("start", "--config", configured("node2.conf", ledger))) {
      var node1 = new JsonRpcCaller(first.awaitLine(NODE_UP).group(1));
      var node2 = new JsonRpcCaller(second.awaitLine(NODE_UP).group(1));
      assertThat(node2.answer("chaos_setFault", "['" + TOKEN + "',{}]").toString())
          .contains("SQ010501");
      var contract = contract(node1, node2);

      node1.result(
          "chaos_setFault", "['" + TOKEN + "',{'kind':'drop','probability':1,'seconds':600}]");
      var id = node1.result("ptx_sendTransaction", increment(contract)).asText();
      await().atMost(PATIENCE).until(() -> dropped(node1) > 0);
      assertThat(node1.result("ptx_getTransactionReceipt", "['" + id + "']").isNull()).isTrue();

      assertThat(node1.result("chaos_clearFaults", "['" + TOKEN + "']").asInt()).isEqualTo(1);
      var receipt = node1.awaitResult("ptx_getTransactionReceipt", "['" + id + "']");
      assertThat(receipt.get("success").asBoolean()).as(receipt.toString()).isTrue();
      assertThat(dropped(node1)).as("what has ended is still counted").isPositive();
    }
  }

  private static long dropped(JsonRpcCaller node) {
    return node.result("chaos_listFaults", "['" + TOKEN + "']").at("/concerned/drop").asLong();
  }

  /** The example's file with every port replaced. */
  private String configured(String name, String more) throws IOException {
    var content =
        Files.readString(EXAMPLES.resolve(name))
            .replace("8545", "" + ports)
            .replace("8546", "" + (ports + 1))
            .replace("9001", "" + (ports + 2))
            .replace("9002", "" + (ports + 3))
            .replace("8600", "" + (ports + 4))
            .replace("block-time = 1s", "block-time = 200ms");
    return Files.writeString(directory.resolve(name), content + more).toString();
  }

  private static String contract(JsonRpcCaller node1, JsonRpcCaller node2) {
    var id =
        node1
            .result(
                "pgroup_createGroup",
                "[{'domain':'record','name':'shared','members':['alice@node1','bob@node2']}]")
            .get("id")
            .asText();
    await()
        .atMost(PATIENCE)
        .until(() -> address(node1, id).isTextual() && address(node2, id).isTextual());
    return address(node1, id).asText();
  }

  private static JsonNode address(JsonRpcCaller node, String id) {
    return node.result("pgroup_getGroupById", "['record','" + id + "']").path("contractAddress");
  }

  private static String increment(String contract) {
    return "[{'type':'private','domain':'record','function':'increment','from':'alice','to':'"
        + contract
        + "','data':{'key':'visits','by':1}}]";
  }

  private SequiturProcess start(String... line) {
    return SequiturProcess.start(directory, line);
  }
}
