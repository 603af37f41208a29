package dev.sequitur.laboratory.soak;

import dev.sequitur.ledger.AuditReport;
import dev.sequitur.ledger.AuditReport.Kind;
import dev.sequitur.ledger.Conservation;
import dev.sequitur.ledger.LedgerAudit;
import dev.sequitur.ledger.remote.RemoteLedger;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.LedgerReceipt.Fulfilled;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;

/**
 * What stands in the ledger's blocks, compared with what callers were told.
 *
 * @param fulfilled how often each transaction stands there
 */
record LedgerAccount(AuditReport audit, Map<TransactionId, Integer> fulfilled) {
  LedgerAccount {
    fulfilled = Map.copyOf(fulfilled);
  }

  /**
   * What came of the transactions.
   *
   * @param submitted operations that were due
   * @param lost without a receipt, or with a success that does not stand on the ledger
   * @param duplicates fulfilled a second time, or by an id that no caller was given
   * @param contradicted reverted by their receipt, and yet fulfilled
   */
  record Tally(
      long submitted,
      long confirmed,
      long reverted,
      long lost,
      long duplicates,
      long contradicted) {}

  /** Reads all blocks. Blocks the caller. */
  static LedgerAccount read(URI ledger) {
    var threads = Executors.newFixedThreadPool(2);
    try (var remote = RemoteLedger.at(ledger, Optional.empty(), threads)) {
      var count = new Count(new HashMap<>());
      var head = remote.head().toCompletableFuture().join();
      var report = new LedgerAudit(count).read(remote, head).report();
      return new LedgerAccount(report, count.fulfilled);
    } finally {
      threads.shutdownNow();
    }
  }

  private record Count(Map<TransactionId, Integer> fulfilled) implements Conservation {
    @Override
    public Optional<String> complaint(Fulfilled intent) {
      fulfilled.merge(intent.transaction(), 1, Integer::sum);
      return Optional.empty();
    }
  }

  Tally compare(RemoteLoad.Sent sent) {
    long confirmed = 0;
    long reverted = 0;
    long lost = sent.due() - sent.outcomes().size();
    long contradicted = 0;
    for (var outcome : sent.outcomes()) {
      boolean stands = fulfilled.containsKey(outcome.ended().id());
      if (outcome.ended().success()) {
        confirmed += stands ? 1 : 0;
        lost += stands ? 0 : 1;
      } else {
        contradicted += stands ? 1 : 0;
        reverted += stands ? 0 : 1;
      }
    }
    long twice = fulfilled.values().stream().mapToLong(times -> times - 1L).sum();
    long strangers =
        fulfilled.keySet().stream().filter(id -> !sent.accepted().contains(id)).count();
    return new Tally(sent.due(), confirmed, reverted, lost, twice + strangers, contradicted);
  }

  long doubleSpends() {
    return audit.count(Kind.SPENT_TWICE);
  }
}
