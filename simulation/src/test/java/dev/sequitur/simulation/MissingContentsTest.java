package dev.sequitur.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.distribution.StateStoreState;
import dev.sequitur.protocol.message.StateContentsRequest;
import dev.sequitur.protocol.message.StateContentsResponse;
import dev.sequitur.protocol.message.StateDistribution;
import dev.sequitur.protocol.sender.SenderState;
import dev.sequitur.protocol.sender.TransactionState;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A member that is given no contents, by whom it may be (DST-5 to DST-7). */
final class MissingContentsTest {
  private final Scenario scenario = Scenario.of(3);
  private final SimulatedNode lacking = scenario.sender();

  private void withoutDistribution() {
    scenario
        .network
        .wire()
        .add(
            LinkFault.lose(
                envelope ->
                    envelope.to().equals(lacking.name())
                        && envelope.payload() instanceof StateDistribution,
                1));
  }

  @Test
  void whoIsNeverGivenContentsAsksForThemAndHoldsThem() {
    withoutDistribution();
    for (var key : new String[] {"one", "two", "three"}) {
      scenario.write(scenario.coordinator(), key);
    }
    scenario.settle();

    scenario.until(() -> missing() == 0 && states().confirmed().size() == 3);

    assertThat(scenario.sent(StateContentsRequest.class)).isPositive();
    assertThat(states().confirmed().keySet())
        .isEqualTo(scenario.network.invariants().unspent(scenario.network.contract()));
  }

  @Test
  void whoeverIsAskedFirstAndNeverAnswersKeepsNobodyFromTheContents() {
    withoutDistribution();
    var silent = scenario.coordinator();
    scenario
        .network
        .wire()
        .add(LinkFault.lose(Scenario.from(silent, StateContentsResponse.class), 1));
    scenario.write(silent, "one");
    scenario.settle();

    scenario.until(() -> missing() == 0 && states().confirmed().size() == 1);
  }

  @Test
  void whatNobodyGivesIsAskedForAgainAndFoundOnceSomebodyDoes() {
    withoutDistribution();
    var heal =
        scenario
            .network
            .wire()
            .add(LinkFault.lose(e -> e.payload() instanceof StateContentsResponse, 1));
    scenario.write(scenario.coordinator(), "one");
    scenario.settle();
    scenario.run(Duration.ofMinutes(2));
    assertThat(missing()).isEqualTo(1);
    assertThat(scenario.sent(StateContentsRequest.class)).as("with a back-off").isBetween(10L, 60L);

    heal.run();

    scenario.until(() -> missing() == 0);
  }

  /** It knows of a version that it does not hold: what it would make upon less is never taken. */
  @Test
  void whoLacksAVersionMakesNoFirstOneAndSaysWhomItWaitsFor() {
    withoutDistribution();
    var silence =
        scenario
            .network
            .wire()
            .add(LinkFault.lose(e -> e.payload() instanceof StateContentsResponse, 1));
    scenario.write(scenario.coordinator(), "one");
    scenario.settle();
    scenario.run(Duration.ofSeconds(20));
    long refused = scenario.network.invariants().reverts();

    var waits = scenario.write(lacking, "one");
    scenario.run(Duration.ofMinutes(1));

    assertThat(scenario.network.invariants().reverts()).isEqualTo(refused);
    assertThat(sender().transactions().get(waits).state()).isEqualTo(TransactionState.PARKED);
    silence.run();
    scenario.settleWithin(Duration.ofSeconds(30));
    assertThat(scenario.isConfirmed(waits)).isTrue();
  }

  private SenderState sender() {
    return lacking.running().entities(scenario.network.contract()).sender().state();
  }

  private StateStoreState states() {
    return lacking.running().entities(scenario.network.contract()).states().state();
  }

  private int missing() {
    return states().missing().size();
  }
}
