package dev.sequitur.protocol.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.ClassNameFilter.excludeClassNamePatterns;
import static org.junit.platform.launcher.EngineFilter.includeEngines;

import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Which rows of tables the tests of some packages walk. */
public final class RowsWalked {
  private RowsWalked() {}

  /** Runs the tests of the packages. The rows that move and that none of them has walked. */
  public static TreeSet<String> leftOutByTests(
      List<TransitionTable<?, ?, ?>> tables, String... packages) {
    var before = RowVisits.untilNow(tables);
    var told = new SummaryGeneratingListener();
    LauncherFactory.create(LauncherConfig.builder().build())
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(Stream.of(packages).map(DiscoverySelectors::selectPackage).toList())
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
    return before.notWalkedSince();
  }
}
