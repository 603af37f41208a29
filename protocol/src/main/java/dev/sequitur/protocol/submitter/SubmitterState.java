package dev.sequitur.protocol.submitter;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.exchange.Exchanges;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.TransactionReverted;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.pcollections.HashTreePMap;
import org.pcollections.HashTreePSet;
import org.pcollections.PMap;
import org.pcollections.PSet;
import org.pcollections.PVector;
import org.pcollections.TreePMap;
import org.pcollections.TreePVector;

/**
 * All that a submitter knows of one signing key. The nonces, the dispatches under them, their
 * prices and the notifications that are owed survive a restart.
 *
 * @param nextNonce of the next dispatch; durable
 * @param nonceKnown whether the ledger has confirmed it since the start
 * @param live dispatches that are not settled, by nonce
 * @param byTransaction the nonce of each that is not given up
 * @param owed notifications that are not acknowledged, with whom they go to
 * @param beatenFor contracts that were named in the last heartbeats
 */
@Copyable
public record SubmitterState(
    long nextNonce,
    boolean nonceKnown,
    TreePMap<Long, Live> live,
    PMap<IntentKey, Long> byTransaction,
    PMap<RequestId, Owed> owed,
    Exchanges<RequestId> exchanges,
    HeartbeatSequence sequence,
    Optional<Instant> lastHeartbeat,
    PSet<ContractAddress> beatenFor)
    implements SubmitterStateBuilder.With {

  /**
   * @param triedAt when it last moved, was submitted, or handed to the state store
   * @param tries since it was last pooled
   */
  @Copyable
  public record Live(
      long nonce,
      Dispatch dispatch,
      SubmissionState state,
      long gasPrice,
      Instant triedAt,
      int tries,
      boolean underway,
      PVector<Submitted> submissions)
      implements SubmitterStateLiveBuilder.With {
    Live in(SubmissionState newState, Instant at) {
      return with().state(newState).triedAt(at).underway(false).build();
    }

    Live again(Instant at) {
      return with().triedAt(at).tries(tries + 1).underway(false).build();
    }

    Live priced(long newPrice) {
      return withGasPrice(newPrice);
    }

    Live underway(Instant at) {
      return with().triedAt(at).underway(true).build();
    }

    /** Whether its dispatch may still be fulfilled, as far as this submitter is concerned. */
    public boolean isHeld() {
      return state != SubmissionState.FILLING;
    }

    /** Only its nonce is to be used still. */
    Live abandoned() {
      return new Live(
          nonce,
          dispatch,
          SubmissionState.FILLING,
          gasPrice,
          Instant.MIN,
          0,
          false,
          TreePVector.empty());
    }

    Live pooled(Submitted submission) {
      boolean known =
          submissions.stream().anyMatch(earlier -> earlier.hash().equals(submission.hash()));
      var all = known ? submissions : submissions.plus(submission);
      return with().tries(0).submissions(all).build();
    }
  }

  public record Submitted(Instant at, TransactionHash hash, long gasPrice) {}

  public record Owed(NodeName sender, TransactionReverted notification) {}

  public static SubmitterState initial() {
    return new SubmitterState(
        0,
        false,
        TreePMap.empty(),
        HashTreePMap.empty(),
        HashTreePMap.empty(),
        Exchanges.none(),
        new HeartbeatSequence(0, 0),
        Optional.empty(),
        HashTreePSet.empty());
  }

  /** Nothing is unfinished: the submitter may leave memory. */
  public boolean isIdle() {
    return live.isEmpty() && owed.isEmpty() && beatenFor.isEmpty();
  }

  /** The contract's dispatches that are neither settled nor given back, by their nonces. */
  public List<Dispatch> unconfirmed(ContractAddress contract) {
    return live.values().stream()
        .filter(Live::isHeld)
        .map(Live::dispatch)
        .filter(dispatch -> dispatch.contract().equals(contract))
        .toList();
  }

  static Live accepted(SubmitterEvent.Numbered numbered, long gasPrice) {
    return new Live(
        numbered.nonce(),
        numbered.dispatch(),
        SubmissionState.ACCEPTED,
        gasPrice,
        Instant.MIN,
        0,
        false,
        TreePVector.empty());
  }

  SubmitterState withLive(TreePMap<Long, Live> next, PMap<IntentKey, Long> nextByTransaction) {
    return with().live(next).byTransaction(nextByTransaction).build();
  }

  SubmitterState put(Live changed) {
    return withLive(live.plus(changed.nonce(), changed), byTransaction);
  }

  SubmitterState withNonce(long next, boolean known) {
    return with().nextNonce(next).nonceKnown(known).build();
  }

  SubmitterState beaten(HeartbeatSequence next, Instant at, PSet<ContractAddress> contracts) {
    return with().sequence(next).lastHeartbeat(Optional.of(at)).beatenFor(contracts).build();
  }

  SubmitterState started(long incarnation) {
    return with()
        .nonceKnown(false)
        .sequence(new HeartbeatSequence(incarnation, 0))
        .lastHeartbeat(Optional.empty())
        .build();
  }

  /** What a snapshot says of one dispatch. */
  public SubmitterState recovered(SubmitterEvent.Numbered numbered, long gasPrice) {
    return withLive(
        live.plus(numbered.nonce(), accepted(numbered, gasPrice)),
        byTransaction.plus(numbered.dispatch().prepared().intent(), numbered.nonce()));
  }

  /** Gives up the dispatch under {@code nonce}, and keeps the nonce. */
  public SubmitterState abandon(long nonce) {
    var gone = live.get(nonce);
    return gone == null
        ? this
        : withLive(
            live.plus(nonce, gone.abandoned()),
            byTransaction.minus(gone.dispatch().prepared().intent()));
  }

  /** What a snapshot says of one notification. */
  public SubmitterState owing(SubmitterEvent.Notifying notifying) {
    var id = notifying.notification().notificationId();
    return withOwed(owed.plus(id, new Owed(notifying.sender(), notifying.notification())));
  }

  /** What a snapshot says of the next nonce. */
  public SubmitterState expecting(long nonce) {
    return withNonce(nonce, false);
  }
}
