package dev.sequitur.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A scheduled private transaction crosses the whole network, and a node that crashes. */
final class SchedulesTest {
  private static final Duration SOON = Duration.ofSeconds(3);
  private static final int SLOTS = 3;

  /** Once, and once in each of its slots. */
  private static final int RUNS = 1 + SLOTS;

  private Scenario scheduled() {
    var scenario = Scenario.of(3);
    var node = scenario.sender().name();
    var network = scenario.network;
    network.scheduling().mintAt(node, network.contract(), network.now().plus(SOON));
    network.scheduling().mintInSlots(node, network.contract(), SLOTS);
    return scenario;
  }

  @Test
  void aScheduleRunsAtItsTimeAndInEachOfItsSlots() {
    var scenario = scheduled();
    scenario.run(Duration.ofMillis(100));

    scenario.settle();

    assertThat(scenario.network.scheduling().runs()).isEqualTo(RUNS);
    assertThat(scenario.network.invariants().fulfilled()).hasSize(RUNS);
    scenario.nothingIsLeft();
  }

  /** Before each write and after it, in the queue's journal and in all that follow. */
  @Test
  void eachOccurrenceHappensOnceWhereverItsNodeCrashes() {
    int crashes = 0;
    for (int moment = 0; crashesAt(moment); moment++) {
      crashes++;
    }

    assertThat(crashes).isGreaterThan(40);
  }

  private boolean crashesAt(int moment) {
    var scenario = scheduled();
    scenario.run(Duration.ofMillis(100));
    int[] left = {moment};
    scenario.sender().crashAt(at -> isWrite(at) && left[0]-- == 0, Duration.ofMillis(700));

    scenario.settle();

    assertThat(scenario.network.scheduling().runs()).as("moment %s", moment).isEqualTo(RUNS);
    assertThat(scenario.network.invariants().fulfilled()).as("moment %s", moment).hasSize(RUNS);
    scenario.nothingIsLeft();
    return left[0] < 0;
  }

  private static boolean isWrite(Moment moment) {
    return switch (moment) {
      case Moment.Accepting ignored -> true;
      case Moment.Accepted ignored -> true;
      case Moment.Committing ignored -> true;
      case Moment.Committed ignored -> true;
      case Moment.Submitted ignored -> true;
      case Moment.Paid ignored -> true;
      case Moment.Indexing ignored -> false;
      case Moment.Founding ignored -> false;
      case Moment.Sent ignored -> false;
    };
  }
}
