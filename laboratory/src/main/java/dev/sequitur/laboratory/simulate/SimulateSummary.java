package dev.sequitur.laboratory.simulate;

import dev.sequitur.laboratory.report.ReportText;
import dev.sequitur.simulation.Fault;
import dev.sequitur.simulation.RandomRun;
import dev.sequitur.simulation.RunReport;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * What a person wants to know afterwards.
 *
 * @param done networks that were run to their end
 * @param took by the clock on the wall
 */
record SimulateSummary(SeedSeries series, long done, RunReport total, Duration took, int threads) {

  List<String> lines() {
    if (done == 0) {
      return List.of("Stopped before the first network had ended: nothing is known.");
    }
    boolean all = done == series.seeds();
    var text =
        new ReportText(16)
            .line(all ? "Everything held." : "Stopped early; so far everything held.")
            .fact("seeds", "%,d, from %s", done, series.first())
            .fact("nodes", "%s in a network, %,d in all", series.sizes(), total.nodes())
            .fact(
                "transactions",
                "%,d, %,d of them while faults struck",
                total.transactions(),
                total.troubled())
            .fact("confirmed", "%,d; the others ended as reverted", total.confirmed())
            .fact("scheduled", "%,d occurrences of schedules have run", total.scheduled())
            .fact("simulated time", "%s", hours(total.simulated()))
            .fact("messages", "%s", messages())
            .fact("speed", "%s", speed())
            .fact("faults", "%,d", total.faults().values().stream().mapToLong(n -> n).sum());
    for (var fault : Fault.values()) {
      long times = total.faults().getOrDefault(fault, 0L);
      text.line(String.format(Locale.ROOT, "  %,12d  %s", times, fault.words()));
    }
    return text.lines();
  }

  private String messages() {
    double each = total.messages() / (double) Math.max(1, total.troubled());
    long most = RandomRun.mostMessages(series.sizes().most(), 1_000) / 1_000;
    return String.format(
        Locale.ROOT,
        "%.1f for each of these, heartbeats apart; bound %d, at most %.0f%% of it in any network",
        each,
        most,
        100 * total.load());
  }

  private String speed() {
    double minutes = Math.max(1, took.toMillis()) / 60_000.0;
    return String.format(
        Locale.ROOT,
        "%,.0f of these a minute, %,d steps in %,.1f s on %d threads",
        total.troubled() / minutes,
        total.steps(),
        took.toMillis() / 1000.0,
        threads);
  }

  private static String hours(Duration time) {
    return time.toHours() + " h " + time.toMinutesPart() + " min";
  }
}
