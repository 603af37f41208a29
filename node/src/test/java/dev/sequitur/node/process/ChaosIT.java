package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sequitur.ethereum.Anvil;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Two nodes in processes of their own; on the first of them faults can be set. */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class ChaosIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir Path directory;

  @Test
  void aFaultIsRefusedUnlessConfiguredAndWhatItHeldUpIsConfirmedOnceItIsCleared()
      throws IOException {
    var nodes = TwoNodes.in(directory);
    try (var ledger = nodes.startLedger()) {
      ledger.awaitLine("The ledger is up");
      rehearse(nodes, "");
    }
  }

  @Test
  void theSameHoldsOnAChain() throws IOException {
    var nodes = TwoNodes.in(directory);
    try (var chain = Anvil.startWithBlocks()) {
      rehearse(nodes, nodes.on(chain));
    }
  }

  /**
   * @param ledger other lines about the ledger than those of the example
   */
  private static void rehearse(TwoNodes nodes, String ledger) throws IOException {
    var chaos = "\nchaos.enabled = true\n";
    try (var first = nodes.startNode(1, ledger + chaos);
        var second = nodes.startNode(2, ledger)) {
      var node1 = TwoNodes.caller(first);
      var node2 = TwoNodes.caller(second);
      assertThat(node2.answer("chaos_setFault", "[{}]").toString()).contains("SQ010501");
      var contract = TwoNodes.group(node1, node2).contract();

      node1.result("chaos_setFault", "[{'kind':'drop','probability':1,'seconds':600}]");
      var id = node1.result("ptx_sendTransaction", increment(contract)).asText();
      await().atMost(PATIENCE).until(() -> dropped(node1) > 0);
      assertThat(node1.result("ptx_getTransactionReceipt", "['" + id + "']").isNull()).isTrue();

      assertThat(node1.result("chaos_clearFaults", "[]").asInt()).isEqualTo(1);
      var receipt = node1.awaitResult("ptx_getTransactionReceipt", "['" + id + "']");
      assertThat(receipt.get("success").asBoolean()).as(receipt.toString()).isTrue();
      assertThat(dropped(node1)).as("what has ended is still counted").isPositive();
    }
  }

  private static long dropped(JsonRpcCaller node) {
    return node.result("chaos_listFaults", "[]").at("/concerned/drop").asLong();
  }

  private static String increment(String contract) {
    return "[{'type':'private','domain':'record','function':'increment','from':'alice','to':'"
        + contract
        + "','data':{'key':'visits','by':1}}]";
  }
}
