package dev.sequitur.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.simulation.SimulatedDomain.Function;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Nodes go on from older copies of their records, in the middle of everything. */
final class SetBackTest {
  private static final int SEEDS = Integer.getInteger("simulation.seeds", 12);
  private static final long FIRST = Long.getLong("simulation.first", 1);
  private static final NodeName A = new NodeName("a");

  @Test
  void whatANodeKnowsStillIsSettledOnceAndNothingIsLeftWheneverItIsSetBack() {
    var total = RunReport.none();
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      total = total.plus(new RandomRun(RunPlan.of(seed).withRestores()).run());
    }

    assertThat(total.faults().get(Fault.SET_BACK)).isGreaterThan(SEEDS);
    assertThat(total.confirmed()).isGreaterThan(total.transactions() / 2);
  }

  /** Nothing goes wrong besides: what was done since the copy is read from the ledger. */
  @Test
  void aNodeThatIsSetBackAgainAndAgainEndsWithWhatTheLedgerShows() {
    var network = new Simulation(SimulationSetup.of(3));
    network.run(Duration.ofSeconds(1));
    var copy = network.node(A).disk().copy();
    for (int i = 0; i < 3; i++) {
      for (var node : network.nodes()) {
        network.submit(node.name(), network.contract(), Function.MINT, "");
      }
      assertThat(network.runUntil(network::isSettled, Duration.ofSeconds(60))).isTrue();
      network.node(A).setBack(copy, Duration.ofSeconds(1));
      network.invariants().onSetBack(A, network.node(A).disk());
      network.run(Duration.ofSeconds(10));
    }

    network.run(Duration.ofSeconds(30));
    assertThat(network.invariants().fulfilled()).hasSize(9);
    assertThat(Stillness.leftOvers(network)).isEmpty();
  }
}
