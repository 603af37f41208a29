package dev.sequitur.ledger;

import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * Checked transactions that wait for a block: per signer in order of nonce, those after a gap until
 * it is filled. Lost with the process, as pools are: a submitter submits again. Thread-safe.
 *
 * <p>Nobody pays for gas here, and there is no base fee: the priority fee orders a block, and what
 * replaces another transaction offers a tenth more of both fees.
 */
final class Pool {
  private static final Comparator<Waiting> BEST_FIRST =
      Comparator.comparingLong((Waiting waiting) -> waiting.transaction().fees().priority())
          .reversed()
          .thenComparingLong(Waiting::arrival);

  private final int capacity;
  private final ToLongFunction<LedgerAddress> nonces;
  private final Map<LedgerAddress, Queue> queues = new HashMap<>();
  private final Set<TransactionHash> hashes = new HashSet<>();
  private int held;
  private long arrivals;

  /**
   * @param capacity transitions; the last transaction that is taken may exceed it
   * @param nonces tells the next nonce of a signer by the newest block
   */
  Pool(int capacity, ToLongFunction<LedgerAddress> nonces) {
    this.capacity = capacity;
    this.nonces = nonces;
  }

  /** Transitions that wait. */
  synchronized int size() {
    return held;
  }

  /** The first nonce of a signer that is neither in a block nor, without a gap, here. */
  synchronized long pendingNonce(LedgerAddress signer) {
    var queue = queues.get(signer);
    return queue == null ? nonces.applyAsLong(signer) : queue.firstGap();
  }

  synchronized boolean contains(TransactionHash hash) {
    return hashes.contains(hash);
  }

  /**
   * Takes a transaction if its nonce allows; one that is in a block already is the caller's to
   * know.
   */
  synchronized SubmitOutcome add(CheckedTransaction transaction) {
    var hash = transaction.hash();
    if (hashes.contains(hash)) {
      return new SubmitOutcome.Pooled(hash);
    }
    var queue = queue(transaction.signer());
    if (transaction.nonce() < queue.next) {
      return abandon(queue, new SubmitOutcome.NonceTooLow(hash, queue.next));
    }
    var rival = queue.waiting.get(transaction.nonce());
    if (rival != null) {
      return replace(queue, rival, transaction);
    }
    if (held >= capacity && !makeRoomFor(queue, transaction)) {
      return abandon(queue, new SubmitOutcome.PoolFull(hash));
    }
    put(queue, transaction);
    return new SubmitOutcome.Pooled(hash);
  }

  /** Signers without anything in the pool are not remembered. */
  private SubmitOutcome abandon(Queue queue, SubmitOutcome outcome) {
    if (queue.waiting.isEmpty()) {
      queues.remove(queue.signer);
    }
    return outcome;
  }

  private SubmitOutcome replace(Queue queue, Waiting rival, CheckedTransaction transaction) {
    var needed = rival.transaction().fees().toReplace();
    if (!transaction.fees().cover(needed)) {
      return new SubmitOutcome.Underpriced(transaction.hash(), needed);
    }
    remove(rival);
    put(queue, transaction.doomedAt(rival.transaction().doomed()));
    return new SubmitOutcome.Pooled(transaction.hash());
  }

  private void put(Queue queue, CheckedTransaction transaction) {
    queue.waiting.put(transaction.nonce(), new Waiting(transaction, arrivals++));
    hashes.add(transaction.hash());
    held += transaction.weight();
  }

  private void remove(Waiting gone) {
    hashes.remove(gone.transaction().hash());
    held -= gone.transaction().weight();
  }

  /**
   * A full pool still takes what can go into the next block, at the expense of what waits behind a
   * gap: otherwise a pool full of such would keep out the very transactions that fill the gaps.
   */
  private boolean makeRoomFor(Queue queue, CheckedTransaction transaction) {
    if (transaction.nonce() != queue.firstGap()) {
      return false;
    }
    var victims =
        queue.waitsBehindGap()
            ? Optional.of(queue)
            : queues.values().stream().filter(Queue::waitsBehindGap).findFirst();
    victims.ifPresent(
        victim -> {
          var last = victim.waiting.pollLastEntry().getValue();
          remove(last);
          abandon(victim, new SubmitOutcome.PoolFull(last.transaction().hash()));
        });
    return victims.isPresent();
  }

  /**
   * The next block's transactions: best price first, then by arrival, nonces in order.
   *
   * @param limit transitions; the last transaction may exceed it
   */
  synchronized List<CheckedTransaction> select(int limit) {
    var selected = new ArrayList<CheckedTransaction>();
    var heads = new PriorityQueue<Waiting>(BEST_FIRST);
    queues.values().forEach(queue -> queue.at(queue.next).ifPresent(heads::add));
    int weight = 0;
    while (weight < limit && !heads.isEmpty()) {
      var transaction = heads.remove().transaction();
      weight += transaction.weight();
      selected.add(transaction);
      queues.get(transaction.signer()).at(transaction.nonce() + 1).ifPresent(heads::add);
    }
    return selected;
  }

  /** Drops what the newest block has settled for these signers. */
  synchronized void settle(Map<LedgerAddress, Long> nextNonces) {
    nextNonces.forEach(
        (signer, next) -> {
          var queue = queues.get(signer);
          if (queue == null) {
            return;
          }
          queue.next = next;
          var settled = queue.waiting.headMap(next);
          settled.values().forEach(this::remove);
          settled.clear();
          abandon(queue, null);
        });
  }

  /** After a reorganisation: takes transactions back, beyond the capacity if need be. */
  synchronized void restore(List<CheckedTransaction> transactions) {
    for (var transaction : transactions) {
      var queue = queue(transaction.signer());
      if (!queue.waiting.containsKey(transaction.nonce())) {
        put(queue, transaction);
      }
    }
    var next = new HashMap<LedgerAddress, Long>();
    queues.keySet().forEach(signer -> next.put(signer, nonces.applyAsLong(signer)));
    settle(next);
  }

  private Queue queue(LedgerAddress signer) {
    return queues.computeIfAbsent(signer, key -> new Queue(key, nonces.applyAsLong(key)));
  }

  private record Waiting(CheckedTransaction transaction, long arrival) {}

  private static final class Queue {
    private final LedgerAddress signer;
    private final TreeMap<Long, Waiting> waiting = new TreeMap<>();
    private long next;

    Queue(LedgerAddress signer, long next) {
      this.signer = signer;
      this.next = next;
    }

    Optional<Waiting> at(long nonce) {
      return Optional.ofNullable(waiting.get(nonce));
    }

    /** The first nonce from the next one on that nothing waits for. */
    long firstGap() {
      if (waiting.isEmpty() || waiting.lastKey() - next + 1 == waiting.size()) {
        return next + waiting.size();
      }
      long gap = next;
      while (waiting.containsKey(gap)) {
        gap++;
      }
      return gap;
    }

    boolean waitsBehindGap() {
      return !waiting.isEmpty() && waiting.lastKey() - next + 1 > waiting.size();
    }
  }
}
