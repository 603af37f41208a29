package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.id.TransactionId;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;
import org.pcollections.TreePMap;

/**
 * A contract's transactions that are known to have ended, the newest so many of them: submitter
 * heartbeats that still name them hold nothing back (A11).
 *
 * @param byAge oldest first
 */
public record RecentlyEnded(
    PMap<TransactionId, TransactionState> states, TreePMap<Long, TransactionId> byAge, long next) {
  static final RecentlyEnded NONE = new RecentlyEnded(HashTreePMap.empty(), TreePMap.empty(), 0);

  /**
   * @param limit how many are remembered at most
   */
  RecentlyEnded plus(TransactionId id, TransactionState state, int limit) {
    if (states.containsKey(id)) {
      return new RecentlyEnded(states.plus(id, state), byAge, next);
    }
    var nextStates = states.plus(id, state);
    var nextByAge = byAge.plus(next, id);
    if (nextByAge.size() > limit) {
      nextStates = nextStates.minus(nextByAge.firstEntry().getValue());
      nextByAge = nextByAge.minus(nextByAge.firstKey());
    }
    return new RecentlyEnded(nextStates, nextByAge, next + 1);
  }

  boolean contains(TransactionId id) {
    return states.containsKey(id);
  }
}
