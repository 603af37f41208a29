package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sequitur.ethereum.Anvil;
import dev.sequitur.ethereum.AnvilPlanContract;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.plan.PlanExecutionState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code sequitur provider} is killed in the middle of a load, twice, as a machine that fails. */
@Tag("slow")
class ProviderKilledIT {
  private static final int SECONDS = 10;
  private static final int EACH_SECOND = 10;
  private static final int HALF = SECONDS * EACH_SECOND;
  private static final int ALL = 2 * HALF;
  private static final long AHEAD = 20;

  /** Seconds in which an execution may run: longer than it takes to start again. */
  private static final long WINDOW = 180;

  @TempDir private Path directory;

  @Test
  void eachExecutionHappensOnceThoughTheProviderIsKilledAmongThem() {
    try (var chain = Anvil.startWithBlocks()) {
      var contract = AnvilPlanContract.deploy(chain);
      contract.addPlan(WINDOW, 100_000);
      var requested = requestHalf(contract);

      String account;
      try (var provider = start(chain, contract)) {
        account = provider.awaitLine("The account that executes is (0x[0-9a-f]{40})").group(1);
        awaitExecuted(contract, HALF / 2);
        provider.kill();
      }
      try (var provider = start(chain, contract)) {
        provider.awaitLine("The provider serves");
        // However long its start has taken, these are due while it runs.
        requested.addAll(requestHalf(contract));
        awaitExecuted(contract, HALF + HALF / 4);
        provider.kill();
      }
      assertThat(contract.executed()).hasSizeLessThan(ALL);
      try (var provider = start(chain, contract)) {
        awaitExecuted(contract, ALL);
        provider.stop();
      }

      var once = new HashMap<Object, Integer>();
      requested.forEach(id -> once.put(id, 1));
      assertThat(contract.executed()).isEqualTo(once);
      assertThat(requested)
          .extracting(contract::state)
          .containsOnly(PlanExecutionState.EXECUTION_SUCCESSFUL);
      // What was sent twice would have been refused by the contract, and paid for.
      assertThat(contract.sentBy(account)).isEqualTo(ALL);
    }
  }

  private static Set<ScheduleId> requestHalf(AnvilPlanContract contract) {
    return new HashSet<>(contract.request(contract.now() + AHEAD, EACH_SECOND, SECONDS).keySet());
  }

  private static void awaitExecuted(AnvilPlanContract contract, int executions) {
    await().atMost(Duration.ofMinutes(3)).until(() -> contract.executed().size() >= executions);
  }

  private SequiturProcess start(Anvil chain, AnvilPlanContract contract) {
    return start(directory, chain, contract, "--confirmations", "2");
  }

  /** A provider that executes what is requested of the contract. */
  static SequiturProcess start(
      Path directory, Anvil chain, AnvilPlanContract contract, String... more) {
    var command =
        Stream.of(
            "provider",
            "--rpc",
            chain.address().toString(),
            "--contract",
            contract.address().toString(),
            "--data",
            directory.resolve("data").toString(),
            "--port",
            "0");
    return SequiturProcess.start(
        directory, Stream.concat(command, Arrays.stream(more)).toArray(String[]::new));
  }
}
