package dev.sequitur.laboratory.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A summary as a person reads it. */
final class SummaryText {
  private SummaryText() {}

  static List<String> lines(DemoSummary summary) {
    var lines = new ArrayList<String>();
    lines.add("");
    lines.add(
        "Summary of run " + summary.run().run() + (summary.resumed() ? ", taken up again" : ""));
    addCounts(lines, summary);
    addSpeed(lines, summary);
    addDoubleCheck(lines, summary);
    return lines;
  }

  private static void addCounts(List<String> lines, DemoSummary summary) {
    var counts = summary.counts();
    lines.add(line("transactions submitted", "%,d", counts.submitted()));
    lines.add(line("confirmed", "%,d", counts.confirmed()));
    lines.add(
        line(
            "reverted",
            "%,d%s",
            counts.reverted(),
            counts.revert().map(reason -> ", the first: " + reason).orElse("")));
    if (counts.refused() > 0) {
      lines.add(
          line("refused", "%,d, the first: %s", counts.refused(), counts.refusal().orElse("")));
    }
  }

  private static void addSpeed(List<String> lines, DemoSummary summary) {
    lines.add(
        line(
            "throughput",
            "%,.0f confirmed/s over %.1f s",
            summary.throughput(),
            summary.elapsed().toMillis() / 1e3));
    lines.add(
        line(
            "latency p50 / p95 / p99",
            "%s / %s / %s",
            summary.latencies().milliseconds(50),
            summary.latencies().milliseconds(95),
            summary.latencies().milliseconds(99)));
    lines.add(line("coordinator switchovers", "%,d", summary.counters().switchovers()));
    lines.add(line("re-assemblies", "%,d", summary.counters().reassemblies()));
    lines.add(line("base-ledger reverts", "%,d", summary.counters().reverts()));
    lines.add(line("messages per transaction", "%.1f", summary.messagesPerTransaction()));
  }

  private static void addDoubleCheck(List<String> lines, DemoSummary summary) {
    lines.add("");
    lines.add("The double-check, from the ledger's blocks and not from the nodes' own word");
    for (var finding : summary.doubleCheck().findings()) {
      lines.add((finding.holds() ? "  holds  " : "  FAILS  ") + finding.sentence());
    }
    if (summary.stuck()) {
      lines.add("  FAILS  some transactions never got a receipt: see the nodes' log");
    }
  }

  private static String line(String name, String format, Object... values) {
    return String.format(Locale.ROOT, "  %-26s", name) + String.format(Locale.ROOT, format, values);
  }
}
