package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.trie.HashTrie;
import java.util.Optional;
import org.pcollections.PMap;
import org.pcollections.TreePMap;

/**
 * A contract's transactions that are known to have ended, the newest so many of them: submitter
 * heartbeats that still name them hold nothing back (SWO-2). Of an id that another member has used
 * too, this sender's own transaction is the one that counts.
 *
 * @param byAge oldest first
 */
public record RecentlyEnded(
    PMap<TransactionId, Ended> endings, TreePMap<Long, TransactionId> byAge, long next) {
  static final RecentlyEnded NONE = new RecentlyEnded(HashTrie.empty(), TreePMap.empty(), 0);

  /**
   * @param own whether it was this sender's
   */
  public record Ended(TransactionState state, SenderCommitment commitment, boolean own) {}

  /**
   * @param limit how many are remembered at most
   */
  RecentlyEnded plusOwn(IntentKey intent, TransactionState state, int limit) {
    return plus(intent.transaction(), new Ended(state, intent.commitment(), true), limit);
  }

  /** Fulfilled on the ledger, and not this sender's. */
  RecentlyEnded plusConfirmed(IntentKey intent, int limit) {
    var ended = new Ended(TransactionState.CONFIRMED, intent.commitment(), false);
    return own(intent.transaction()).isPresent() ? this : plus(intent.transaction(), ended, limit);
  }

  private RecentlyEnded plus(TransactionId id, Ended ended, int limit) {
    if (endings.containsKey(id)) {
      return new RecentlyEnded(endings.plus(id, ended), byAge, next);
    }
    var nextEndings = endings.plus(id, ended);
    var nextByAge = byAge.plus(next, id);
    return new RecentlyEnded(nextEndings, nextByAge, next + 1).within(limit);
  }

  /** Without the oldest, if there are more. */
  RecentlyEnded within(int limit) {
    if (size() <= limit) {
      return this;
    }
    var nextEndings = endings;
    var nextByAge = byAge;
    while (nextByAge.size() > limit) {
      nextEndings = nextEndings.minus(nextByAge.firstEntry().getValue());
      nextByAge = nextByAge.minus(nextByAge.firstKey());
    }
    return new RecentlyEnded(nextEndings, nextByAge, next);
  }

  /** How many are remembered. */
  public int size() {
    return byAge.size();
  }

  boolean contains(TransactionId id) {
    return endings.containsKey(id);
  }

  /** Whether this very intent is remembered. */
  boolean knows(IntentKey intent) {
    var ended = endings.get(intent.transaction());
    return ended != null && ended.commitment().equals(intent.commitment());
  }

  /** How this sender's own transaction of that id ended, if it is remembered. */
  Optional<TransactionState> own(TransactionId id) {
    return Optional.ofNullable(endings.get(id)).filter(Ended::own).map(Ended::state);
  }

  /** Whether this very intent is this sender's and ended as reverted. */
  boolean isRevertedOwn(IntentKey intent) {
    var ended = endings.get(intent.transaction());
    return ended != null
        && ended.own()
        && ended.state() == TransactionState.REVERTED
        && ended.commitment().equals(intent.commitment());
  }
}
