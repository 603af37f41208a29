package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.crypto.FileKeys;
import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.ethereum.Anvil;
import dev.sequitur.ethereum.ChainRpc;
import dev.sequitur.ethereum.DevChain;
import dev.sequitur.ethereum.FactoryDeployment;
import dev.sequitur.ethereum.Hardhat;
import dev.sequitur.node.configuration.LedgerAccess;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.process.Starter.NetworkLedger;
import dev.sequitur.node.process.Starter.NetworkPlan;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.Signer;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.selection.SelectionPolicy;
import dev.sequitur.protocol.submitter.SubmitterSetup.Gas;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import dev.sequitur.sequencer.setup.NodeSetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Three nodes whose base ledger is a chain in a process of its own, with a block a second. */
@ParameterizedClass
@EnumSource(NodesOnEthereumTest.Product.class)
class NodesOnEthereumTest {
  @TempDir private static Path directory;
  private static DevChain chain;
  private static LedgerAccess.Ethereum access;
  private static RunningNetwork network;
  private static List<JsonRpcCaller> nodes;
  private String group;
  private String contract;

  @Parameter private Product product;

  /** Who makes the chain's node. */
  enum Product {
    /** Gas costs nothing on it. */
    ANVIL(Anvil::startWithBlocks, Fees.flat(0)),
    /** Nor on this one. */
    HARDHAT(Hardhat::startWithBlocks, Fees.flat(0));

    private final Supplier<DevChain> starter;
    private final Fees fees;

    Product(Supplier<DevChain> starter, Fees fees) {
      this.starter = starter;
      this.fees = fees;
    }
  }

  @BeforeParameterizedClassInvocation
  static void start(Product product) throws IOException {
    var folder = directory.resolve(product.name());
    chain = product.starter.get();
    var rpc = new ChainRpc(List.of(chain.address()), ForkJoinPool.commonPool());
    var keys = FileKeys.open(folder.resolve("operator"));
    fund(keys.signer("operator"));
    var factory =
        new FactoryDeployment(
                rpc,
                BaseLedger.LOCAL_CHAIN,
                keys.signer("operator"),
                new Secp256k1Signatures(),
                product.fees)
            .deploy()
            .toCompletableFuture()
            .join();
    access = LedgerAccess.Ethereum.of(List.of(chain.address()), ChainRpc.KEY, factory);
    var plans =
        Stream.of("node1", "node2", "node3")
            .map(name -> NodeConfiguration.embedded(new NodeName(name), folder.resolve(name)))
            .map(plan -> plan.withRules(offering(product.fees, plan.rules())))
            .toList();
    network =
        new ProcessStarter()
            .startNetwork(
                new NetworkPlan(new NetworkLedger.Chain(access, BaseLedger.LOCAL_CHAIN), plans),
                node -> {});
    nodes = network.nodes().stream().map(RunningNode::url).map(JsonRpcCaller::new).toList();
  }

  static NodeSetup.Rules withoutPrice(NodeSetup.Rules rules) {
    return offering(Fees.flat(0), rules);
  }

  private static NodeSetup.Rules offering(Fees fees, NodeSetup.Rules rules) {
    var gas = rules.gas();
    return rules
        .withSelection(new SelectionPolicy(20, SelectionPolicy.DEFAULT.virtualNodes()))
        .withGas(
            new Gas(fees, fees, gas.increasePercent(), gas.limitPercent(), gas.overdueAfter()));
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    if (network != null) {
      network.close();
    }
    if (chain != null) {
      chain.close();
    }
  }

  @BeforeEach
  void newGroup() {
    makeGroup("'alice@node1','bob@node2','carol@node3'", List.of(0, 1, 2));
  }

  /**
   * @param of the nodes that its members are on
   */
  private void makeGroup(String members, List<Integer> of) {
    group =
        nodes
            .get(0)
            .result(
                "pgroup_createGroup",
                "[{'domain':'token','members':[%s],'configuration':{'endorsementThreshold':2}}]"
                    .formatted(members))
            .get("id")
            .asText();
    fund(keysOf(0).signer(NodeKeyNames.deployer(new GroupId(Hash.hex(group)))));
    // Each reads the block with the contract by itself.
    of.forEach(
        node ->
            nodes
                .get(node)
                .awaitResult(
                    "pgroup_getGroupById", "['token','" + group + "']", "contractAddress"));
    contract =
        nodes
            .get(0)
            .result("pgroup_getGroupById", "['token','" + group + "']")
            .get("contractAddress")
            .asText();
    for (int node : of) {
      fund(keysOf(node).signer(NodeKeyNames.submitter(new ContractAddress(contract))));
    }
  }

  private static Keys keysOf(int node) {
    return network.nodes().get(node).sequencer().keys();
  }

  private static void fund(Signer signer) {
    chain.fund(new Secp256k1Signatures().address(signer.verifier()).value());
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

  private String token(String from, String function, String data) {
    return "{'type':'private','domain':'token','from':'%s','to':'%s','function':'%s','data':%s}"
        .formatted(from, contract, function, data);
  }

  /** A receipt is the sender's; another node, and the states of this one, may be a block behind. */
  private void awaitBalance(int node, String of, String balance) {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(balance(node, of)).isEqualTo(balance));
  }

  private String balance(int node, String of) {
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
    awaitBalance(1, "bob@node2", "60");
    var back = send(1, token("bob@node2", "transfer", "{'to':'carol@node3','amount':'1'}"), 5);
    back.forEach(id -> assertThat(receipt(1, id).get("success").asBoolean()).isTrue());

    awaitBalance(0, "alice@node1", "340");
    awaitBalance(1, "bob@node2", "55");
  }

  /**
   * Two readers need what becomes of the call: who has sent it as a public transaction, and the
   * group, on the sender's node as on each other.
   */
  @Test
  void aPreparedTransactionThatItsOwnNodeSendsPubliclyIsToldToTheGroupThereToo() {
    fund(keysOf(0).signer("alice"));
    var mint = send(0, token("alice@node1", "mint", "{'to':'alice@node1','amount':'7'}"), 1);
    receipt(0, mint.getFirst());
    var payment = token("alice@node1", "transfer", "{'to':'bob@node2','amount':'7'}");
    var id = nodes.get(0).result("ptx_prepareTransaction", "[" + payment + "]").asText();
    var prepared = nodes.get(0).awaitResult("ptx_getPreparedTransaction", "['" + id + "']");
    var call = prepared.get("transaction");

    var carrier =
        nodes
            .get(0)
            .result(
                "ptx_sendTransaction",
                "[{'type':'public','from':'alice','to':%s,'data':%s}]"
                    .formatted(call.get("to"), call.get("data")))
            .asText();

    var sent = receipt(0, carrier);
    assertThat(sent.get("success").asBoolean()).isTrue();
    for (int node = 0; node < nodes.size(); node++) {
      var told = receipt(node, id);
      assertThat(told.get("success").asBoolean()).as("on node %d", node + 1).isTrue();
      assertThat(told.get("transactionHash")).isEqualTo(sent.get("transactionHash"));
    }
    awaitBalance(0, "bob@node2", "7");
    awaitBalance(1, "bob@node2", "7");
    // What came of it is there to be used: nobody waits for its states.
    var back = send(1, token("bob@node2", "transfer", "{'to':'alice@node1','amount':'7'}"), 1);
    assertThat(receipt(1, back.getFirst()).get("success").asBoolean()).isTrue();
  }

  /**
   * Two of three agree, and one comes in on a node that is in the group (CMT-3, AGR-1 to AGR-4).
   */
  @Test
  void theCommitteeChangesOnTheChainWhileTransactionsRun() {
    var change = change("alice@node1", "bob@node2", "carol@node3", "dave@node1");
    var mints = send(0, token("alice@node1", "mint", "{'to':'alice@node1','amount':'1'}"), 10);

    nodes.get(0).result("sequencer_changeCommittee", change);
    nodes.get(1).result("sequencer_changeCommittee", change);

    nodes.forEach(this::awaitChange);
    var payments = send(0, token("alice@node1", "transfer", "{'to':'bob@node2','amount':'1'}"), 5);
    mints.forEach(id -> assertThat(receipt(0, id).get("success").asBoolean()).isTrue());
    payments.forEach(id -> assertThat(receipt(0, id).get("success").asBoolean()).isTrue());
    awaitBalance(1, "bob@node2", "5");
  }

  /** The first one of the group: three must endorse, and two sign the next. */
  private String change(String... identities) {
    var members =
        Stream.of(identities)
            .map(name -> "{'identity':'%s','verifier':'%s'}".formatted(name, verifier(name)))
            .collect(Collectors.joining(","));
    var until = network.nodes().getFirst().sequencer().blockHeight().value() + 1_000;
    return "['%s',{'number':1,'members':[%s],'threshold':3,'changeThreshold':2,'until':%d}]"
        .formatted(contract, members, until);
  }

  private void awaitChange(JsonRpcCaller node) {
    await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptions()
        .untilAsserted(
            () ->
                assertThat(
                        node.result("sequencer_getCommittee", "['" + contract + "']")
                            .get("number")
                            .asInt())
                    .isEqualTo(1));
  }

  /**
   * The third node has never been in the group: the others tell it what that has begun with, and it
   * reads the rest on the chain (AGR-9). All must endorse afterwards.
   */
  @Test
  void aNodeThatWasNeverInTheGroupComesIntoItEndorsesAndReadsWhatWasMadeBefore() {
    makeGroup("'alice@node1','bob@node2'", List.of(0, 1));
    var mint = send(0, token("alice@node1", "mint", "{'to':'alice@node1','amount':'9'}"), 1);
    assertThat(receipt(0, mint.getFirst()).get("success").asBoolean()).isTrue();
    fund(keysOf(2).signer(NodeKeyNames.submitter(new ContractAddress(contract))));

    var change = change("alice@node1", "bob@node2", "carol@node3");
    nodes.forEach(node -> node.result("sequencer_changeCommittee", change));

    nodes.forEach(this::awaitChange);
    awaitBalance(2, "alice@node1", "9");
    await()
        .atMost(Duration.ofSeconds(90))
        .untilAsserted(
            () -> {
              var pay = token("alice@node1", "transfer", "{'to':'carol@node3','amount':'1'}");
              var id = send(0, pay, 1).getFirst();
              receipt(0, id);
              assertThat(
                      nodes.get(0).result("ptx_getEndorsementProof", "['" + id + "']").toString())
                  .contains("carol@node3");
            });
    var back = send(2, token("carol@node3", "transfer", "{'to':'bob@node2','amount':'1'}"), 1);
    assertThat(receipt(2, back.getFirst()).get("success").asBoolean()).isTrue();
  }

  private static String verifier(String identity) {
    int node = Integer.parseInt(identity.substring(identity.length() - 1)) - 1;
    return keysOf(node).verifier(identity.substring(0, identity.indexOf('@'))).toString();
  }

  /** A chain tells of no members, but of who has submitted something for a group. */
  @Test
  void aNodeThatHasCoordinatedDoesNotStartWithItsKeySeedAlone() throws IOException {
    var mint = send(2, token("carol@node3", "mint", "{'to':'carol@node3','amount':'1'}"), 1);
    assertThat(receipt(2, mint.getFirst()).get("success").asBoolean()).isTrue();
    var coordinator = submitter();
    var restored = Files.createDirectory(directory.resolve(product + "-restored"));
    Files.copy(
        directory.resolve(product.name()).resolve(coordinator).resolve("keys.seed"),
        restored.resolve("keys.seed"));
    var alone = NodeConfiguration.embedded(new NodeName(coordinator), restored).withLedger(access);

    assertThat(
            catchThrowableOfType(
                StartFailure.class, () -> new ProcessStarter().startNode(alone).close()))
        .hasMessageContaining("restore the whole data directory")
        .hasMessageContaining("--begin-empty");
  }

  /** Of the nodes one whose key has sent something to the group's contract. */
  private String submitter() {
    var ledger = network.nodes().getFirst().sequencer().ledger();
    return IntStream.range(0, nodes.size())
        .filter(
            node ->
                ledger
                        .nonce(
                            new Secp256k1Signatures()
                                .address(
                                    keysOf(node)
                                        .verifier(
                                            NodeKeyNames.submitter(new ContractAddress(contract)))))
                        .toCompletableFuture()
                        .join()
                    > 0)
        .mapToObj(node -> "node" + (node + 1))
        .findFirst()
        .orElseThrow();
  }
}
