package dev.sequitur.multijvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.ledger.AuditReport;
import dev.sequitur.ledger.Conservation;
import dev.sequitur.ledger.LedgerAudit;
import dev.sequitur.ledger.remote.RemoteLedger;
import dev.sequitur.protocol.ledger.LedgerReceipt.Fulfilled;
import java.net.URI;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;

/**
 * What stands in the ledger's blocks, whatever the nodes say.
 *
 * @param fulfilled how often each transaction stands there
 */
record LedgerOracle(AuditReport audit, Map<String, Integer> fulfilled) {

  /** Reads all blocks. */
  static LedgerOracle read(URI ledger) {
    var threads = Executors.newFixedThreadPool(2);
    try (var remote = RemoteLedger.at(ledger, Optional.empty(), threads)) {
      var count = new Count(new HashMap<>());
      var head = remote.head().toCompletableFuture().join();
      var report = new LedgerAudit(count).read(remote, head).report();
      return new LedgerOracle(report, Map.copyOf(count.fulfilled));
    } finally {
      threads.shutdownNow();
    }
  }

  private record Count(Map<String, Integer> fulfilled) implements Conservation {
    @Override
    public Optional<String> complaint(Fulfilled intent) {
      fulfilled.merge(intent.transaction().toString(), 1, Integer::sum);
      return Optional.empty();
    }
  }

  /** These and no others were fulfilled, each once, and no state was spent twice. */
  void assertEachOnce(Collection<String> transactions) {
    assertThat(audit.holds()).as(audit.toString()).isTrue();
    assertThat(fulfilled.keySet()).containsExactlyInAnyOrderElementsOf(transactions);
    assertThat(fulfilled.values()).allMatch(times -> times == 1);
  }

  /** Whether it stands in a block, seen by nodes or not. */
  boolean has(String transaction) {
    return fulfilled.containsKey(transaction);
  }
}
