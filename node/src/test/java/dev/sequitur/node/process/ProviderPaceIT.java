package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sequitur.ethereum.Anvil;
import dev.sequitur.ethereum.AnvilPlanContract;
import dev.sequitur.schedule.ScheduleId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * As many executions in each block as a provider is to manage; docs/performance.md has the times.
 */
@Tag("slow")
class ProviderPaceIT {
  private static final int SECONDS = 20;
  private static final int EACH_SECOND = 50;
  private static final int ALL = SECONDS * EACH_SECOND;

  /** Until all of them are requested. */
  private static final long AHEAD = 35;

  private static final long WINDOW = 180;

  /** Seconds. */
  private static final long SOONER = 2;

  /** Blocks from which the provider takes the time of the next. */
  private static final int PACE = 10;

  @TempDir private Path directory;

  @Test
  void fiftyExecutionsForEachBlockHappenOnceEachWithinTheirWindows() {
    try (var chain = Anvil.startWithBlocks()) {
      var contract = AnvilPlanContract.deploy(chain);
      contract.addPlan(WINDOW, 100_000);
      Map<ScheduleId, Long> asked;
      try (var provider = ProviderKilledIT.start(directory, chain, contract)) {
        provider.awaitLine("The provider serves");
        asked = contract.request(contract.now() + AHEAD, EACH_SECOND, SECONDS);
        await()
            .atMost(Duration.ofMinutes(4))
            .until(() -> contract.executed().keySet().containsAll(asked.keySet()));
        provider.stop();
      }

      assertThat(contract.executed().values()).hasSize(ALL).containsOnly(1);
      var late = contract.lateness(asked);
      System.out.println("Seconds after the time that was asked for: " + late);
      // Sent by the pace of the blocks before (PRV-4): when the machine has just held the chain up,
      // the next block is expected later than it comes, and by so much it may be sooner.
      double slowest = contract.slowest(PACE);
      assertThat(late.firstKey())
          .as("with a block in %s s", slowest)
          .isGreaterThanOrEqualTo(-Math.max(SOONER, Math.round(slowest)));
      if (slowest < SOONER) {
        assertThat(late.headMap(0L).values().stream().mapToInt(Integer::intValue).sum())
            .isLessThan(ALL / 4);
      }
      assertThat(late.lastKey()).isLessThanOrEqualTo(WINDOW);
    }
  }
}
