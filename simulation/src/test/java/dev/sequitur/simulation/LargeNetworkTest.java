package dev.sequitur.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Networks of many nodes; more of them: {@code simulate --nodes 30}. */
final class LargeNetworkTest {
  private static final int NODES = 30;

  private static RunReport run(long seed) {
    return new RandomRun(new RunPlan(seed, 10, NODES, NODES, 1, false, false)).run();
  }

  @ParameterizedTest
  @ValueSource(longs = 2)
  void whatHoldsAmongFewNodesHoldsAmongThirtyWhateverGoesWrong(long seed) {
    var report = run(seed);

    assertThat(report.nodes()).isEqualTo(NODES);
    assertThat(report.confirmed()).isPositive();
    assertThat(report.faults()).isNotEmpty();
  }

  @Test
  void inPeaceNobodyOfThirtyIsTakenForSilent() {
    assertThat(run(10).confirmed()).isPositive();
  }

  @Test
  void eachNodeOfALargeNetworkHasANameOfItsOwn() {
    var network = new Simulation(SimulationSetup.of(NODES));

    assertThat(network.nodes()).extracting(SimulatedNode::name).doesNotHaveDuplicates();
    assertThat(network.node("ad").isUp()).isTrue();
  }
}
