package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.crypto.FileKeys;
import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.ethereum.AlteringNode;
import dev.sequitur.ethereum.Anvil;
import dev.sequitur.ethereum.ChainRpc;
import dev.sequitur.ethereum.EthereumLedger;
import dev.sequitur.ethereum.FactoryDeployment;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.process.NodeAssembly.Outside;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.LedgerConnector;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import dev.sequitur.trace.TraceRing;
import dev.sequitur.trace.TraceRing.TraceLimits;
import dev.sequitur.transport.InProcessNetwork;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two nodes on a chain, each behind an endpoint of its own, of which one leaves a transaction out:
 * what it holds then is another thing than what the chain shows (DST-9 to DST-11).
 */
class ComparedWithChainTest {
  private static final List<String> NAMES = List.of("node1", "node2");
  private static final List<String> WHO = List.of("alice@node1", "bob@node2");

  @TempDir private Path directory;

  private final List<AlteringNode> endpoints = new ArrayList<>();
  private final List<RunningNode> running = new ArrayList<>();
  private final List<JsonRpcCaller> nodes = new ArrayList<>();
  private Anvil chain;
  private String group;
  private String contract;

  @BeforeEach
  void start() throws IOException {
    chain = Anvil.startWithBlocks();
    var factory =
        new FactoryDeployment(
                new ChainRpc(List.of(chain.address()), ForkJoinPool.commonPool()),
                BaseLedger.LOCAL_CHAIN,
                FileKeys.open(directory.resolve("operator")).signer("operator"),
                new Secp256k1Signatures(),
                Fees.flat(0))
            .deploy()
            .toCompletableFuture()
            .join();
    var transports = new InProcessNetwork();
    for (var name : NAMES) {
      endpoints.add(new AlteringNode(chain.address()));
      running.add(started(new NodeName(name), transports, factory));
      nodes.add(new JsonRpcCaller(running.getLast().url()));
    }
    group =
        nodes
            .getFirst()
            .result(
                "pgroup_createGroup",
                "[{'domain':'token','members':['alice@node1','bob@node2'],"
                    + "'configuration':{'endorsementThreshold':1}}]")
            .get("id")
            .asText();
    contract =
        nodes
            .getFirst()
            .awaitResult("pgroup_getGroupById", "['token','" + group + "']", "contractAddress")
            .asText();
  }

  private RunningNode started(NodeName name, InProcessNetwork transports, LedgerAddress factory) {
    var plain = NodeConfiguration.embedded(name, directory.resolve(name.value()));
    var configuration = plain.withRules(NodesOnEthereumTest.withoutPrice(plain.rules()));
    var registry = new PrometheusRegistry();
    LedgerConnector ledger =
        groups ->
            new EthereumLedger(
                new ChainRpc(List.of(endpoints.getLast().address()), ForkJoinPool.commonPool()),
                new EthereumLedger.Settings(
                    BaseLedger.LOCAL_CHAIN, factory, EthereumLedger.Head.LATEST),
                new Secp256k1Signatures(),
                groups);
    return NodeAssembly.start(
        configuration,
        new Outside(
            transports.join(name, registry),
            Optional.empty(),
            ledger,
            new TraceRing(TraceLimits.DEFAULT, InstantSource.system()),
            registry));
  }

  @AfterEach
  void stop() {
    running.forEach(RunningNode::close);
    endpoints.forEach(AlteringNode::close);
    if (chain != null) {
      chain.close();
    }
  }

  @Test
  void whatAnEndpointLeftOutIsFoundStopsTheGroupThereAndIsRebuilt() {
    var one = mint(0, 10);
    assertThat(one.get("success").asBoolean()).isTrue();
    awaitBalance(0, 0, "10");
    awaitBalance(1, 0, "10");
    int sends = submitter();
    int misses = 1 - sends;
    assertThat(compared(misses, false).get("status").asText()).isEqualTo("SAME");

    endpoints.get(misses).alters(this::leaveOut);
    var block = mint(sends, 5).get("blockNumber").asLong();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> running.get(misses).sequencer().blockHeight().value() > block);
    endpoints.get(misses).alters((request, answer) -> {});

    var found = compared(misses, false);
    assertThat(found.get("status").asText()).as(found.toString()).isEqualTo("DIFFERENT");
    assertThat(found.get("sinceBlock").asLong()).isEqualTo(block);
    assertThat(nodes.get(misses).answer("pgroup_call", balanceOf(sends)).toString())
        .contains("differs from the ledger");
    assertThat(compared(sends, false).get("status").asText()).isEqualTo("SAME");

    var rebuilt = compared(misses, true);
    assertThat(rebuilt.get("status").asText()).as(rebuilt.toString()).isEqualTo("REBUILT");
    awaitBalance(misses, sends, sends == 0 ? "15" : "5");
    assertThat(compared(misses, false).get("status").asText()).isEqualTo("SAME");
    assertThat(mint(misses, 1).get("success").asBoolean()).as("the group goes on").isTrue();
  }

  /** Whole blocks have what was sent to the contract, of this endpoint not. */
  private void leaveOut(JsonNode request, ObjectNode answer) {
    if (request.get("method").asText().equals("eth_getBlockByNumber")) {
      var kept = answer.arrayNode();
      answer
          .path("result")
          .path("transactions")
          .forEach(
              transaction -> {
                if (!transaction.path("to").asText().equalsIgnoreCase(contract)) {
                  kept.add(transaction);
                }
              });
      if (answer.path("result") instanceof ObjectNode block) {
        block.set("transactions", kept);
      }
    }
  }

  private JsonNode mint(int node, int amount) {
    var sent =
        "[{'type':'private','domain':'token','from':'%s','to':'%s','function':'mint','data':{'to':'%s','amount':'%d'}}]"
            .formatted(WHO.get(node), contract, WHO.get(node), amount);
    var id = nodes.get(node).result("ptx_sendTransaction", sent).asText();
    return nodes.get(node).awaitResult("ptx_getTransactionReceipt", "['" + id + "']");
  }

  private String balanceOf(int whose) {
    return "[{'domain':'token','group':'%s','from':'%s','function':'balanceOf','input':{'owner':'%s'}}]"
        .formatted(group, WHO.get(whose), WHO.get(whose));
  }

  private void awaitBalance(int node, int whose, String balance) {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(
                        nodes
                            .get(node)
                            .answer("pgroup_call", balanceOf(whose))
                            .path("result")
                            .path("balance")
                            .asText())
                    .isEqualTo(balance));
  }

  /** As {@code sequitur compare-ledger} asks and waits. */
  private JsonNode compared(int node, boolean rebuild) {
    nodes.get(node).result("sequencer_compareLedger", "['%s',%s]".formatted(contract, rebuild));
    return await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                nodes
                    .get(node)
                    .result("sequencer_getLedgerComparison", "['%s']".formatted(contract)),
            found -> !found.path("status").asText("RUNNING").equals("RUNNING"));
  }

  /** Of the nodes the one whose key has sent something to the group's contract. */
  private int submitter() {
    return IntStream.range(0, NAMES.size())
        .filter(
            node -> {
              var key =
                  running
                      .get(node)
                      .sequencer()
                      .keys()
                      .verifier(NodeKeyNames.submitter(new ContractAddress(contract)));
              return running
                      .get(node)
                      .sequencer()
                      .ledger()
                      .nonce(new Secp256k1Signatures().address(key))
                      .toCompletableFuture()
                      .join()
                  > 0;
            })
        .findFirst()
        .orElseThrow();
  }
}
