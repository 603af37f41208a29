package dev.sequitur.laboratory.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KillPlanTest {
  private static final Duration EVERY = Duration.ofSeconds(30);
  private static final List<String> UP = List.of("node1-1", "node2-1", "node3-1", "node4-1");

  @Test
  void killsOnceAnIntervalAndNotSoLateThatThereIsNoTimeAfter() {
    var plan = new KillPlan(EVERY, Duration.ofMinutes(2), 1);
    var seconds = new ArrayList<Integer>();
    for (int second = 0; second <= 130; second++) {
      int now = second;
      plan.victim(Duration.ofSeconds(second), UP).ifPresent(victim -> seconds.add(now));
    }
    assertThat(seconds).containsExactly(30, 60, 90);
  }

  @Test
  void theSameSeedKillsTheSameJvmsAndAnotherSeedOthers() {
    assertThat(victims(7)).isEqualTo(victims(7)).isNotEqualTo(victims(8));
    assertThat(victims(7)).as("each comes to its turn").containsAll(UP);
  }

  private static List<String> victims(long seed) {
    var plan = new KillPlan(EVERY, Duration.ofHours(1), seed);
    var victims = new ArrayList<String>();
    for (int kill = 1; kill <= 60; kill++) {
      plan.victim(EVERY.multipliedBy(kill), UP).ifPresent(victims::add);
    }
    return victims;
  }

  @Test
  void aKillIsLeftOutWhenNothingIsUpAndMissedIntervalsCountAsOne() {
    var plan = new KillPlan(EVERY, Duration.ofHours(1), 1);
    assertThat(plan.victim(Duration.ofSeconds(30), List.of())).isEmpty();
    assertThat(plan.victim(Duration.ofSeconds(31), UP)).isEmpty();
    assertThat(plan.victim(Duration.ofSeconds(200), UP)).isPresent();
    assertThat(plan.victim(Duration.ofSeconds(201), UP)).isEmpty();
  }
}
