package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.trie.HashTrie;
import org.pcollections.PMap;
import org.pcollections.TreePMap;

/**
 * A sender's transactions that have not ended, in their order of arrival.
 *
 * @param arrivals so many have arrived since this start of the sender
 * @param pending those that may be delegated, by their order
 */
public record LiveTransactions(
    long arrivals,
    PMap<TransactionId, SenderTransaction> byId,
    TreePMap<Long, TransactionId> pending) {
  static final LiveTransactions NONE = new LiveTransactions(0, HashTrie.empty(), TreePMap.empty());

  /** Puts one whose order is {@link #arrivals}. */
  LiveTransactions arrived(SenderTransaction transaction) {
    return new LiveTransactions(arrivals + 1, byId, pending).put(transaction);
  }

  /** Puts or replaces one and keeps the order of what is pending. */
  LiveTransactions put(SenderTransaction transaction) {
    return new LiveTransactions(
        arrivals, byId.plus(transaction.id(), transaction), pendingWith(transaction));
  }

  private TreePMap<Long, TransactionId> pendingWith(SenderTransaction transaction) {
    boolean waits = transaction.state() == TransactionState.PENDING;
    if (pending.containsKey(transaction.order()) == waits) {
      return pending;
    }
    return waits
        ? pending.plus(transaction.order(), transaction.id())
        : pending.minus(transaction.order());
  }

  LiveTransactions remove(SenderTransaction transaction) {
    return new LiveTransactions(
        arrivals, byId.minus(transaction.id()), pending.minus(transaction.order()));
  }
}
