package dev.sequitur.laboratory.soak;

import dev.sequitur.laboratory.load.Latencies;
import dev.sequitur.laboratory.load.Totals.Outcome;
import dev.sequitur.laboratory.report.Finding;
import dev.sequitur.laboratory.report.ReportText;
import dev.sequitur.laboratory.soak.KillLog.Phase;
import dev.sequitur.laboratory.soak.LedgerAccount.Tally;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What a soak has shown.
 *
 * @param repeated calls that were made again
 * @param latencies from when a transaction was due to when its receipt was seen, which is looked
 *     for each tenth of a second
 * @param elapsed from the first transaction due to the last receipt
 * @param complaints sentences about what else is wrong
 */
record SoakReport(
    SoakOptions options,
    Tally tally,
    int kills,
    long repeated,
    Map<Phase, Latencies> latencies,
    Duration elapsed,
    Map<String, MemoryLog.Use> memory,
    LedgerAccount ledger,
    List<String> complaints) {
  private static final long KILOBYTES = 1024;

  SoakReport {
    complaints = List.copyOf(complaints);
  }

  /** Whether each transaction that was due has completed exactly once. */
  boolean holds() {
    return tally.lost() == 0
        && tally.duplicates() == 0
        && tally.contradicted() == 0
        && ledger.audit().holds()
        && complaints.isEmpty();
  }

  static Map<Phase, Latencies> latencies(Collection<Outcome> outcomes, KillLog kills) {
    var latencies = new EnumMap<Phase, Latencies>(Phase.class);
    for (var phase : Phase.values()) {
      latencies.put(phase, new Latencies());
    }
    for (var outcome : outcomes) {
      long seenAt = outcome.seenAt().orElseThrow();
      var phase = kills.phase(outcome.since(), seenAt);
      latencies.get(phase).record(seenAt - outcome.since());
    }
    return latencies;
  }

  /** As {@code --report} writes it. */
  record Written(
      int nodes,
      int jvmsPerNode,
      long minutes,
      long killEverySeconds,
      int rate,
      long seed,
      long submitted,
      long confirmed,
      long reverted,
      long lost,
      long duplicates,
      long contradicted,
      long doubleSpends,
      int kills,
      long repeatedCalls,
      double seconds,
      long blocks,
      long ledgerReverts,
      Map<String, Map<String, Number>> latencyMillis,
      Map<String, Map<String, Object>> memoryKilobytes,
      boolean holds,
      List<String> complaints) {}

  Written written() {
    var phases = new LinkedHashMap<String, Map<String, Number>>();
    latencies.forEach((phase, each) -> phases.put(name(phase), each.percentiles(Math::round)));
    var processes = new LinkedHashMap<String, Map<String, Object>>();
    memory.forEach((name, use) -> processes.put(name, written(use)));
    return new Written(
        options.nodes(),
        options.jvmsPerNode(),
        options.load().toMinutes(),
        options.killEvery().toSeconds(),
        options.rate(),
        options.seed(),
        tally.submitted(),
        tally.confirmed(),
        tally.reverted(),
        tally.lost(),
        tally.duplicates(),
        tally.contradicted(),
        ledger.doubleSpends(),
        kills,
        repeated,
        elapsed.toMillis() / 1e3,
        ledger.audit().height().value(),
        ledger.audit().reverted(),
        phases,
        processes,
        holds(),
        complaints);
  }

  private static String name(Phase phase) {
    return phase.name().toLowerCase(Locale.ROOT);
  }

  /** What nobody could tell is left out. */
  private static Map<String, Object> written(MemoryLog.Use use) {
    var fields = new LinkedHashMap<String, Object>();
    use.live().ifPresent(heap -> fields.put("live", heap));
    use.resident().ifPresent(set -> fields.put("resident", set));
    fields.put("ageSeconds", use.age().toSeconds());
    return fields;
  }

  /** As a person reads it. */
  List<String> lines() {
    var text = new ReportText(26);
    text.title("Soak with seed " + options.seed())
        .fact("transactions submitted", "%,d", tally.submitted())
        .fact("confirmed", "%,d", tally.confirmed())
        .fact("reverted", "%,d", tally.reverted())
        .fact("lost", "%,d", tally.lost())
        .fact("duplicates", "%,d", tally.duplicates())
        .fact("JVMs killed", "%,d", kills)
        .fact("calls made again", "%,d", repeated)
        .fact("time", "%,.1f s", elapsed.toMillis() / 1e3);
    latencies.forEach(
        (phase, each) ->
            text.fact(
                "latency " + name(phase),
                "p50 %s, p95 %s, p99 %s",
                each.milliseconds(50),
                each.milliseconds(95),
                each.milliseconds(99)));
    text.title("Memory, in MB: on the heap after a collection; resident");
    memory.forEach((name, use) -> text.fact(name, "%s", memory(use)));
    var audit = ledger.audit();
    text.title("From the ledger's blocks and not from the nodes' own word")
        .line(
            String.format(
                Locale.ROOT,
                "  %,d blocks with %,d transactions, %,d of them reverted; %,d intents fulfilled, %,d"
                    + " states spent twice",
                audit.height().value(),
                audit.transactions(),
                audit.reverted(),
                audit.fulfilled(),
                ledger.doubleSpends()));
    audit.examples().stream().limit(5).forEach(example -> text.failure(example.description()));
    if (tally.contradicted() > 0) {
      text.failure(
          String.format(
              Locale.ROOT,
              "%,d transactions stand there although their receipts say reverted",
              tally.contradicted()));
    }
    complaints.forEach(text::failure);
    var each = " transaction completed exactly once";
    text.finding(new Finding(holds(), (holds() ? "every" : "not every") + each));
    return text.lines();
  }

  /** A killed process begins anew, so its age is told. */
  private static String memory(MemoryLog.Use use) {
    var live =
        use.live()
            .map(heap -> megabytes("%,d at the start, %,d at the end", heap.start(), heap.end()));
    var resident =
        use.resident()
            .map(set -> megabytes("%,d, %,d, at most %,d", set.start(), set.end(), set.most()));
    return "%s; %s; after %,d s"
        .formatted(live.orElse("-"), resident.orElse("-"), use.age().toSeconds());
  }

  private static String megabytes(String format, Long... kilobytes) {
    return String.format(
        Locale.ROOT, format, Stream.of(kilobytes).map(each -> each / KILOBYTES).toArray());
  }
}
