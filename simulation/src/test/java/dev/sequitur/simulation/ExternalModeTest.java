package dev.sequitur.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.SubmitMode;
import dev.sequitur.simulation.SimulatedDomain.Function;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Callers that submit what was prepared for them (EXT-1). */
final class ExternalModeTest {
  private final Scenario scenario = Scenario.of(4);

  private TransactionId readExternally(SimulatedNode node, String key) {
    return scenario.network.submit(
        node.name(),
        scenario.network.contract(),
        Function.READ,
        key,
        SubmitMode.EXTERNAL,
        List.of());
  }

  /** Seed 180 found that callers had it before its inputs were on the ledger, and were refused. */
  @Test
  void aCallerGetsWhatItIsToSubmitWhenAllThatItNeedsIsConfirmedAndNobodySpendsItMeanwhile() {
    var read = new ArrayList<TransactionId>();
    for (var node : scenario.network.nodes()) {
      String key = "key of " + node.name();
      scenario.write(node, key);
      scenario.run(Duration.ofMillis(30));
      read.add(readExternally(node, key));
      scenario.run(Duration.ofMillis(30));
      scenario.write(node, key);
    }

    scenario.settle();
    scenario.run(Duration.ofSeconds(5));

    assertThat(scenario.network.invariants().reverts()).isZero();
    assertThat(read).allMatch(scenario::isConfirmed);
    scenario.nothingIsLeft();
  }
}
