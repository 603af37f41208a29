package dev.sequitur.ethereum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.crypto.FileKeys;
import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.ledger.GasPrice;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.abi.EvmAddress;
import dev.sequitur.schedule.chainexecution.ChainPlan;
import dev.sequitur.schedule.chainexecution.ExecutionGas;
import dev.sequitur.schedule.chainexecution.Providing;
import dev.sequitur.schedule.chainexecution.ServedContract;
import dev.sequitur.schedule.plan.PlanExecutionState;
import dev.sequitur.schedule.queue.ProviderUnderTest;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The provider on the published byte code of {@code RIFScheduler}, on a chain in a process of its
 * own. Skipped where there is no Node.js.
 */
class PlanContractTest {
  private static final long WINDOW = 10;
  private static final long GAS = 100_000;
  private static final int CONFIRMATIONS = 3;
  private static final long AHEAD = 20;
  private static final Secp256k1Signatures SIGNATURES = new Secp256k1Signatures();

  /** Reverts whatever it is asked. */
  private static final String FAILS = "60006000fd";

  @TempDir private Path directory;
  private Anvil chain;
  private AnvilPlanContract contract;
  private ProviderUnderTest provider;

  @BeforeEach
  void start() throws IOException {
    chain = Anvil.startWithHistory();
    contract = AnvilPlanContract.deploy(chain);
    contract.addPlan(WINDOW, GAS);
    provider = provider(false);
  }

  @AfterEach
  void stop() {
    if (chain != null) {
      chain.close();
    }
  }

  private ProviderUnderTest provider(boolean legacy) throws IOException {
    var served =
        new PlanContract(
            new ChainRpc(List.of(chain.address()), ForkJoinPool.commonPool()),
            new ServedContract(BaseLedger.LOCAL_CHAIN, contract.address()),
            CONFIRMATIONS,
            legacy,
            FileKeys.open(directory).signer("provider"),
            SIGNATURES);
    return new ProviderUnderTest(
        new Providing.Settings(
            0,
            new GasPrice(0, 0),
            100,
            3,
            3,
            ExecutionGas.DEFAULT,
            Duration.ofMillis(200),
            new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(4))),
        served);
  }

  /** Rounds, and a block each second, up to a block of this time. */
  private void until(long time) {
    while (contract.now() < time) {
      provider.round();
      chain.mine();
    }
    provider.round();
  }

  private String made(String runtime) {
    var code = Bytes.hex(runtime);
    var size = "%02x".formatted(code.size());
    return chain.deploy(Bytes.hex("60" + size + "600c60003960" + size + "6000f3" + runtime));
  }

  /** Reverts unless it gets so much gas, and then uses almost all of it. */
  private static String burner(long gas) {
    // GAS, less its own two, below the promise: revert. Then around until 1,024 are left.
    return "5a62%06x11601357".formatted(gas - 2) + "5b6104005a11600957" + "00" + "5b60006000fd";
  }

  @Test
  void anExecutionRunsInTheFirstBlockOfTheRequestedTime() {
    long requested = contract.now() + AHEAD;
    var id = contract.request(chain.account(8), requested);
    until(requested - 1);
    assertThat(contract.state(id)).isEqualTo(PlanExecutionState.SCHEDULED);
    until(requested);
    assertThat(contract.state(id)).isEqualTo(PlanExecutionState.EXECUTION_SUCCESSFUL);

    until(requested + CONFIRMATIONS);
    assertThat(provider.outcome(id).orElseThrow().outcome()).isEqualTo(Outcome.RUN);
    assertThat(provider.known().dispatches()).isEmpty();
  }

  /** As Rootstock takes them, where the contract is at home. */
  @Test
  void transactionsWithoutATypeAreTakenToo() throws IOException {
    provider = provider(true);
    long requested = contract.now() + AHEAD;
    var id = contract.request(chain.account(8), requested);
    until(requested);

    assertThat(contract.state(id)).isEqualTo(PlanExecutionState.EXECUTION_SUCCESSFUL);
  }

  @Test
  void aCallThatFailsIsFailedWithWhatItSaid() {
    long requested = contract.now() + AHEAD;
    var id = contract.request(made(FAILS), requested);
    until(requested + CONFIRMATIONS);

    var outcome = provider.outcome(id).orElseThrow();
    assertThat(outcome.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(outcome.note()).isEqualTo("The call that it makes failed, and said nothing.");
  }

  @Test
  void aCallGetsAllTheGasThatItsPlanPromises() {
    var burner = made(burner(GAS));
    long requested = contract.now() + AHEAD;
    var id = contract.request(burner, requested);
    until(requested + CONFIRMATIONS);

    assertThat(contract.state(id)).isEqualTo(PlanExecutionState.EXECUTION_SUCCESSFUL);
    assertThat(provider.outcome(id).orElseThrow().outcome()).isEqualTo(Outcome.RUN);
  }

  /** The largest that fits a transaction, where 1/64 is more than the overhead. */
  @Test
  void aCallOfALargePlanGetsAllItsGasToo() {
    long large = 15_000_000;
    contract.addPlan(WINDOW, large);
    var burner = made(burner(large));
    long requested = contract.now() + AHEAD;
    var id = contract.request(1, burner, requested);
    until(requested + CONFIRMATIONS);

    assertThat(contract.state(id)).isEqualTo(PlanExecutionState.EXECUTION_SUCCESSFUL);
  }

  @Test
  void aCompetitorInTheSameBlockIsASuccess() {
    long requested = contract.now() + AHEAD;
    var id = contract.request(chain.account(8), requested);
    until(requested - 1);
    contract.sendFirst(5, PlanContractCalls.execute(id));
    until(requested + 1 + CONFIRMATIONS);

    assertThat(provider.outcome(id).orElseThrow().outcome()).isEqualTo(Outcome.RUN);
    assertThat(provider.known().dispatches()).isEmpty();
  }

  @Test
  void aCancelInTheSameBlockIsSeen() {
    long requested = contract.now() + AHEAD;
    var id = contract.request(chain.account(8), requested);
    until(requested - 1);
    contract.sendFirst(1, AnvilPlanContract.cancel(id));
    until(requested + 1 + CONFIRMATIONS);

    assertThat(provider.outcome(id).orElseThrow().outcome()).isEqualTo(Outcome.CANCELLED);
  }

  @Test
  void aPauseIsAwaitedAndWhatWasSentIntoItIsTriedAgain() {
    long requested = contract.now() + AHEAD;
    var id = contract.request(chain.account(8), requested);
    until(requested - 1);
    contract.sendFirst(0, AnvilPlanContract.call("pause()"));
    until(requested + 1);
    assertThat(contract.state(id)).isEqualTo(PlanExecutionState.SCHEDULED);
    assertThat(provider.why(id)).contains("The contract is paused");

    contract.sendFirst(0, AnvilPlanContract.call("unpause()"));
    until(requested + 5);
    assertThat(contract.state(id)).isEqualTo(PlanExecutionState.EXECUTION_SUCCESSFUL);
  }

  @Test
  void aRemovedPlanStillExecutesWhatWasBoughtOfIt() {
    long requested = contract.now() + AHEAD;
    var id = contract.request(chain.account(8), requested);
    contract.removePlan(0);
    until(requested);

    assertThat(contract.state(id)).isEqualTo(PlanExecutionState.EXECUTION_SUCCESSFUL);
  }

  @Test
  void anOverdueExecutionSaysSoAndItsRefundIsSeen() {
    long requested = contract.now() + AHEAD;
    var id = contract.request(chain.account(8), requested);
    provider.round();
    contract.mineAt(requested + WINDOW + 1);
    for (int i = 0; i <= CONFIRMATIONS; i++) {
      provider.round();
      chain.mine();
    }
    assertThat(provider.why(id)).startsWith("It is overdue");
    assertThat(provider.known().waiting()).isEmpty();

    contract.refund(id);
    until(contract.now() + CONFIRMATIONS);
    assertThat(provider.outcome(id).orElseThrow().outcome()).isEqualTo(Outcome.REFUNDED);
  }

  @Test
  void whatAReorganisationTakesBackIsExecutedAgain() {
    long requested = contract.now() + AHEAD;
    var id = contract.request(chain.account(8), requested);
    until(requested + 1);
    assertThat(contract.state(id)).isEqualTo(PlanExecutionState.EXECUTION_SUCCESSFUL);
    chain.call("anvil_reorg", 2, List.of());
    chain.call("anvil_dropAllTransactions");
    assertThat(contract.state(id)).isEqualTo(PlanExecutionState.SCHEDULED);
    until(requested + WINDOW);

    assertThat(contract.state(id)).isEqualTo(PlanExecutionState.EXECUTION_SUCCESSFUL);
    assertThat(provider.outcome(id).orElseThrow().outcome()).isEqualTo(Outcome.RUN);
  }

  @Test
  void aRequestThatAReorganisationTakesAwayEnds() {
    long requested = contract.now() + AHEAD;
    var id = contract.request(chain.account(8), requested);
    provider.round();
    chain.call("anvil_reorg", 1, List.of());
    chain.call("anvil_dropAllTransactions");
    chain.mine();
    provider.round();

    var outcome = provider.outcome(id).orElseThrow();
    assertThat(outcome.outcome()).isEqualTo(Outcome.CANCELLED);
    assertThat(outcome.note()).contains("reorganisation");
  }

  @Test
  void whatTheNodeLosesIsSentAgainAndAKilledProviderGoesOn() {
    long requested = contract.now() + AHEAD;
    var id = contract.request(chain.account(8), requested);
    until(requested - 1);
    chain.call("anvil_dropAllTransactions");
    provider.kill();
    until(requested + 1);

    assertThat(contract.state(id)).isEqualTo(PlanExecutionState.EXECUTION_SUCCESSFUL);
  }

  /** The rules of the window, held beside the contract's own at each second around its edges. */
  @Test
  void theContractTakesAnExecutionJustWhereTheRulesSaySo() {
    long requested = contract.now() + AHEAD + WINDOW;
    var id = contract.request(chain.account(8), requested);
    var plan = new ChainPlan(BigInteger.ZERO, EvmAddress.ZERO, WINDOW, GAS, true);
    for (long time : List.of(-WINDOW - 1, -WINDOW, 1 - WINDOW, 0L, WINDOW, WINDOW + 1)) {
      long block = requested + time;
      var snapshot = chain.call("evm_snapshot").textValue();
      contract.sendFirst(5, PlanContractCalls.execute(id));
      contract.mineAt(block);
      boolean ran = contract.state(id) == PlanExecutionState.EXECUTION_SUCCESSFUL;

      assertThat(ran)
          .as("%d s", time)
          .isEqualTo(!plan.isTooSoon(requested, block) && !plan.isOver(requested, block));
      chain.call("evm_revert", snapshot);
    }
  }

  /** A plan without a window, and an end beyond all numbers: neither stops the rest. */
  @Test
  void whatCanNeverRunSaysSo() {
    contract.addPlan(0, GAS);
    contract.addPlan(BigInteger.TWO.pow(256).subtract(BigInteger.ONE), GAS);
    long requested = contract.now() + 2 * AHEAD;
    var without = contract.request(1, chain.account(8), requested);
    var id = contract.request(chain.account(8), requested);
    var endless = contract.request(2, chain.account(8), requested);
    until(requested + 1);

    assertThat(provider.why(without)).contains("window is 0");
    assertThat(provider.why(endless)).startsWith("It can never run");
    assertThat(contract.state(id)).isEqualTo(PlanExecutionState.EXECUTION_SUCCESSFUL);
  }

  /** In one block, each of them once. */
  @Test
  void fiftyExecutionsAreInTheBlockOfTheirTime() {
    contract.purchase(0, 50);
    long requested = contract.now() + 100;
    var ids = new ArrayList<ScheduleId>();
    for (int i = 0; i < 50; i++) {
      // Ids are told apart by what is called.
      ids.add(contract.schedule(0, "0x%040x".formatted(1_000_000 + i), requested));
    }
    until(requested - 1);
    until(requested);

    assertThat(ids)
        .allSatisfy(
            id ->
                assertThat(contract.state(id)).isEqualTo(PlanExecutionState.EXECUTION_SUCCESSFUL));
  }

  /** What Solidity writes before a text. */
  @Test
  void whatAContractSaysAsItRevertsIsRead() {
    var data =
        "0x08c379a0"
            + "%064x".formatted(32)
            + "%064x".formatted(8)
            + "546f6f20736f6f6e"
            + "0".repeat(48);

    assertThat(PlanContractCalls.reason(data)).isEqualTo("Too soon.");
    assertThat(PlanContractCalls.reason("0x1234")).isEqualTo("0x1234.");
  }
}
