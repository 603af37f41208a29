package dev.sequitur.laboratory.simulate;

import dev.sequitur.simulation.Fault;
import dev.sequitur.simulation.RandomRun;
import dev.sequitur.simulation.RunReport;
import java.time.Duration;
import java.util.ArrayList;
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
    var lines = new ArrayList<String>();
    lines.add(
        done == series.seeds() ? "Everything held." : "Stopped early; so far everything held.");
    lines.add(line("seeds", number(done) + ", from " + series.first()));
    lines.add(
        line("nodes", series.sizes() + " in a network, " + number(total.nodes()) + " in all"));
    lines.add(
        line(
            "transactions",
            number(total.transactions())
                + ", "
                + number(total.troubled())
                + " of them while faults struck"));
    lines.add(line("confirmed", number(total.confirmed()) + "; the others ended as reverted"));
    lines.add(line("scheduled", number(total.scheduled()) + " occurrences of schedules have run"));
    lines.add(line("simulated time", hours(total.simulated())));
    lines.add(line("messages", messages()));
    lines.add(line("speed", speed()));
    lines.add(line("faults", number(total.faults().values().stream().mapToLong(n -> n).sum())));
    for (var fault : Fault.values()) {
      lines.add(
          String.format(
              Locale.ROOT, "  %,12d  %s", total.faults().getOrDefault(fault, 0L), fault.words()));
    }
    return lines;
  }

  private String messages() {
    double each = total.messages() / (double) Math.max(1, total.troubled());
    long most = RandomRun.mostMessages(1_000) / 1_000;
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
        "%,.0f of these a minute, %s in %,.1f s on %d threads",
        total.troubled() / minutes,
        number(total.steps()) + " steps",
        took.toMillis() / 1000.0,
        threads);
  }

  private static String hours(Duration time) {
    return time.toHours() + " h " + time.toMinutesPart() + " min";
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  private static String line(String what, String value) {
    return String.format(Locale.ROOT, "  %-16s%s", what, value);
  }
}
