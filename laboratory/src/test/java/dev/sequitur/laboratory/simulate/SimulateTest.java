package dev.sequitur.laboratory.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.console.RecordedConsole;
import dev.sequitur.console.StopSignal;
import dev.sequitur.simulation.RunReport;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SimulateTest {
  private static final SeedSeries.Sizes SMALL = new SeedSeries.Sizes(3, 4);

  private final RecordedConsole console = new RecordedConsole();
  private final StopSignal stop = new StopSignal();
  private final Simulate simulate = new Simulate(console.console(), stop);

  @Test
  void aFewNetworksAreRunAndSummedUp() {
    assertThat(simulate.run(new SeedSeries(1, 4, 8, SMALL, 1, false, false), false)).isTrue();

    assertThat(console.out())
        .contains("Everything held.", "seeds           4, from 1", "messages lost", "a minute");
    assertThat(console.err()).contains("Networks: 100%  4 of 4");
  }

  @Test
  void theTraceOfOneNetworkIsPrinted() {
    assertThat(simulate.run(new SeedSeries(3, 1, 5, SMALL, 1, false, false), true)).isTrue();

    assertThat(console.out()).contains("DelegationCommand", "accepted", "Everything held.");
  }

  @Test
  void whoStopsItIsToldHowFarItCame() {
    var series = new SeedSeries(1, 1_000, 5, SMALL, 1, false, false);

    assertThat(new SimulateSummary(series, 3, RunReport.none(), Duration.ofSeconds(1), 2).lines())
        .startsWith("Stopped early; so far everything held.")
        .anySatisfy(line -> assertThat(line).contains("seeds           3, from 1"));
  }

  @Test
  void whoStopsItBeforeAnyNetworkHasEndedIsNotToldThatAnythingHeld() {
    stop.request();

    assertThat(simulate.run(new SeedSeries(1, 1_000, 5, SMALL, 1, false, false), false)).isFalse();
    assertThat(console.out())
        .isEqualToIgnoringNewLines("Stopped before the first network had ended: nothing is known.");
  }

  @Test
  void aFailureCanBeReplayed() {
    assertThat(new SeedSeries(1, 10, 50, SMALL, 1, false, false).replay(7))
        .isEqualTo("./sequitur simulate --seed 7 --nodes 3..4 --transactions 50 --trace");
    assertThat(new SeedSeries(1, 10, 50, SMALL, 3, true, true).replay(7))
        .endsWith(" --transactions 50 --jvms 3 --changes --restores --trace");
  }
}
