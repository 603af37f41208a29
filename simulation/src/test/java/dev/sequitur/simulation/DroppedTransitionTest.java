package dev.sequitur.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.distribution.StateStoreState;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A member whose state store was never told of a block (DST-9 to DST-11). */
final class DroppedTransitionTest {
  private final Scenario scenario = new Scenario(SimulationSetup.of(3).withEndorsers(3));
  private final SimulatedNode lacking = scenario.sender();

  private void dropOne() {
    scenario.write(scenario.coordinator(), "one");
    scenario.settle();
    lacking.dropNextBlock();
    scenario.write(scenario.coordinator(), "one");
    scenario.settle();
    scenario.run(Duration.ofSeconds(5));
    assertThat(states().differs()).as("nothing has used it").isEmpty();
  }

  @Test
  void itIsFoundByTheComparisonStopsTheGroupThereAndIsMadeGoodByTheRebuild() {
    dropOne();

    comparing().compare();
    scenario.run(Duration.ofSeconds(3));
    assertThat(states().differs()).isPresent();
    var waits = scenario.write(scenario.coordinator(), "two");
    scenario.run(Duration.ofSeconds(20));
    assertThat(scenario.isConfirmed(waits)).as("it endorses nothing").isFalse();
    assertThat(states().confirmed().keySet())
        .isNotEqualTo(scenario.network.invariants().unspent(scenario.network.contract()));

    comparing().rebuild();
    scenario.until(() -> states().differs().isEmpty());

    scenario.settle();
    assertThat(scenario.isConfirmed(waits)).isTrue();
    scenario.nothingIsLeft();
  }

  @Test
  void itIsKnownAfterACrashAndMadeGoodThen() {
    dropOne();
    comparing().compare();
    scenario.run(Duration.ofSeconds(1));
    assertThat(states().differs()).isPresent();

    lacking.crashFor(Duration.ofMillis(500));
    scenario.run(Duration.ofSeconds(2));
    assertThat(states().differs()).isPresent();
    comparing().rebuild();

    scenario.until(() -> states().differs().isEmpty());
    scenario.nothingIsLeft();
  }

  @Test
  void ofOneThatWasToldOfAllNothingIsFound() {
    scenario.write(scenario.coordinator(), "one");
    scenario.write(scenario.coordinator(), "one");
    scenario.settle();

    comparing().compare();
    scenario.run(Duration.ofSeconds(1));

    assertThat(scenario.network.counted(Comparing.DIFFERENT)).isZero();
  }

  private Comparing comparing() {
    return new Comparing(lacking.running(), scenario.network.contract());
  }

  private StateStoreState states() {
    return lacking.running().entities(scenario.network.contract()).states().state();
  }
}
