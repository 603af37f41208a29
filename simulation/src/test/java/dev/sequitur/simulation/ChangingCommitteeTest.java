package dev.sequitur.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.simulation.SimulatedDomain.Function;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Keys and thresholds that change in the middle of everything (SEL-10), at blocks that all nodes
 * know beforehand: nothing but the rules keeps them from going by what does not count yet.
 */
final class ChangingCommitteeTest {
  private static final int SEEDS = 12;

  @Test
  void everyIntentIsSettledOnceAndNothingIsLeftWhateverChanges() {
    var total = RunReport.none();
    for (long seed = 1; seed <= SEEDS; seed++) {
      total = total.plus(new RandomRun(RunPlan.of(seed).withChanges()).run());
    }

    assertThat(total.confirmed()).isGreaterThan(total.transactions() / 2);
  }

  /**
   * One node coordinates for all of it, or another one: what has no leave is begun anew (SWO-1).
   */
  @Test
  void inEachRangeItsOwnCommitteeEndorses() {
    var setup = SimulationSetup.of(3).rangeSize(4).withChanges(List.of(3L, 9L, 14L));
    var network = new Simulation(setup);
    for (int i = 0; i < 40; i++) {
      network.run(Duration.ofMillis(500));
      for (var node : network.nodes()) {
        network.submit(node.name(), network.contract(), Function.MINT, "");
      }
    }

    assertThat(network.runUntil(network::isSettled, Duration.ofSeconds(60))).isTrue();
    assertThat(network.invariants().fulfilled()).hasSize(120);
    assertThat(network.invariants().reverts()).isZero();
  }
}
