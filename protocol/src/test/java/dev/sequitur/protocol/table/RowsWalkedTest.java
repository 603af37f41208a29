package dev.sequitur.protocol.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.ClassNameFilter.excludeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;
import static org.junit.platform.launcher.EngineFilter.includeEngines;

import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/**
 * Each row that moves is walked by a test of what its machine is told, not only by the tests of the
 * table. The simulation walks most of them too, but which ones the seeds say.
 */
class RowsWalkedTest {
  /** A step towards these the rules take nowhere: the rows are there in case they ever do. */
  private static final Set<String> NEVER =
      Set.of(
          // What has ended is known by its receipt alone: EndingTest.aLateConfirmationWins.
          "sender's transaction: CONFIRMED in REVERTED",
          // Dispatches are loaded before anything is assembled or after the range has ended.
          "coordinated transaction: ALREADY_DISPATCHED in ASSEMBLING",
          "coordinated transaction: ALREADY_DISPATCHED in ATTESTATION",
          // It is given to its caller only when nothing that it depends on is left.
          "coordinated transaction: DEPENDENCY_LEFT in DISTRIBUTED");

  @Test
  void everyRowThatMovesIsWalkedByATestOfItsMachine() {
    var before = RowVisits.untilNow();
    var told = new SummaryGeneratingListener();
    LauncherFactory.create(LauncherConfig.builder().build())
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(
                    selectPackage("dev.sequitur.protocol.sender"),
                    selectPackage("dev.sequitur.protocol.coordinator"),
                    selectPackage("dev.sequitur.protocol.submitter"),
                    selectPackage("dev.sequitur.protocol.messaging"),
                    selectPackage("dev.sequitur.protocol.schedule.queue"))
                .filters(
                    includeEngines("junit-jupiter"),
                    // These put a machine into each state, whether it comes there or not.
                    excludeClassNamePatterns(".*StepTest"),
                    // Takes two thirds of the time, to walk the same rows a thousand times.
                    excludeClassNamePatterns(".*BoundedStepsTest"))
                .build(),
            told);
    assertThat(told.getSummary().getTestsFailedCount()).isZero();
    assertThat(told.getSummary().getTestsSucceededCount()).isGreaterThan(100);
    assertThat(before.notWalkedSince()).isEqualTo(new TreeSet<>(NEVER));
  }
}
