package dev.sequitur.node.hapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.ledger.LedgerSettings;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.process.JsonRpcCaller;
import dev.sequitur.node.process.ProcessStarter;
import dev.sequitur.node.process.RunningNetwork;
import dev.sequitur.node.process.Starter.NetworkPlan;
import dev.sequitur.protocol.id.NodeName;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A group of tokens whose members are on two nodes, the first of which has a front for Hedera's
 * clients. A third node is of the same ledger and not of the group. Alice, at the first, has a
 * hundred coins, and three keys must sign what is hers.
 */
final class GroupOverTwoNodes implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final LedgerSettings BLOCKS =
      LedgerSettings.DEFAULT.withBlockTime(Duration.ofMillis(50)).withFinalityDepth(1);

  final FrontUnderTest front;
  final JsonRpcCaller node1;
  final String contract;
  private final RunningNetwork network;
  private final JsonRpcCaller node2;
  private final JsonRpcCaller stranger;
  private final String group;

  GroupOverTwoNodes(Path directory, KeyPair operator, List<KeyPair> keys) {
    var first =
        FrontUnderTest.configured(
            new NodeName("node1"), directory.resolve("node1"), SigningClient.publicKey(operator));
    var others =
        Stream.of("node2", "node3")
            .map(name -> NodeConfiguration.embedded(new NodeName(name), directory.resolve(name)));
    var plan =
        new NetworkPlan(
            directory.resolve("ledger"), BLOCKS, Stream.concat(Stream.of(first), others).toList());
    network = new ProcessStarter().startNetwork(plan, node -> {});
    var nodes = network.nodes().stream().map(node -> new JsonRpcCaller(node.url())).toList();
    front = new FrontUnderTest(network.nodes().getFirst());
    node1 = nodes.get(0);
    node2 = nodes.get(1);
    stranger = nodes.get(2);
    group =
        node1
            .result(
                "pgroup_createGroup",
                "[{'domain':'token','name':'rent','members':['alice@node1','bob@node2']}]")
            .get("id")
            .asText();
    contract = contract(node1, group);
    assertThat(contract(node2, group)).isEqualTo(contract);
    mint();
    bind(keys);
  }

  private static String contract(JsonRpcCaller node, String group) {
    return node.awaitResult("pgroup_getGroupById", "['token','" + group + "']", "contractAddress")
        .asText();
  }

  private void mint() {
    var sent =
        node1
            .result(
                "ptx_sendTransaction",
                "[{'type':'private','domain':'token','from':'alice','to':'%s','function':'mint','data':{'to':'alice@node1','amount':'100'}}]"
                    .formatted(contract))
            .asText();
    var receipt = node1.awaitResult("ptx_getTransactionReceipt", "['" + sent + "']");
    assertThat(receipt.get("success").asBoolean()).as(receipt.toString()).isTrue();
  }

  private void bind(List<KeyPair> keys) {
    var texts =
        keys.stream()
            .map(key -> SigningClient.publicKey(key).value().toHex().replaceFirst("^0x", ""))
            .map(key -> "'ed25519:" + key + "'")
            .collect(Collectors.joining(","));
    node1.result(
        "multiSignature_bindKey", "[{'identity':'alice@node1','key':{'keys':[" + texts + "]}}]");
  }

  long ofBob() {
    return balance(node2, "bob@node2");
  }

  /** Both members' nodes come to know it, and the third node of nothing. */
  void assertReleased(long coins) {
    await().atMost(PATIENCE).until(() -> ofBob() == coins);
    await().atMost(PATIENCE).until(() -> balance(node1, "alice@node1") == 100 - coins);
    assertThat(contents(node1)).isNotEmpty();
    assertThat(contents(node2)).isNotEmpty();
    assertThat(stranger.result("pgroup_getGroupByAddress", "['" + contract + "']").isNull())
        .isTrue();
    assertThat(stranger.answer("pstate_queryContractStates", states()).toString())
        .doesNotContain("amount");
    assertThat(stranger.result("ptx_queryTransactions", "[{'limit':100}]")).isEmpty();
  }

  private long balance(JsonRpcCaller node, String owner) {
    return node.result(
            "pgroup_call",
            "[{'domain':'token','group':'%s','from':'%s','function':'balanceOf','input':{'owner':'%s'}}]"
                .formatted(group, owner.substring(0, owner.indexOf('@')), owner))
        .get("balance")
        .asLong();
  }

  private String states() {
    return "['token','" + contract + "','coin',{'limit':100},'all']";
  }

  private JsonNode contents(JsonRpcCaller node) {
    return node.result("pstate_queryContractStates", states());
  }

  @Override
  public void close() {
    front.close();
    network.close();
  }
}
