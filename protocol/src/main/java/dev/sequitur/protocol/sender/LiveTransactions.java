package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.trie.HashTrie;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.pcollections.PMap;
import org.pcollections.TreePMap;

/**
 * A sender's transactions that have not ended. What is asked of all of them, for each decision or
 * by whoever looks at the node, is kept beside them: nobody goes through all.
 *
 * @param arrivals so many have arrived since this start of the sender
 * @param pending those that may be delegated, by their order of arrival
 * @param underWay those that somebody of this network is to act upon next, the oldest first
 * @param afterOwn those that wait for others to end, by their identity and order: of their own,
 *     since what it has did not suffice (SND-7), or of whomever has taken what they need (EXT-4)
 * @param left what is prepared and left to its callers needs of the states
 * @param holding how many others of the same identity may wait for
 */
@Copyable
public record LiveTransactions(
    long arrivals,
    PMap<TransactionId, SenderTransaction> byId,
    TreePMap<Long, TransactionId> pending,
    TreePMap<Age, TransactionId> underWay,
    PMap<Identity, TreePMap<Long, TransactionId>> afterOwn,
    LeftStates left,
    Tally holding)
    implements LiveTransactionsBuilder.With {
  private static final int MOST_LOOKED_AT = 100;

  public static final LiveTransactions NONE =
      new LiveTransactions(
          0,
          HashTrie.empty(),
          TreePMap.empty(),
          TreePMap.empty(),
          HashTrie.empty(),
          LeftStates.NONE,
          Tally.NONE);

  /** When it was accepted; of several that were at once, the first to arrive is the oldest. */
  public record Age(Instant accepted, long order) implements Comparable<Age> {
    private static final Comparator<Age> OLDEST_FIRST =
        Comparator.comparing(Age::accepted).thenComparingLong(Age::order);

    private static Age of(SenderTransaction transaction) {
      return new Age(transaction.accepted(), transaction.order());
    }

    @Override
    public int compareTo(Age other) {
      return OLDEST_FIRST.compare(this, other);
    }
  }

  /** Puts one whose order is {@link #arrivals}. */
  public LiveTransactions arrived(SenderTransaction transaction) {
    return withArrivals(arrivals + 1).put(transaction);
  }

  /** Puts or replaces one and keeps the order of what is pending. */
  LiveTransactions put(SenderTransaction transaction) {
    var before = Optional.ofNullable(byId.get(transaction.id()));
    return with()
        .byId(byId.plus(transaction.id(), transaction))
        .pending(pendingWith(transaction))
        .underWay(underWayWith(before, transaction))
        .left(leftWith(left(before), left(Optional.of(transaction))))
        .build()
        .tallied(transaction.transaction().from(), held(before), transaction.id());
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

  private TreePMap<Age, TransactionId> underWayWith(
      Optional<SenderTransaction> before, SenderTransaction now) {
    var was = before.filter(SenderTransaction::isUnderWay).map(Age::of);
    var is = Optional.of(now).filter(SenderTransaction::isUnderWay).map(Age::of);
    if (was.equals(is)) {
      return underWay;
    }
    var others = was.map(underWay::minus).orElse(underWay);
    return is.map(age -> others.plus(age, now.id())).orElse(others);
  }

  private LeftStates leftWith(Optional<PreparedTransaction> was, Optional<PreparedTransaction> is) {
    if (was.equals(is)) {
      return left;
    }
    var others = was.map(left::minus).orElse(left);
    return is.map(others::plus).orElse(others);
  }

  private static Optional<PreparedTransaction> left(Optional<SenderTransaction> transaction) {
    return transaction
        .filter(SenderTransaction::isLeftToCaller)
        .flatMap(SenderTransaction::prepared);
  }

  LiveTransactions left(UnaryOperator<LeftStates> change) {
    return withLeft(change.apply(left));
  }

  LiveTransactions remove(SenderTransaction transaction) {
    return with()
        .byId(byId.minus(transaction.id()))
        .pending(pending.minus(transaction.order()))
        .underWay(underWay.minus(Age.of(transaction)))
        .left(leftWith(left(Optional.of(transaction)), Optional.empty()))
        .build()
        .tallied(
            transaction.transaction().from(), held(Optional.of(transaction)), transaction.id());
  }

  /** Those under way, the oldest first; each is looked for as it is asked for. */
  public Stream<SenderTransaction> oldest() {
    return underWay.values().stream().map(byId::get);
  }

  /** Those of an identity that wait for others of it, by their order. */
  TreePMap<Long, TransactionId> waitingFor(Identity own) {
    return afterOwn.getOrDefault(own, TreePMap.empty());
  }

  /** Whether it waits for others of its own identity. */
  boolean isAfterOwn(SenderTransaction transaction) {
    return waitingFor(transaction.transaction().from()).containsKey(transaction.order());
  }

  /** Whether another of its identity is under way that does not wait itself. */
  boolean hasOwnBefore(SenderTransaction transaction) {
    var itself = Optional.ofNullable(byId.get(transaction.id()));
    return holding.of(transaction.transaction().from()) > held(itself);
  }

  /**
   * Of one that waits for others of its identity (SND-7): which these are, in words. The oldest is
   * named if it is among the oldest of all, since each that is shown asks.
   */
  public Optional<String> ownBefore(SenderTransaction transaction) {
    if (!isAfterOwn(transaction)) {
      return Optional.empty();
    }
    var from = transaction.transaction().from();
    var first =
        oldest()
            .limit(MOST_LOOKED_AT)
            .filter(it -> it.transaction().from().equals(from) && held(Optional.of(it)) > 0)
            .findFirst();
    return Optional.of(
        first
            .map(it -> "transaction %s of %s, after which it comes".formatted(it.id(), from))
            .orElseGet(() -> "what else %s has under way".formatted(from)));
  }

  LiveTransactions waiting(SenderTransaction transaction) {
    return waiting(
        transaction,
        waitingFor(transaction.transaction().from()).plus(transaction.order(), transaction.id()));
  }

  LiveTransactions waitingNoMore(SenderTransaction transaction) {
    return waiting(
        transaction, waitingFor(transaction.transaction().from()).minus(transaction.order()));
  }

  private LiveTransactions waiting(
      SenderTransaction transaction, TreePMap<Long, TransactionId> all) {
    var from = transaction.transaction().from();
    var before = held(Optional.ofNullable(byId.get(transaction.id())));
    return withAfterOwn(all.isEmpty() ? afterOwn.minus(from) : afterOwn.plus(from, all))
        .tallied(from, before, transaction.id());
  }

  private LiveTransactions tallied(Identity from, int before, TransactionId changed) {
    int now = held(Optional.ofNullable(byId.get(changed)));
    return withHolding(holding.changed(from, now - before));
  }

  /** As a number: one that is with a coordinator, and does not wait for others. */
  private int held(Optional<SenderTransaction> transaction) {
    return transaction.filter(it -> isWithCoordinator(it.state()) && !isAfterOwn(it)).isPresent()
        ? 1
        : 0;
  }

  private static boolean isWithCoordinator(TransactionState state) {
    return switch (state) {
      case DELEGATING, DELEGATED, ASSEMBLING, PREPARED, DISPATCHED -> true;
      case PENDING, PARKED, CONFIRMED, REVERTED -> false;
    };
  }
}
