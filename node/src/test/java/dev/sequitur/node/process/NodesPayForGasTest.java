package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.crypto.FileKeys;
import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.ethereum.Anvil;
import dev.sequitur.ethereum.ChainRpc;
import dev.sequitur.ethereum.Counter;
import dev.sequitur.ethereum.FactoryDeployment;
import dev.sequitur.node.configuration.LedgerAccess;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.process.Starter.NetworkLedger;
import dev.sequitur.node.process.Starter.NetworkPlan;
import dev.sequitur.protocol.funding.FundingSettings;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import dev.sequitur.sequencer.setup.NodeSetup;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** FND-1 to FND-5 on a chain that takes money for gas. */
@Execution(ExecutionMode.CONCURRENT)
class NodesPayForGasTest {
  private static final long BASE_FEE = 1_000;
  private static final long LOW = 2_000_000_000L;
  private static final long FULL = 20_000_000_000L;
  private static final long RICH = 1_000_000_000_000_000L;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;

  @Test
  void keysAreToppedUpFromOneAccountAndWaitAndSaySoWhileItIsEmpty() throws IOException {
    try (var chain = Anvil.startWithPrice(Optional.of(1), BASE_FEE);
        var network = start(chain)) {
      var node = new JsonRpcCaller(network.nodes().getFirst().url());
      var account = fundingAccount();
      var members =
          "[{'domain':'token','members':['alice@node1'],'configuration':{'endorsementThreshold':1}}]";

      // The account has nothing.
      var id = groupOf(node.answer("pgroup_createGroup", members), node);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThat(node.get("/health")).contains("DEGRADED", "gas money", account));
      assertThat(node.get("/metrics")).contains("sequitur_gas_keys{which=\"waiting\"} 1.0");

      // Somebody sends it some.
      chain.setBalance(account, RICH);
      node.awaitResult("pgroup_getGroupById", "['token','" + id + "']", "contractAddress");
      var contract =
          node.result("pgroup_getGroupById", "['token','" + id + "']")
              .get("contractAddress")
              .asText();
      var mint =
          "[{'type':'private','domain':'token','from':'alice@node1','to':'%s','function':'mint','data':{'to':'alice@node1','amount':'10'}}]"
              .formatted(contract);
      var transaction = node.result("ptx_sendTransaction", mint).asText();
      var receipt = node.awaitResult("ptx_getTransactionReceipt", "['" + transaction + "']");

      assertThat(receipt.get("success").asBoolean()).isTrue();
      // The receipt is the sender's; the submitter may be a block behind.
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                var gas = node.result("sequencer_getGas", "['" + contract + "']");
                assertThat(gas.get("status").asText()).isEqualTo("ENOUGH");
                assertThat(gas.get("fundingAccount").asText()).isEqualTo(account);
                assertThat(gas.get("paid").asLong()).isBetween(1L, FULL);
                assertThat(gas.get("paidForReverted").asLong()).isZero();
              });
      awaitPaid(node);
      await()
          .atMost(PATIENCE)
          .until(() -> node.get("/metrics").contains("sequitur_gas_top_ups_total 2.0"));

      // It runs out, and that is told before anything waits.
      chain.setBalance(account, RICH / 10_000);
      await()
          .atMost(PATIENCE)
          .until(() -> node.get("/health").contains("The money for gas runs out"));
      assertThat(node.get("/health")).contains("\"UP\"");
    }
  }

  /** What the call may use costs more than a key is topped up to without a reason (FND-2). */
  @Test
  void whoSendsPublicTransactionsIsToppedUpForTheGasThatTheyMayUse() throws IOException {
    try (var chain = Anvil.startWithPrice(Optional.of(1), BASE_FEE);
        var network = start(chain)) {
      var node = new JsonRpcCaller(network.nodes().getFirst().url());
      chain.setBalance(fundingAccount(), RICH);
      var making =
          "[{'type':'public','from':'alice','bytecode':'%s','abi':%s,'data':{'limit':10},'gas':25000000}]"
              .formatted(Counter.CREATION.toHex(), Counter.ABI.toString().replace('"', '\''));

      var made = receipt(node, node.result("ptx_sendTransaction", making).asText());

      assertThat(made.get("success").asBoolean()).isTrue();
      awaitPaid(node);

      // What goes along is bob's own: nobody tops it up, and it is told (FND-6).
      var sending =
          "[{'type':'public','from':'bob','to':'0x%s','value':'%d','gas':50000}]"
              .formatted("77".repeat(20), FULL);
      var id = node.result("ptx_sendTransaction", sending).asText();
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(node.get("/health"))
                      .contains("DEGRADED", "send along", address("bob")));
      chain.setBalance(address("bob"), FULL);

      assertThat(receipt(node, id).get("success").asBoolean()).isTrue();
      await().atMost(PATIENCE).until(() -> node.get("/health").contains("\"UP\""));
    }
  }

  private static void awaitPaid(JsonRpcCaller node) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(node.get("/metrics"))
                    .doesNotContain("sequitur_gas_paid_total{for=\"done\"} 0.0"));
  }

  private static JsonNode receipt(JsonRpcCaller node, String id) {
    return node.awaitResult("ptx_getTransactionReceipt", "['" + id + "']");
  }

  private static String groupOf(JsonNode answer, JsonRpcCaller node) {
    return answer.has("result")
        ? answer.get("result").get("id").asText()
        : node.result("pgroup_queryGroups", "[{'limit':1}]").get(0).get("id").asText();
  }

  private String fundingAccount() throws IOException {
    return address(NodeKeyNames.funding());
  }

  private String address(String key) throws IOException {
    var keys = FileKeys.open(directory.resolve("node1"));
    return new Secp256k1Signatures().address(keys.verifier(key)).value();
  }

  private RunningNetwork start(Anvil chain) throws IOException {
    var operator = FileKeys.open(directory.resolve("operator")).signer("operator");
    chain.setBalance(new Secp256k1Signatures().address(operator.verifier()).value(), RICH);
    var rpc = new ChainRpc(List.of(chain.address()), ForkJoinPool.commonPool());
    var factory =
        new FactoryDeployment(
                rpc,
                BaseLedger.LOCAL_CHAIN,
                operator,
                new Secp256k1Signatures(),
                Fees.flat(2 * BASE_FEE))
            .deploy()
            .toCompletableFuture()
            .join();
    var access = LedgerAccess.Ethereum.of(List.of(chain.address()), ChainRpc.KEY, factory);
    var plan = NodeConfiguration.embedded(new NodeName("node1"), directory.resolve("node1"));
    return new ProcessStarter()
        .startNetwork(
            new NetworkPlan(
                new NetworkLedger.Chain(access, BaseLedger.LOCAL_CHAIN),
                List.of(plan.withRules(withFunding(plan.rules())))),
            node -> {});
  }

  private static NodeSetup.Rules withFunding(NodeSetup.Rules rules) {
    return rules.withFunding(
        new FundingSettings(
            true,
            BigInteger.valueOf(LOW),
            BigInteger.valueOf(FULL),
            BigInteger.valueOf(RICH / 2),
            Duration.ofSeconds(1)));
  }
}
