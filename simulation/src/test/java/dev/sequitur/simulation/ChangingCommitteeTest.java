package dev.sequitur.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.simulation.SimulatedDomain.Function;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Keys and thresholds that change in the middle of everything (SEL-10), and members that are
 * removed and come back, by changes that the ledger takes (CMT-3) and each node reads in its own
 * time (CMT-5).
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
    assertThat(total.faults()).containsKeys(Fault.MEMBER_REMOVED, Fault.MEMBER_RETURNED);
  }

  /** CMT-5: a block is told again after a later one with the next change. */
  @Test
  void aBlockThatIsToldAgainTakesNoChangeBack() {
    assertThat(new RandomRun(RunPlan.of(151).withChanges()).run().confirmed()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 8})
  void nodesThatAreSetBackReadChangesAnew(long seed) {
    var plan = RunPlan.of(seed).withChanges().withRestores();

    assertThat(new RandomRun(plan).run().confirmed()).isPositive();
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
    long changed = network.counted("committees changed");
    assertThat(changed).isPositive();
    assertThat(network.groups().iterator().next().committees().number()).isEqualTo((int) changed);
  }
}
