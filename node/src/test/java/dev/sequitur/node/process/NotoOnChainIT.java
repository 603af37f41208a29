package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.ethereum.Anvil;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A group that a transaction makes, whose contract is one of a chain (SEL-8). */
@Tag("slow")
class NotoOnChainIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir Path directory;

  @Test
  void aTokenIsMadeByATransactionAndALockEndedByThePublicCallOfItsReceipt() throws IOException {
    var nodes = TwoNodes.in(directory);
    try (var chain = Anvil.startWithBlocks()) {
      var ledger = nodes.on(chain);
      try (var first = nodes.startNode(1, ledger);
          var second = nodes.startNode(2, ledger)) {
        walk(TwoNodes.caller(first), TwoNodes.caller(second));
      }
    }
  }

  private static void walk(JsonRpcCaller node1, JsonRpcCaller node2) {
    var made =
        sent(
            node1,
            "'type':'private','domain':'noto','function':'','data':{'name':'Gold','symbol':'AU',"
                + "'notary':'alice@node1','notaryMode':'basic','options':{'members':['bob@node2']}}");
    var token = made.get("contractAddress").asText();
    assertThat(made.get("domain").asText()).isEqualTo("noto");
    assertThat(node2.awaitResult("pgroup_getGroupByAddress", "['" + token + "']").get("name"))
        .isEqualTo(node1.result("pgroup_getGroupByAddress", "['" + token + "']").get("name"));

    var ofToken = "'type':'private','to':'" + token + "',";
    sent(node1, ofToken + "'function':'mint','data':{'to':'alice@node1','amount':9,'data':'0x'}");
    var locked =
        sent(
            node1,
            ofToken
                + "'function':'createTransferLock','data':{'from':'alice@node1','recipients':"
                + "[{'to':'bob@node2','amount':4}],'unlockData':'0x','data':'0x'}");
    var call =
        node1
            .result("ptx_getTransactionReceiptFull", "['" + locked.get("id").asText() + "']")
            .at("/domainReceipt/lockInfo/unlockCall")
            .asText();
    sent(node1, "'type':'public','to':'" + token + "','data':'" + call + "'");

    var balance =
        "[{'type':'private','domain':'noto','from':'alice@node1','to':'%s','function':'balanceOf','data':{'account':'bob@node2'}}]"
            .formatted(token);
    await()
        .atMost(PATIENCE)
        .until(
            () -> node1.result("ptx_call", balance).get("totalBalance").asText(),
            Predicate.isEqual("4"));
  }

  /** Sends it as Alice and waits until it has succeeded; gives its receipt. */
  private static JsonNode sent(JsonRpcCaller node, String transaction) {
    var id =
        node.result("ptx_sendTransaction", "[{'from':'alice@node1'," + transaction + "}]").asText();
    var receipt = node.awaitResult("ptx_getTransactionReceipt", "['" + id + "']");
    assertThat(receipt.get("success").asBoolean()).as(receipt.toString()).isTrue();
    return receipt;
  }
}
