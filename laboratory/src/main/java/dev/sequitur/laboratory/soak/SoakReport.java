package dev.sequitur.laboratory.soak;

import dev.sequitur.laboratory.load.Latencies;
import dev.sequitur.laboratory.load.Totals.Outcome;
import dev.sequitur.laboratory.soak.KillLog.Phase;
import dev.sequitur.laboratory.soak.LedgerAccount.Tally;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

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
}
