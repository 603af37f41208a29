package dev.sequitur.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.distribution.StateStoreState;
import dev.sequitur.protocol.message.StateContentsRequest;
import dev.sequitur.protocol.message.StateContentsResponse;
import dev.sequitur.protocol.message.StateDistribution;
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

  private StateStoreState states() {
    return lacking.running().entities(scenario.network.contract()).states().state();
  }

  private int missing() {
    return states().missing().size();
  }
}
