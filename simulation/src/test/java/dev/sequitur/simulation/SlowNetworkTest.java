package dev.sequitur.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Nodes that live and answer late: deadlines follow what was measured (EXC-7). With those that are
 * set alone each answer comes to nobody, and is asked for anew; decision 0254 has the figures.
 */
final class SlowNetworkTest {
  private static final long SEEDS = 3;
  private static final int SECONDS = 30;

  /** With fixed deadlines most of it was still open after ten. */
  private static final Duration ENOUGH = Duration.ofMinutes(5);

  private long timeouts;
  private long again;

  private void workWith(LinkFault fault) {
    LongStream.rangeClosed(1, SEEDS).forEach(seed -> work(seed, fault));
  }

  private void work(long seed, LinkFault fault) {
    var scenario = new Scenario(SimulationSetup.of(3).withSeed(seed));
    scenario.network.wire().add(fault);
    for (int second = 0; second < SECONDS; second++) {
      for (var node : scenario.network.nodes()) {
        scenario.write(node, "hot");
        scenario.mint(node);
      }
      scenario.run(Duration.ofSeconds(1));
    }
    scenario.settleWithin(ENOUGH);
    scenario.network.wire().heal();
    assertThat(scenario.network.invariants().fulfilled())
        .hasSize(2 * SECONDS * scenario.network.nodes().size());
    scenario.nothingIsLeft();
    timeouts += scenario.network.counted("sender DELEGATION_TIMEOUT");
    again += scenario.network.counted("sender REASSEMBLY");
  }

  /** An answer takes five seconds, a delegation is waited for half of that. */
  @Test
  void whereAllMessagesTakeLongWhatIsAskedForIsDoneAllTheSame() {
    workWith(LinkFault.slow(envelope -> true, Duration.ofMillis(2_500)));

    assertThat(timeouts).isLessThan(20 * SEEDS);
    assertThat(again).isLessThan(100 * SEEDS);
  }

  @Test
  void whereMessagesTakeUpToThreeSecondsLittleIsAssembledAnew() {
    workWith(LinkFault.delay(envelope -> true, 1, Duration.ofSeconds(3)));

    assertThat(timeouts).isLessThan(12 * SEEDS);
    assertThat(again).isLessThan(300 * SEEDS);
  }
}
