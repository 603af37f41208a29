package dev.sequitur.laboratory.demo;

import dev.sequitur.laboratory.load.Latencies;
import dev.sequitur.laboratory.report.Finding;
import dev.sequitur.laboratory.report.ReportText;
import dev.sequitur.protocol.ledger.LedgerReceipt.RevertReason;
import dev.sequitur.sequencer.setup.SequencerMetrics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a demonstration ends with.
 *
 * @param refusal the first sentence of refusal
 * @param revert why the first reverted, if this start has seen it
 * @param latencies of those that this start has submitted
 * @param stuck whether some intents never got a receipt
 */
record DemoSummary(
    Report report,
    Optional<String> refusal,
    Optional<String> revert,
    Latencies latencies,
    boolean stuck) {

  /**
   * As {@code --report} writes it.
   *
   * @param resumed whether an earlier start's run was finished
   * @param submitted what the run consists of
   * @param confirmed by the nodes' receipts, as all to {@code refused}
   * @param refused not accepted by a node
   * @param throughput confirmed ones a second, of those that had no receipt before this start
   * @param switchovers as all to {@code messagesPerTransaction} of this process, while the workload
   *     ran
   */
  record Report(
      int nodes,
      int contracts,
      int run,
      boolean resumed,
      long submitted,
      long confirmed,
      long reverted,
      long refused,
      long duplicates,
      long doubleSpends,
      long lost,
      double seconds,
      double throughput,
      Map<String, Number> latencyMillis,
      long switchovers,
      long reassemblies,
      long ledgerReverts,
      double messagesPerTransaction,
      long blocks,
      Map<RevertReason, Long> ledgerRevertsOfAllRuns,
      Check doubleCheck) {}

  /** Whether the network has kept its promises. */
  record Check(boolean holds, List<Finding> findings) {}

  static DemoSummary of(
      RunFile run,
      boolean resumed,
      Driver.Outcome done,
      SequencerMetrics.Counts during,
      DoubleCheck.Result check) {
    var totals = done.totals();
    double seconds = done.nanos() / 1e9;
    int now = totals.confirmedNow();
    return new DemoSummary(
        new Report(
            run.nodes(),
            run.workload().groups().size(),
            run.run(),
            resumed,
            run.transactions(),
            totals.confirmed(),
            totals.reverted(),
            totals.refused(),
            check.duplicates(),
            check.doubleSpends(),
            check.lost(),
            Latencies.rounded(seconds),
            Latencies.rounded(seconds == 0 ? 0 : now / seconds),
            totals.latencies().percentiles(Latencies::rounded),
            during.switchovers(),
            during.reassemblies(),
            during.reverts(),
            Latencies.rounded(now == 0 ? 0 : (double) during.messagesToPeers() / now),
            check.blocks(),
            new TreeMap<>(check.ledgerReverts()),
            new Check(!done.stuck() && check.holds(), check.findings())),
        totals.firstRefusal(),
        totals.firstRevert(),
        totals.latencies(),
        done.stuck());
  }

  boolean holds() {
    return report.doubleCheck.holds;
  }

  /** As a person reads it. */
  List<String> lines() {
    var text = new ReportText(26);
    text.title("Summary of run " + report.run + (report.resumed ? ", taken up again" : ""))
        .fact("transactions submitted", "%,d", report.submitted)
        .fact("confirmed", "%,d", report.confirmed)
        .fact(
            "reverted",
            "%,d%s",
            report.reverted,
            revert.map(reason -> ", the first: " + reason).orElse(""));
    if (report.refused > 0) {
      text.fact("refused", "%,d, the first: %s", report.refused, refusal.orElse(""));
    }
    text.fact("throughput", "%,.0f confirmed/s over %.1f s", report.throughput, report.seconds)
        .fact(
            "latency p50 / p95 / p99",
            "%s / %s / %s",
            latencies.milliseconds(50),
            latencies.milliseconds(95),
            latencies.milliseconds(99))
        .fact("coordinator switchovers", "%,d", report.switchovers)
        .fact("re-assemblies", "%,d", report.reassemblies)
        .fact("base-ledger reverts", "%,d", report.ledgerReverts)
        .fact("messages per transaction", "%.1f", report.messagesPerTransaction)
        .title("The double-check, from the ledger's blocks and not from the nodes' own word");
    report.doubleCheck.findings.forEach(text::finding);
    if (stuck) {
      text.failure("some transactions never got a receipt: see the nodes' log");
    }
    return text.lines();
  }
}
