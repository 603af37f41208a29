package dev.sequitur.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Messages lost, doubled and overtaken; partitions. */
final class BadNetworkTest {
  private final Scenario scenario = Scenario.of(4);

  private void work() {
    for (int second = 0; second < 20; second++) {
      for (var node : scenario.network.nodes()) {
        scenario.write(node, "hot");
        scenario.mint(node);
      }
      scenario.run(Duration.ofSeconds(1));
    }
  }

  private void everythingIsConfirmed() {
    scenario.settle();
    assertThat(scenario.network.invariants().fulfilled()).hasSize(160);
    scenario.network.wire().heal();
    scenario.nothingIsLeft();
  }

  @Test
  void oneMessageInFiveIsLost() {
    scenario.network.wire().add(LinkFault.lose(envelope -> true, 0.2));
    work();
    everythingIsConfirmed();
  }

  @Test
  void everyMessageComesTwice() {
    scenario.network.wire().add(LinkFault.duplicate(envelope -> true, 1));
    work();
    everythingIsConfirmed();
  }

  @Test
  void messagesOvertakeEachOther() {
    scenario.network.wire().add(LinkFault.delay(envelope -> true, 0.3, Duration.ofMillis(1_500)));
    work();
    everythingIsConfirmed();
  }

  @Test
  void aPartitionInTwoHalvesHealsAndAllAgreeAgain() {
    var one = scenario.ranked(0, 0);
    var two = scenario.ranked(0, 1);
    var heal =
        scenario
            .network
            .wire()
            .add(
                LinkFault.lose(
                    envelope -> {
                      boolean from =
                          envelope.from().equals(one.name()) || envelope.from().equals(two.name());
                      boolean to =
                          envelope.to().equals(one.name()) || envelope.to().equals(two.name());
                      return from != to;
                    },
                    1));
    work();
    assertThat(scenario.network.invariants().fulfilled()).isEmpty();

    heal.run();
    everythingIsConfirmed();
  }

  @Test
  void aOneWayPartitionHealsToo() {
    var mute = scenario.coordinator();
    var heal =
        scenario
            .network
            .wire()
            .add(LinkFault.lose(envelope -> envelope.from().equals(mute.name()), 1));
    work();

    heal.run();
    everythingIsConfirmed();
  }
}
