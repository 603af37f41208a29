package dev.sequitur.laboratory.soak;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.laboratory.demo.ReportJson;
import java.util.Locale;
import java.util.OptionalLong;

/** A report as {@code --report} writes it. */
final class SoakJson {
  private static final double NANOS_PER_MILLI = 1e6;

  private SoakJson() {}

  static String write(SoakReport report) {
    var options = report.options();
    var tally = report.tally();
    var json = ReportJson.empty();
    json.put("nodes", options.nodes())
        .put("jvmsPerNode", options.jvmsPerNode())
        .put("minutes", options.load().toMinutes())
        .put("killEverySeconds", options.killEvery().toSeconds())
        .put("rate", options.rate())
        .put("seed", options.seed())
        .put("submitted", tally.submitted())
        .put("confirmed", tally.confirmed())
        .put("reverted", tally.reverted())
        .put("lost", tally.lost())
        .put("duplicates", tally.duplicates())
        .put("contradicted", tally.contradicted())
        .put("doubleSpends", report.ledger().doubleSpends())
        .put("kills", report.kills())
        .put("repeatedCalls", report.repeated())
        .put("seconds", report.elapsed().toMillis() / 1e3)
        .put("blocks", report.ledger().audit().height().value())
        .put("ledgerReverts", report.ledger().audit().reverted());
    putLatencies(json, report);
    var memory = json.putObject("memoryKilobytes");
    report.memory().forEach((name, use) -> put(memory.putObject(name), use));
    var complaints = json.put("holds", report.holds()).putArray("complaints");
    report.complaints().forEach(complaints::add);
    return ReportJson.text(json);
  }

  private static void putLatencies(ObjectNode json, SoakReport report) {
    var latency = json.putObject("latencyMillis");
    report
        .latencies()
        .forEach(
            (phase, latencies) -> {
              var entry = latency.putObject(phase.name().toLowerCase(Locale.ROOT));
              put(entry, "p50", latencies.percentile(50));
              put(entry, "p95", latencies.percentile(95));
              put(entry, "p99", latencies.percentile(99));
            });
  }

  private static void put(ObjectNode memory, MemoryLog.Use use) {
    use.live()
        .ifPresent(
            heap -> memory.putObject("live").put("start", heap.first()).put("end", heap.last()));
    use.resident()
        .ifPresent(
            set ->
                memory
                    .putObject("resident")
                    .put("start", set.first())
                    .put("end", set.last())
                    .put("most", set.most()));
    memory.put("ageSeconds", use.age().toSeconds());
  }

  private static void put(ObjectNode latency, String name, OptionalLong nanos) {
    if (nanos.isEmpty()) {
      latency.putNull(name);
    } else {
      latency.put(name, Math.round(nanos.getAsLong() / NANOS_PER_MILLI));
    }
  }
}
