package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.ledger.LedgerSettings;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.process.Starter.NetworkPlan;
import dev.sequitur.protocol.id.NodeName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The domain {@code noto} on two whole nodes, by the calls that Paladin's clients make. */
class NotoTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @TempDir private static Path directory;
  private static RunningNetwork network;
  private static JsonRpcCaller node1;
  private static JsonRpcCaller node2;
  private static String contract;
  private static String bob;

  @BeforeAll
  static void makeAToken() {
    var nodes =
        Stream.of("node1", "node2")
            .map(name -> NodeConfiguration.embedded(new NodeName(name), directory.resolve(name)))
            .toList();
    var blocks = LedgerSettings.DEFAULT.withBlockTime(Duration.ofMillis(100));
    network =
        new ProcessStarter()
            .startNetwork(new NetworkPlan(directory.resolve("ledger"), blocks, nodes), node -> {});
    node1 = new JsonRpcCaller(network.nodes().get(0).url());
    node2 = new JsonRpcCaller(network.nodes().get(1).url());
    var group =
        node1
            .result(
                "pgroup_createGroup",
                "[{'domain':'noto','name':'gold','members':['alice@node1','bob@node2'],"
                    + "'properties':{},'configuration':{'notary':'alice@node1','name':'Gold'}}]")
            .get("id")
            .asText();
    contract =
        node1
            .awaitResult("pgroup_getGroupById", "['noto','" + group + "']", "contractAddress")
            .asText();
    bob =
        node1
            .result("ptx_resolveVerifier", "['bob@node2','ecdsa:secp256k1','eth_address']")
            .asText();
    node2.awaitResult("pgroup_getGroupByAddress", "['" + contract + "']");
  }

  @AfterAll
  static void stop() {
    network.close();
  }

  /** Sends it and waits until it has succeeded; gives its id. */
  private static String sent(JsonRpcCaller node, String from, String function, String data) {
    return sent(
        node,
        "{'type':'private','from':'%s','to':'%s','function':'%s','data':%s}"
            .formatted(from, contract, function, data));
  }

  /** A public call of the token's contract with all its data. */
  private static void sentAsItStands(JsonRpcCaller node, String from, String data) {
    sent(
        node,
        "{'type':'public','from':'%s','to':'%s','data':'%s'}".formatted(from, contract, data));
  }

  private static String sent(JsonRpcCaller node, String transaction) {
    var id = node.result("ptx_sendTransaction", "[" + transaction + "]").asText();
    var receipt = node.awaitResult("ptx_getTransactionReceipt", "['" + id + "']");
    assertThat(receipt.get("success").asBoolean()).as(receipt.toString()).isTrue();
    return id;
  }

  private static JsonNode called(JsonRpcCaller node, String function, String data) {
    return node.result(
        "ptx_call",
        "[{'type':'private','domain':'noto','from':'%s','to':'%s','function':'%s','data':%s}]"
            .formatted(node.equals(node1) ? "alice@node1" : "bob@node2", contract, function, data));
  }

  private static void awaitBalance(JsonRpcCaller node, String account, int amount) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(
            () ->
                assertThat(
                        called(node, "balanceOf", "{'account':'" + account + "'}")
                            .get("totalBalance")
                            .asText())
                    .isEqualTo(String.valueOf(amount)));
  }

  @Test
  void aTokenIsMintedLockedDelegatedAndSpent() {
    var minted =
        sent(node1, "alice@node1", "mint", "{'to':'alice@node1','amount':100,'data':'0xfeed'}");
    var locked =
        sent(
            node1,
            "alice@node1",
            "createTransferLock",
            "{'from':'alice@node1','recipients':[{'to':'bob@node2','amount':'30'}],"
                + "'unlockData':'0x','data':'0x'}");
    var lock = node1.result("ptx_getDomainReceipt", "['noto','" + locked + "']").get("lockInfo");
    sent(
        node1,
        "alice@node1",
        "delegateLock",
        "{'lockId':%s,'delegate':'%s','data':'0x'}".formatted(lock.get("lockId"), bob));
    var receipt = node1.result("ptx_getDomainReceipt", "['noto','" + minted + "']");

    assertThat(receipt.at("/data").asText()).isEqualTo("0xfeed");
    assertThat(receipt.at("/transfers/0/amount").asText()).isEqualTo("100");
    assertThat(node1.result("ptx_getDomainReceipt", "['token','" + minted + "']").isNull())
        .isTrue();
    assertThat(
            node1
                .result("ptx_getTransactionReceiptFull", "['" + minted + "']")
                .get("domainReceipt"))
        .isEqualTo(receipt);
    awaitBalance(node1, "alice@node1", 70);
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(() -> assertThat(held("NotoLockInfo", "spender")).isEqualTo(1));
    sentAsItStands(node2, "bob@node2", lock.get("unlockCall").asText());
    awaitBalance(node1, "bob@node2", 30);
    awaitBalance(node2, "bob@node2", 30);
    assertThat(held("NotoCoin", "owner")).isEqualTo(1);
    assertThat(called(node2, "name", "{}").asText()).isEqualTo("Gold");
  }

  /** CNF-9: only the sender's node had a receipt. */
  @Test
  void whoIsPaidHearsOfItAtItsOwnNode() {
    var paid = sent(node1, "alice@node1", "mint", "{'to':'bob@node2','amount':1,'data':'0x'}");

    var receipt = node2.awaitResult("ptx_getTransactionReceipt", "['" + paid + "']");
    assertThat(receipt.get("success").asBoolean()).isTrue();
    assertThat(receipt.get("contractAddress").asText()).isEqualTo(contract);
    var told = node2.awaitResult("ptx_getDomainReceipt", "['noto','" + paid + "']");
    var states = node2.result("ptx_getStateReceipt", "['" + paid + "']");
    assertThat(states.has("none")).isFalse();
    assertThat(states.at("/confirmed/0/data/owner").asText()).as(states.toString()).isEqualTo(bob);
    assertThat(
            node2.result(
                "ptx_queryTransactionReceipts",
                "[{'equal':[{'field':'id','value':'" + paid + "'}],'limit':1}]"))
        .hasSize(1);
    assertThat(told.at("/transfers/0/to")).isEqualTo(states.at("/confirmed/0/data/owner"));
    assertThat(node2.result("ptx_getTransaction", "['" + paid + "']").isNull()).isTrue();
    sent(node2, "bob@node2", "burn", "{'amount':1,'data':'0x'}");
  }

  /** How many states of bob's his node finds by a label. */
  private static int held(String schema, String label) {
    return node2
        .result(
            "pstate_queryContractStates",
            "['noto','%s','%s',{'equal':[{'field':'%s','value':'%s'}],'limit':5},'available']"
                .formatted(contract, schema, label, bob))
        .size();
  }
}
