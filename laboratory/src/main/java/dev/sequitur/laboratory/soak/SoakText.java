package dev.sequitur.laboratory.soak;

import dev.sequitur.laboratory.load.Latencies;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A report as a person reads it. */
final class SoakText {
  private static final long KILOBYTES = 1024;

  private SoakText() {}

  static List<String> lines(SoakReport report) {
    var lines = new ArrayList<String>();
    var tally = report.tally();
    lines.add("");
    lines.add("Soak with seed " + report.options().seed());
    lines.add(line("transactions submitted", "%,d", tally.submitted()));
    lines.add(line("confirmed", "%,d", tally.confirmed()));
    lines.add(line("reverted", "%,d", tally.reverted()));
    lines.add(line("lost", "%,d", tally.lost()));
    lines.add(line("duplicates", "%,d", tally.duplicates()));
    lines.add(line("JVMs killed", "%,d", report.kills()));
    lines.add(line("calls made again", "%,d", report.repeated()));
    lines.add(line("time", "%,.1f s", report.elapsed().toMillis() / 1e3));
    report
        .latencies()
        .forEach(
            (phase, latencies) ->
                lines.add(
                    line(
                        "latency " + phase.name().toLowerCase(Locale.ROOT),
                        "%s",
                        percentiles(latencies))));
    lines.add("");
    lines.add("Memory, in MB: on the heap after a collection; resident");
    report.memory().forEach((name, use) -> lines.add(line(name, "%s", memory(use))));
    lines.add("");
    lines.addAll(findings(report));
    return lines;
  }

  /** A killed process begins anew, so its age is told. */
  private static String memory(MemoryLog.Use use) {
    var live =
        use.live()
            .map(
                heap ->
                    String.format(
                        Locale.ROOT,
                        "%,d at the start, %,d at the end",
                        heap.first() / KILOBYTES,
                        heap.last() / KILOBYTES));
    var resident =
        use.resident()
            .map(
                set ->
                    String.format(
                        Locale.ROOT,
                        "%,d, %,d, at most %,d",
                        set.first() / KILOBYTES,
                        set.last() / KILOBYTES,
                        set.most() / KILOBYTES));
    return "%s; %s; after %,d s"
        .formatted(live.orElse("-"), resident.orElse("-"), use.age().toSeconds());
  }

  private static List<String> findings(SoakReport report) {
    var lines = new ArrayList<String>();
    var audit = report.ledger().audit();
    lines.add("From the ledger's blocks and not from the nodes' own word");
    lines.add(
        "  %,d blocks with %,d transactions, %,d of them reverted; %,d intents fulfilled, %,d states"
                .formatted(
                    audit.height().value(),
                    audit.transactions(),
                    audit.reverted(),
                    audit.fulfilled(),
                    report.ledger().doubleSpends())
            + " spent twice");
    audit.examples().stream()
        .limit(5)
        .forEach(example -> lines.add("  FAILS  " + example.description()));
    if (report.tally().contradicted() > 0) {
      lines.add(
          "  FAILS  %,d transactions stand there although their receipts say reverted"
              .formatted(report.tally().contradicted()));
    }
    report.complaints().forEach(complaint -> lines.add("  FAILS  " + complaint));
    lines.add(
        report.holds()
            ? "  holds  every transaction completed exactly once"
            : "  FAILS  not every transaction completed exactly once");
    return lines;
  }

  private static String percentiles(Latencies latencies) {
    return "p50 %s, p95 %s, p99 %s"
        .formatted(
            latencies.milliseconds(50), latencies.milliseconds(95), latencies.milliseconds(99));
  }

  private static String line(String name, String format, Object... values) {
    return String.format(Locale.ROOT, "  %-26s", name) + String.format(Locale.ROOT, format, values);
  }
}
