package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.exchange.AnswerTimes;
import dev.sequitur.protocol.exchange.Exchanges;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.BlockRange;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification;
import dev.sequitur.protocol.selection.Availability;
import dev.sequitur.protocol.transaction.Receipt.Happened;
import dev.sequitur.protocol.trie.HashTrie;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.pcollections.PMap;
import org.pcollections.PVector;
import org.pcollections.TreePMap;
import org.pcollections.TreePVector;

/**
 * All that a sender knows of one contract. Of this only {@code epoch} and {@code remembered}
 * survive a restart.
 *
 * @param remembered failed attempts and parkings
 * @param counter of delegations in this epoch
 * @param live its transactions that have not ended
 * @param loading while more of them are being read: none is delegated before all are here
 * @param delegations commands that are not answered, with what they name
 * @param answers how long coordinators have taken to answer them
 * @param submitters the last heartbeat of each submitter
 * @param lettingGo those that have ended here while their coordinator coordinated them, until it
 *     does no more (SND-9)
 * @param ended transactions of the contract known to have ended, whoever sent them
 */
@Copyable
public record SenderState(
    long epoch,
    PMap<TransactionId, Remembered> remembered,
    long counter,
    BlockHeight height,
    Availability availability,
    LiveTransactions live,
    Optional<Loading> loading,
    Exchanges<DelegationId> delegations,
    AnswerTimes<DelegationId> answers,
    CoordinatorChoice choice,
    PMap<NodeName, SubmitterSeen> submitters,
    RecentlyEnded ended,
    Dependencies dependencies,
    LettingGoes lettingGo)
    implements SenderStateBuilder.With {

  /**
   * @param parkedUntil present while it is parked
   * @param failures why its tries have failed, oldest first: the newest {@value #FAILURES}
   */
  public record Remembered(
      int attempts, Instant notBefore, Optional<Instant> parkedUntil, PVector<Happened> failures) {
    static final int FAILURES = 20;
    static final Remembered NOTHING =
        new Remembered(0, Instant.MIN, Optional.empty(), TreePVector.empty());

    Remembered failed(SenderEvent.AttemptFailed failed) {
      var all = failed.what().map(failures::plus).orElse(failures);
      return new Remembered(
          failed.attempts(),
          failed.notBefore(),
          Optional.empty(),
          all.size() > FAILURES ? all.subList(all.size() - FAILURES, all.size()) : all);
    }

    Remembered parked(Optional<Instant> until) {
      return new Remembered(attempts, notBefore, until, failures);
    }
  }

  /**
   * The last heartbeat of a submitter.
   *
   * @param oldest the earliest range among {@code pending}
   * @param settledIn the newest block by which it holds something no more
   */
  public record SubmitterSeen(
      Instant at,
      List<SubmitterHeartbeatNotification.Pending> pending,
      Optional<BlockRange> oldest,
      Optional<BlockHeight> settledIn) {
    static SubmitterSeen of(
        Instant at,
        List<SubmitterHeartbeatNotification.Pending> pending,
        Optional<BlockHeight> settledIn) {
      var oldest =
          pending.stream()
              .map(SubmitterHeartbeatNotification.Pending::range)
              .min(Comparator.naturalOrder());
      return new SubmitterSeen(at, pending, oldest, settledIn);
    }
  }

  /**
   * @param number how many of each identity
   */
  public record LettingGoes(PMap<TransactionId, LettingGo> byId, Tally number) {
    static final LettingGoes NONE = new LettingGoes(HashTrie.empty(), Tally.NONE);

    LettingGoes plus(TransactionId id, LettingGo what) {
      var rest = minus(id);
      return new LettingGoes(rest.byId.plus(id, what), rest.number.changed(what.from(), 1));
    }

    LettingGoes minus(TransactionId id) {
      var gone = byId.get(id);
      return gone == null ? this : new LettingGoes(byId.minus(id), number.changed(gone.from(), -1));
    }
  }

  /**
   * What a coordinator is to let go.
   *
   * @param until when it counts as done, unless the coordinator names it again
   */
  public record LettingGo(Identity from, NodeName coordinator, Instant until) {}

  /** What a snapshot begins with. */
  public static SenderState recovered(long epoch) {
    return initial().begun(epoch);
  }

  public static SenderState initial() {
    return new SenderState(
        0,
        HashTrie.empty(),
        0,
        BlockHeight.ZERO,
        Availability.UNKNOWN,
        LiveTransactions.NONE,
        Optional.empty(),
        Exchanges.none(),
        AnswerTimes.none(),
        CoordinatorChoice.NONE,
        HashTrie.empty(),
        RecentlyEnded.NONE,
        Dependencies.NONE,
        LettingGoes.NONE);
  }

  /** Its transactions that have not ended. */
  public PMap<TransactionId, SenderTransaction> transactions() {
    return live.byId();
  }

  /** What is not delegated, by order of arrival. */
  public TreePMap<Long, TransactionId> pending() {
    return live.pending();
  }

  /** Whether a hold-off would hold anything back. */
  public boolean hasDelegable(Instant now) {
    return pending().values().stream().anyMatch(id -> transactions().get(id).isDelegable(now));
  }

  /** Nothing is unfinished: the sender may leave memory. */
  public boolean isIdle() {
    return transactions().isEmpty() && loading.isEmpty();
  }

  SenderState begun(long newEpoch) {
    return with().epoch(newEpoch).counter(0).build();
  }

  /** What must not be forgotten of a transaction. */
  public SenderState remember(TransactionId id, Remembered what) {
    return withRemembered(remembered.plus(id, what));
  }

  SenderState forget(TransactionId id) {
    return withRemembered(remembered.minus(id));
  }

  /** Bounded by the nodes of the committee. */
  SenderState seen(NodeName submitter, SubmitterSeen what) {
    return withSubmitters(submitters.plus(submitter, what));
  }
}
