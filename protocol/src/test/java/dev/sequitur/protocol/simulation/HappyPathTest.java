package dev.sequitur.protocol.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.simulation.SimulatedDomain.Function;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Specification, "Simple happy path". */
final class HappyPathTest {
  @Test
  void anIntentOfEveryNodeIsConfirmedOnceAndNothingIsLeft() {
    var network = new Simulation(SimulationSetup.of(4));
    network.run(Duration.ofSeconds(1));
    for (var node : network.nodes()) {
      network.submit(node.name(), network.contract(), Function.MINT, "");
    }

    assertThat(network.runUntil(network::isSettled, Duration.ofSeconds(5))).isTrue();

    assertThat(network.invariants().fulfilled()).hasSize(4);
    network.run(Duration.ofSeconds(20));
    assertThat(Stillness.leftOvers(network)).isEmpty();
  }
}
