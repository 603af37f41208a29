package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.ethereum.Anvil;
import dev.sequitur.ethereum.ChainRpc;
import dev.sequitur.ethereum.EthereumLedger.Head;
import dev.sequitur.ethereum.FactoryDeployment;
import dev.sequitur.node.configuration.LedgerAccess;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.process.Starter.NetworkLedger;
import dev.sequitur.node.process.Starter.NetworkPlan;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.submitter.SubmitterSetup.Gas;
import dev.sequitur.sequencer.crypto.FileKeys;
import dev.sequitur.sequencer.crypto.Secp256k1Signatures;
import dev.sequitur.sequencer.setup.NodeSetup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes whose base ledger is a chain in a process of its own, with a block a second. */
class NodesOnEthereumTest {
  @TempDir private static Path directory;
  private static Anvil chain;
  private static RunningNetwork network;
  private static List<JsonRpcCaller> nodes;
  private static String group;
  private static String contract;

  @BeforeAll
  static void start() throws IOException {
    chain = Anvil.startWithBlocks();
    var rpc = new ChainRpc(List.of(chain.address()), ForkJoinPool.commonPool());
    var keys = FileKeys.open(directory.resolve("operator"));
    var factory =
        new FactoryDeployment(
                rpc,
                BaseLedger.LOCAL_CHAIN,
                keys.signer("operator"),
                new Secp256k1Signatures(),
                Fees.flat(0))
            .deploy()
            .toCompletableFuture()
            .join();
    var access = new LedgerAccess.Ethereum(List.of(chain.address()), factory, Head.LATEST);
    var plans =
        Stream.of("node1", "node2", "node3")
            .map(name -> NodeConfiguration.embedded(new NodeName(name), directory.resolve(name)))
            .map(plan -> plan.withRules(withoutPrice(plan.rules())))
            .toList();
    network =
        new ProcessStarter()
            .startNetwork(
                new NetworkPlan(new NetworkLedger.Chain(access, BaseLedger.LOCAL_CHAIN), plans),
                node -> {});
    nodes = network.nodes().stream().map(RunningNode::url).map(JsonRpcCaller::new).toList();
    newGroup();
  }

  static NodeSetup.Rules withoutPrice(NodeSetup.Rules rules) {
    var gas = rules.gas();
    var free =
        new Gas(
            Fees.flat(0),
            Fees.flat(0),
            gas.increasePercent(),
            gas.limitPercent(),
            gas.overdueAfter());
    return new NodeSetup.Rules(
        rules.selection(),
        rules.chainId(),
        rules.sequencer(),
        free,
        rules.confirmations(),
        rules.pollInterval(),
        rules.tick(),
        rules.idleAfter());
  }

  @AfterAll
  static void stop() {
    if (network != null) {
      network.close();
    }
    if (chain != null) {
      chain.close();
    }
  }

  private static void newGroup() {
    group =
        nodes
            .get(0)
            .result(
                "pgroup_createGroup",
                "[{'domain':'token','members':['alice@node1','bob@node2','carol@node3'],"
                    + "'configuration':{'endorsementThreshold':2}}]")
            .get("id")
            .asText();
    nodes.get(0).awaitResult("pgroup_getGroupById", "['token','" + group + "']", "contractAddress");
    contract =
        nodes
            .get(0)
            .result("pgroup_getGroupById", "['token','" + group + "']")
            .get("contractAddress")
            .asText();
  }

  private static JsonNode receipt(int node, String id) {
    return nodes.get(node).awaitResult("ptx_getTransactionReceipt", "['" + id + "']");
  }

  private static List<String> send(int node, String transaction, int howMany) {
    var all = String.join(",", Collections.nCopies(howMany, transaction));
    var ids = new ArrayList<String>();
    nodes
        .get(node)
        .result("ptx_sendTransactions", "[[" + all + "]]")
        .forEach(id -> ids.add(id.asText()));
    return ids;
  }

  private static String token(String from, String function, String data) {
    return "{'type':'private','domain':'token','from':'%s','to':'%s','function':'%s','data':%s}"
        .formatted(from, contract, function, data);
  }

  private static String balance(int node, String of) {
    var call =
        "[{'domain':'token','group':'%s','from':'%s','function':'balanceOf','input':{'owner':'%s'}}]"
            .formatted(group, of, of);
    return nodes.get(node).result("pgroup_call", call).get("balance").asText();
  }

  @Test
  void privateTransactionsOfAllNodesSucceedOnTheChain() {
    var mints = send(0, token("alice@node1", "mint", "{'to':'alice@node1','amount':'10'}"), 40);
    mints.forEach(id -> assertThat(receipt(0, id).get("success").asBoolean()).isTrue());
    var payments = send(0, token("alice@node1", "transfer", "{'to':'bob@node2','amount':'3'}"), 20);
    payments.forEach(id -> assertThat(receipt(0, id).get("success").asBoolean()).isTrue());
    var back = send(1, token("bob@node2", "transfer", "{'to':'carol@node3','amount':'1'}"), 5);
    back.forEach(id -> assertThat(receipt(1, id).get("success").asBoolean()).isTrue());

    assertThat(balance(0, "alice@node1")).isEqualTo("340");
    assertThat(balance(1, "bob@node2")).isEqualTo("55");
  }
}
