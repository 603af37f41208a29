package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.exchange.Exchanges;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.BlockRange;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification;
import dev.sequitur.protocol.selection.Availability;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.pcollections.HashTreePMap;
import org.pcollections.HashTreePSet;
import org.pcollections.PMap;
import org.pcollections.PSet;
import org.pcollections.TreePMap;

/**
 * All that a sender knows of one contract. Of this only {@code epoch} and {@code remembered}
 * survive a restart.
 *
 * @param remembered failed attempts and parkings
 * @param counter of delegations in this epoch
 * @param transactions that have not ended
 * @param pending what may be delegated, by order of arrival
 * @param delegations commands that are not answered, with what they name
 * @param choice whom the contract's transactions go to now, and what holds them back
 * @param submitters the last heartbeat of each submitter
 * @param dependants who waits for a transaction to be confirmed (A30)
 * @param ended transactions of the contract known to have ended, whoever sent them
 */
public record SenderState(
    long epoch,
    PMap<TransactionId, Remembered> remembered,
    long counter,
    long arrivals,
    BlockHeight height,
    Availability availability,
    PMap<TransactionId, SenderTransaction> transactions,
    TreePMap<Long, TransactionId> pending,
    Exchanges<DelegationId> delegations,
    Choice choice,
    PMap<NodeName, SubmitterSeen> submitters,
    RecentlyEnded ended,
    PMap<TransactionId, PSet<TransactionId>> dependants) {

  /**
   * @param parkedUntil present while it is parked
   */
  public record Remembered(int attempts, Instant notBefore, Optional<Instant> parkedUntil) {
    static final Remembered NOTHING = new Remembered(0, Instant.MIN, Optional.empty());
  }

  /**
   * @param coordinator of the newest delegation
   * @param notBefore a rejection asked to wait
   * @param waitsForHeight the coordinator is in a later range: wait until this node is too
   * @param rejections in a row
   * @param heldOffSince when dispatched transactions of an earlier range began to hold back (A11)
   * @param rangeSince when this node came into its block range
   */
  public record Choice(
      Optional<NodeName> coordinator,
      Instant notBefore,
      Optional<BlockHeight> waitsForHeight,
      int rejections,
      Optional<Instant> heldOffSince,
      Instant rangeSince) {
    static final Choice NONE =
        new Choice(
            Optional.empty(), Instant.MIN, Optional.empty(), 0, Optional.empty(), Instant.MIN);

    Choice of(NodeName chosen) {
      return new Choice(
          Optional.of(chosen), notBefore, waitsForHeight, rejections, Optional.empty(), rangeSince);
    }

    Choice backOff(Instant until, Optional<BlockHeight> height) {
      return new Choice(coordinator, until, height, rejections + 1, heldOffSince, rangeSince);
    }

    Choice accepted() {
      return new Choice(coordinator, Instant.MIN, Optional.empty(), 0, heldOffSince, rangeSince);
    }

    Choice heldOff(Instant since) {
      return new Choice(
          coordinator, notBefore, waitsForHeight, rejections, Optional.of(since), rangeSince);
    }

    Choice notHeldOff() {
      return new Choice(
          coordinator, notBefore, waitsForHeight, rejections, Optional.empty(), rangeSince);
    }

    Choice heightReached() {
      return new Choice(
          coordinator, notBefore, Optional.empty(), rejections, heldOffSince, rangeSince);
    }

    Choice forgotten() {
      return new Choice(
          Optional.empty(), notBefore, waitsForHeight, rejections, heldOffSince, rangeSince);
    }

    Choice inRangeSince(Instant when) {
      return new Choice(coordinator, notBefore, waitsForHeight, rejections, heldOffSince, when);
    }
  }

  /**
   * @param oldest the earliest range among {@code pending}
   */
  public record SubmitterSeen(
      Instant at,
      List<SubmitterHeartbeatNotification.Pending> pending,
      Optional<BlockRange> oldest) {
    static SubmitterSeen of(Instant at, List<SubmitterHeartbeatNotification.Pending> pending) {
      var oldest =
          pending.stream()
              .map(SubmitterHeartbeatNotification.Pending::range)
              .min(Comparator.naturalOrder());
      return new SubmitterSeen(at, pending, oldest);
    }
  }

  /** What a snapshot begins with. */
  public static SenderState recovered(long epoch) {
    return initial().begun(epoch);
  }

  public static SenderState initial() {
    return new SenderState(
        0,
        HashTreePMap.empty(),
        0,
        0,
        BlockHeight.ZERO,
        Availability.UNKNOWN,
        HashTreePMap.empty(),
        TreePMap.empty(),
        Exchanges.none(),
        Choice.NONE,
        HashTreePMap.empty(),
        RecentlyEnded.NONE,
        HashTreePMap.empty());
  }

  /** Nothing is unfinished: the sender may leave memory. */
  public boolean isIdle() {
    return transactions.isEmpty();
  }

  SenderState begun(long newEpoch) {
    return new SenderState(
        newEpoch,
        remembered,
        0,
        arrivals,
        height,
        availability,
        transactions,
        pending,
        delegations,
        choice,
        submitters,
        ended,
        dependants);
  }

  /** Puts or replaces what must not be forgotten of a transaction. */
  public SenderState remember(TransactionId id, Remembered what) {
    return withRemembered(remembered.plus(id, what));
  }

  SenderState forget(TransactionId id) {
    return withRemembered(remembered.minus(id));
  }

  private SenderState withRemembered(PMap<TransactionId, Remembered> next) {
    return new SenderState(
        epoch,
        next,
        counter,
        arrivals,
        height,
        availability,
        transactions,
        pending,
        delegations,
        choice,
        submitters,
        ended,
        dependants);
  }

  SenderState withCounter(long next) {
    return new SenderState(
        epoch,
        remembered,
        next,
        arrivals,
        height,
        availability,
        transactions,
        pending,
        delegations,
        choice,
        submitters,
        ended,
        dependants);
  }

  SenderState with(BlockHeight next) {
    return new SenderState(
        epoch,
        remembered,
        counter,
        arrivals,
        next,
        availability,
        transactions,
        pending,
        delegations,
        choice,
        submitters,
        ended,
        dependants);
  }

  SenderState with(Availability next) {
    return new SenderState(
        epoch,
        remembered,
        counter,
        arrivals,
        height,
        next,
        transactions,
        pending,
        delegations,
        choice,
        submitters,
        ended,
        dependants);
  }

  SenderState with(Exchanges<DelegationId> next) {
    return new SenderState(
        epoch,
        remembered,
        counter,
        arrivals,
        height,
        availability,
        transactions,
        pending,
        next,
        choice,
        submitters,
        ended,
        dependants);
  }

  SenderState with(Choice next) {
    return new SenderState(
        epoch,
        remembered,
        counter,
        arrivals,
        height,
        availability,
        transactions,
        pending,
        delegations,
        next,
        submitters,
        ended,
        dependants);
  }

  SenderState with(RecentlyEnded next) {
    return new SenderState(
        epoch,
        remembered,
        counter,
        arrivals,
        height,
        availability,
        transactions,
        pending,
        delegations,
        choice,
        submitters,
        next,
        dependants);
  }

  /** Bounded by the nodes of the committee. */
  SenderState seen(NodeName submitter, SubmitterSeen what) {
    return new SenderState(
        epoch,
        remembered,
        counter,
        arrivals,
        height,
        availability,
        transactions,
        pending,
        delegations,
        choice,
        submitters.plus(submitter, what),
        ended,
        dependants);
  }

  /** Puts or replaces a transaction and keeps the order of what is pending. */
  SenderState put(SenderTransaction transaction) {
    boolean waits = transaction.state() == TransactionState.PENDING;
    var nextPending =
        waits
            ? pending.plus(transaction.order(), transaction.id())
            : pending.minus(transaction.order());
    return new SenderState(
        epoch,
        remembered,
        counter,
        arrivals,
        height,
        availability,
        transactions.plus(transaction.id(), transaction),
        nextPending,
        delegations,
        choice,
        submitters,
        ended,
        dependants);
  }

  SenderState remove(SenderTransaction transaction) {
    return new SenderState(
        epoch,
        remembered,
        counter,
        arrivals,
        height,
        availability,
        transactions.minus(transaction.id()),
        pending.minus(transaction.order()),
        delegations,
        choice,
        submitters,
        ended,
        dependants);
  }

  SenderState arrived() {
    return new SenderState(
        epoch,
        remembered,
        counter,
        arrivals + 1,
        height,
        availability,
        transactions,
        pending,
        delegations,
        choice,
        submitters,
        ended,
        dependants);
  }

  SenderState withDependant(TransactionId dependency, TransactionId dependant) {
    var waiting = dependants.getOrDefault(dependency, HashTreePSet.empty()).plus(dependant);
    return withDependants(dependants.plus(dependency, waiting));
  }

  SenderState withoutDependantsOf(TransactionId dependency) {
    return withDependants(dependants.minus(dependency));
  }

  private SenderState withDependants(PMap<TransactionId, PSet<TransactionId>> next) {
    return new SenderState(
        epoch,
        remembered,
        counter,
        arrivals,
        height,
        availability,
        transactions,
        pending,
        delegations,
        choice,
        submitters,
        ended,
        next);
  }
}
