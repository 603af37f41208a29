package dev.sequitur.laboratory.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.OptionalLong;
import java.util.TreeMap;

/** A summary as {@code --report} writes it. */
final class SummaryJson {
  private static final double NANOS_PER_MILLI = 1e6;

  private SummaryJson() {}

  static String write(DemoSummary summary) {
    var counts = summary.counts();
    var check = summary.doubleCheck();
    var report = ReportJson.empty();
    report
        .put("nodes", summary.run().nodes())
        .put("contracts", summary.run().workload().groups().size())
        .put("run", summary.run().run())
        .put("resumed", summary.resumed())
        .put("submitted", counts.submitted())
        .put("confirmed", counts.confirmed())
        .put("reverted", counts.reverted())
        .put("refused", counts.refused())
        .put("duplicates", check.duplicates())
        .put("doubleSpends", check.doubleSpends())
        .put("lost", check.lost())
        .put("seconds", rounded(summary.elapsed().toMillis() / 1e3))
        .put("throughput", rounded(summary.throughput()));
    var latency = report.putObject("latencyMillis");
    put(latency, "p50", summary.latencies().percentile(50));
    put(latency, "p95", summary.latencies().percentile(95));
    put(latency, "p99", summary.latencies().percentile(99));
    report
        .put("switchovers", summary.counters().switchovers())
        .put("reassemblies", summary.counters().reassemblies())
        .put("ledgerReverts", summary.counters().reverts())
        .put("messagesPerTransaction", rounded(summary.messagesPerTransaction()))
        .put("blocks", check.blocks());
    putDoubleCheck(report, summary);
    return ReportJson.text(report);
  }

  private static void putDoubleCheck(ObjectNode report, DemoSummary summary) {
    var check = summary.doubleCheck();
    var reasons = report.putObject("ledgerRevertsOfAllRuns");
    new TreeMap<>(check.ledgerReverts())
        .forEach((reason, count) -> reasons.put(reason.name(), count));
    var doubleCheck = report.putObject("doubleCheck");
    doubleCheck.put("holds", summary.holds());
    var findings = doubleCheck.putArray("findings");
    check
        .findings()
        .forEach(
            finding ->
                findings
                    .addObject()
                    .put("holds", finding.holds())
                    .put("sentence", finding.sentence()));
  }

  private static void put(ObjectNode latency, String name, OptionalLong nanos) {
    if (nanos.isEmpty()) {
      latency.putNull(name);
    } else {
      latency.put(name, rounded(nanos.getAsLong() / NANOS_PER_MILLI));
    }
  }

  private static double rounded(double value) {
    return Math.round(value * 100) / 100.0;
  }
}
