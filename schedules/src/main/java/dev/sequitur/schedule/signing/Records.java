package dev.sequitur.schedule.signing;

import dev.sequitur.schedule.ConsensusTime;
import java.util.List;
import java.util.Optional;
import org.pcollections.TreePMap;
import org.pcollections.TreePVector;

/**
 * Records of transactions, as long as a transaction of the same id could still be valid, so that a
 * repeated one is known as such.
 *
 * @param byId oldest first; what is handed over has two
 */
public record Records(
    TreePMap<AccountTransactionId, TreePVector<TransactionRecord>> byId,
    TreePMap<ConsensusTime, AccountTransactionId> byTime) {
  public static final Records EMPTY = new Records(TreePMap.empty(), TreePMap.empty());

  /** Oldest first; empty if none is known. */
  public List<TransactionRecord> of(AccountTransactionId id) {
    return byId.getOrDefault(id, TreePVector.empty());
  }

  public int size() {
    return byTime.size();
  }

  public Optional<ConsensusTime> oldest() {
    return byTime.isEmpty() ? Optional.empty() : Optional.of(byTime.firstKey());
  }

  /**
   * @throws IllegalStateException if another record has the same consensus time
   */
  public Records plus(TransactionRecord record) {
    var time = record.consensusTimestamp();
    if (byTime.containsKey(time)) {
      throw new IllegalStateException("Two records at " + time + ": " + record);
    }
    var id = record.transactionId();
    var of = byId.getOrDefault(id, TreePVector.empty());
    return new Records(byId.plus(id, of.plus(record)), byTime.plus(time, id));
  }

  /** Without the oldest of those before {@code time}. */
  public Records forget(ConsensusTime time, int atMost) {
    var next = this;
    for (int i = 0; i < atMost; i++) {
      if (next.byTime.isEmpty() || !next.byTime.firstKey().isBefore(time)) {
        break;
      }
      next = next.withoutOldest();
    }
    return next;
  }

  private Records withoutOldest() {
    var id = byTime.firstEntry().getValue();
    var rest = byId.get(id).minus(0);
    return new Records(
        rest.isEmpty() ? byId.minus(id) : byId.plus(id, rest), byTime.minus(byTime.firstKey()));
  }
}
