package dev.sequitur.laboratory.soak;

import dev.sequitur.ledger.AuditReport;
import dev.sequitur.ledger.AuditReport.Kind;
import dev.sequitur.ledger.Conservation;
import dev.sequitur.ledger.LedgerAudit;
import dev.sequitur.ledger.remote.RemoteLedger;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.LedgerReceipt.Fulfilled;
import java.net.URI;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
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

  Tally compare(Collection<Submission> submissions) {
    long confirmed = 0;
    long reverted = 0;
    long lost = 0;
    long contradicted = 0;
    var strangers = new HashSet<>(fulfilled.keySet());
    for (var submission : submissions) {
      submission.id().ifPresent(strangers::remove);
      boolean stands = submission.id().map(fulfilled::containsKey).orElse(false);
      var end = submission.end();
      if (end.isEmpty() || (end.get().success() && !stands)) {
        lost++;
      } else if (end.get().success()) {
        confirmed++;
      } else if (stands) {
        contradicted++;
      } else {
        reverted++;
      }
    }
    long twice = fulfilled.values().stream().mapToLong(times -> times - 1L).sum();
    return new Tally(
        submissions.size(), confirmed, reverted, lost, twice + strangers.size(), contradicted);
  }

  long doubleSpends() {
    return audit.count(Kind.SPENT_TWICE);
  }
}
