package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sequitur.ethereum.AlteringNode;
import dev.sequitur.ethereum.Anvil;
import dev.sequitur.ethereum.AnvilPlanContract;
import dev.sequitur.ethereum.ChainAccess.Shown;
import dev.sequitur.ethereum.ChainRpc;
import dev.sequitur.ethereum.Secret;
import dev.sequitur.node.configuration.ChainCalls;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.configuration.ProviderConfiguration;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.ledger.GasPrice;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.abi.EvmAddress;
import dev.sequitur.schedule.plan.PlanExecutionState;
import dev.sequitur.schedule.queue.Explanation;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A node serves a deployed contract, on a chain in a process of its own, with a block a second. */
@Execution(ExecutionMode.CONCURRENT)
class ContractProviderTest {
  private static final String CALLED = "0x" + "ab".repeat(20);
  private static final long AHEAD = 25;

  @TempDir private Path directory;
  private Anvil chain;
  private AnvilPlanContract contract;
  private RunningNode node;

  @BeforeEach
  void start() {
    chain = Anvil.startWithBlocks();
    contract = AnvilPlanContract.deploy(chain);
    contract.addPlan(10, 100_000);
  }

  @AfterEach
  void stop() {
    if (node != null) {
      node.close();
    }
    if (chain != null) {
      chain.close();
    }
  }

  private RunningNode started(URI rpc, EvmAddress address) {
    return started(rpc, ChainCalls.OPEN, address);
  }

  private RunningNode started(URI rpc, ChainCalls calls, EvmAddress address) {
    var embedded = NodeConfiguration.embedded(new NodeName("provider"), directory);
    var provider =
        ProviderConfiguration.of(List.of(rpc), address)
            .withCalls(calls)
            .with(2, false, 0, new GasPrice(0, 0));
    return new ProcessStarter()
        .startNode(embedded.withScheduler(embedded.scheduler().withProvider(provider)));
  }

  private Explanation explained(ScheduleId id) {
    return node.scheduler().explain(ProviderConfiguration.QUEUE, id).toCompletableFuture().join();
  }

  private void awaitRun(ScheduleId id) {
    await().atMost(Duration.ofMinutes(1)).until(() -> !explained(id).history().isEmpty());
    assertThat(explained(id).history().getFirst().outcome()).isEqualTo(Outcome.RUN);
    assertThat(contract.state(id)).isEqualTo(PlanExecutionState.EXECUTION_SUCCESSFUL);
  }

  @Test
  void itsExecutionsAreSchedulesAndARestartGoesOnWhereItWas() {
    node = started(chain.address(), contract.address());
    long first = contract.now() + AHEAD;
    var id = contract.request(CALLED, first);
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(explained(id).sentence()).startsWith("It is not due yet"));
    var listed =
        new JsonRpcCaller(node.url())
            .result("schedule_list", "[{'queue':'provider','family':'chain-execution'}]");
    assertThat(listed.get("schedules")).hasSize(1);
    assertThat(listed.get("schedules").get(0).get("terms").get("to").asText()).isEqualTo(CALLED);

    node.close();
    node = started(chain.address(), contract.address());
    contract.passTo(first - 4);
    awaitRun(id);

    assertThat(new JsonRpcCaller(node.url()).get("/metrics"))
        .contains("sequitur_provider_sent_total{outcome=\"pooled\"} 1.0")
        .contains("sequitur_provider_troubled 0.0")
        .contains(
            "sequitur_schedule_outcomes_total{family=\"chain_execution\",outcome=\"run\"} 1.0");
  }

  @Test
  void whereThereIsNoSuchContractItDoesNotStartAndSaysSo() {
    assertThatThrownBy(() -> started(chain.address(), new EvmAddress(EvmAddress.ZERO.value())))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("There is no contract at 0x0000");
  }

  @Test
  void itsChainsNodesAreShownWhatTheyAskFor() throws IOException {
    var shown = new Shown.Header("x-api-key", new Secret.Given("hunter2"));
    var calls = new ChainCalls(List.of(shown), Optional.empty(), ChainRpc.Limits.DEFAULT);
    try (var asking = new AlteringNode(chain.address()).admits("x-api-key", "hunter2")) {
      assertThatThrownBy(() -> started(asking.address(), contract.address()))
          .isInstanceOf(StartFailure.class)
          .hasMessageContaining("There is no chain at")
          .hasMessageContaining("401");

      node = started(asking.address(), calls, contract.address());

      assertThat(node.ended().toCompletableFuture()).isNotDone();
    }
  }

  @Test
  void whereThereIsNoChainItDoesNotStartAndSaysSo() {
    assertThatThrownBy(() -> started(URI.create("http://127.0.0.1:1"), contract.address()))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("There is no chain at");
  }
}
