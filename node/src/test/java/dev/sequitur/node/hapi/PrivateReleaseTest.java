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
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.scheduler.body.NodeAccount;
import dev.sequitur.scheduler.body.SubmittedTransaction.Operation;
import dev.sequitur.scheduler.body.TransactionWriter;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Coins of a group whose members are on two nodes, released at the front of one of them by three
 * who sign as Hedera's clients do. A third node is of the same ledger and not of the group.
 */
class PrivateReleaseTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final LedgerSettings BLOCKS =
      LedgerSettings.DEFAULT.withBlockTime(Duration.ofMillis(50)).withFinalityDepth(1);
  private static final TransactionWriter WRITER =
      new TransactionWriter(Profile.CURRENT, new NodeAccount(0, 3));

  private final SigningClient client = new SigningClient();
  private final List<KeyPair> keys = Stream.generate(SigningClient::ed25519).limit(3).toList();
  private RunningNetwork network;
  private FrontUnderTest front;
  private JsonRpcCaller node1;
  private JsonRpcCaller node2;
  private JsonRpcCaller stranger;

  @BeforeEach
  void start(@TempDir Path directory) {
    var first =
        FrontUnderTest.configured(
            new NodeName("node1"),
            directory.resolve("node1"),
            SigningClient.publicKey(client.operator));
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
  }

  @AfterEach
  void stop() {
    if (front != null) {
      front.close();
    }
    if (network != null) {
      network.close();
    }
  }

  @Test
  void threeSignaturesReleaseCoinsToTheOtherNodeAndNobodyElseSeesThem() {
    var group =
        node1
            .result(
                "pgroup_createGroup",
                "[{'domain':'token','name':'rent','members':['alice@node1','bob@node2']}]")
            .get("id")
            .asText();
    var contract = contract(node1, group);
    assertThat(contract(node2, group)).isEqualTo(contract);
    mint(contract);
    var texts =
        keys.stream()
            .map(key -> SigningClient.publicKey(key).value().toHex().replaceFirst("^0x", ""))
            .map(key -> "'ed25519:" + key + "'")
            .collect(Collectors.joining(","));
    node1.result(
        "multiSignature_bindKey", "[{'identity':'alice@node1','key':{'keys':[" + texts + "]}}]");

    var schedule = schedule(contract);
    sign(schedule, keys.get(0));
    sign(schedule, keys.get(1));
    assertThat(balance(node2, group, "bob@node2")).isZero();
    sign(schedule, keys.get(2));

    await().atMost(PATIENCE).until(() -> balance(node2, group, "bob@node2") == 7);
    await().atMost(PATIENCE).until(() -> balance(node1, group, "alice@node1") == 93);
    assertThat(contents(node1, contract)).isNotEmpty();
    assertThat(contents(node2, contract)).isNotEmpty();
    assertThat(stranger.result("pgroup_getGroupByAddress", "['" + contract + "']").isNull())
        .isTrue();
    assertThat(stranger.answer("pstate_queryContractStates", states(contract)).toString())
        .doesNotContain("amount");
    assertThat(stranger.result("ptx_queryTransactions", "[{'limit':100}]")).isEmpty();
  }

  private static String contract(JsonRpcCaller node, String group) {
    return node.awaitResult("pgroup_getGroupById", "['token','" + group + "']", "contractAddress")
        .asText();
  }

  private void mint(String contract) {
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

  private EntityId schedule(String contract) {
    var call =
        new Target.PrivateCall(
            new ContractAddress(contract),
            "token",
            "transfer",
            Identity.parse("alice@node1"),
            Bytes.utf8("{\"to\":\"bob@node2\",\"amount\":\"7\"}"));
    var body = WRITER.scheduled(0, 1_000, "", Action.PrivateTransaction.once(call));
    var creation =
        new Creation(body, Optional.empty(), Optional.empty(), "rent", Optional.empty(), false);
    var id = submit(new Operation.ScheduleCreate(creation, List.of()));
    return EntityId.parse(
        node1.result("multiSignature_getReceipt", "['" + id + "']").get("scheduleID").asText());
  }

  private void sign(EntityId schedule, KeyPair key) {
    submit(new Operation.ScheduleSign(schedule, List.of()), key);
  }

  private AccountTransactionId submit(Operation operation, KeyPair... more) {
    var id = client.id();
    var all = Stream.concat(Stream.of(client.operator), Stream.of(more)).toArray(KeyPair[]::new);
    var answered = front.call("/proto.ScheduleService/any", client.signed(id, operation, all));
    assertThat(answered.message()).isEqualTo(Bytes.EMPTY);
    return id;
  }

  private static long balance(JsonRpcCaller node, String group, String owner) {
    return node.result(
            "pgroup_call",
            "[{'domain':'token','group':'%s','from':'%s','function':'balanceOf','input':{'owner':'%s'}}]"
                .formatted(group, owner.substring(0, owner.indexOf('@')), owner))
        .get("balance")
        .asLong();
  }

  private static String states(String contract) {
    return "['token','" + contract + "','coin',{'limit':100},'all']";
  }

  private static JsonNode contents(JsonRpcCaller node, String contract) {
    return node.result("pstate_queryContractStates", states(contract));
  }
}
