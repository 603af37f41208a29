package dev.sequitur.protocol.coordinator;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Signature;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.time.Instant;
import java.util.Optional;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/**
 * One delegated transaction at its coordinator.
 *
 * @param key of the transaction: two senders may use the same id
 * @param delegation of the newest command that named it
 * @param endorsements by party
 * @param endorsed whether its own attestation plan is fulfilled
 * @param requests by which requests endorsers, sender or submitter are asked now
 * @param confirmation the request for leave to dispatch, or the distribution to the sender
 * @param granted whether the sender has granted the dispatch
 * @param committed whether the submitter holds it durably
 * @param setbacks of its assemblies
 * @param notBefore not to be assembled earlier
 * @param since when it came into its state
 */
public record CoordinatedTransaction(
    IntentKey key,
    PrivateTransaction transaction,
    NodeName sender,
    DelegationId delegation,
    BlockHeight delegatedAt,
    CoordinatedState state,
    PMap<Identity, Signature> endorsements,
    boolean endorsed,
    PMap<Identity, RequestId> requests,
    Optional<RequestId> confirmation,
    boolean granted,
    boolean committed,
    Setbacks setbacks,
    Instant notBefore,
    Instant since) {

  static CoordinatedTransaction queued(
      PrivateTransaction transaction,
      DelegationId delegation,
      BlockHeight delegatedAt,
      Instant now) {
    return new CoordinatedTransaction(
        transaction.key(),
        transaction,
        delegation.sender(),
        delegation,
        delegatedAt,
        CoordinatedState.QUEUED,
        HashTreePMap.empty(),
        false,
        HashTreePMap.empty(),
        Optional.empty(),
        false,
        false,
        Setbacks.NONE,
        now,
        now);
  }

  public TransactionId id() {
    return transaction.id();
  }

  boolean isExternal() {
    return transaction.submitMode() == SubmitMode.EXTERNAL;
  }

  /**
   * What comes after it may ask for leave as well. Nobody knows when a caller submits, so what it
   * reads stays unspent until that is seen, or its locks have expired (A15).
   */
  boolean isReady() {
    return switch (state) {
      case CONFIRMATION, DISPATCHED -> true;
      case QUEUED, ASSEMBLING, ATTESTATION, DISTRIBUTED, GONE -> false;
    };
  }

  /** Its sender is told of it in heartbeats. */
  boolean isActive() {
    return switch (state) {
      case QUEUED, ASSEMBLING, ATTESTATION, CONFIRMATION -> true;
      case DISPATCHED -> !committed;
      case DISTRIBUTED, GONE -> false;
    };
  }

  private CoordinatedTransaction with(
      CoordinatedState newState,
      PMap<Identity, Signature> newEndorsements,
      boolean nowEndorsed,
      PMap<Identity, RequestId> newRequests) {
    return new CoordinatedTransaction(
        key,
        transaction,
        sender,
        delegation,
        delegatedAt,
        newState,
        newEndorsements,
        nowEndorsed,
        newRequests,
        confirmation,
        granted,
        committed,
        setbacks,
        notBefore,
        since);
  }

  CoordinatedTransaction in(CoordinatedState newState, Instant now) {
    return new CoordinatedTransaction(
        key,
        transaction,
        sender,
        delegation,
        delegatedAt,
        newState,
        endorsements,
        endorsed,
        requests,
        confirmation,
        granted,
        committed,
        setbacks,
        notBefore,
        now);
  }

  CoordinatedTransaction asking(Identity party, RequestId request) {
    return with(state, endorsements, endorsed, requests.plus(party, request));
  }

  CoordinatedTransaction endorsedBy(Signature endorsement) {
    return with(
        state,
        endorsements.plus(endorsement.party(), endorsement),
        endorsed,
        requests.minus(endorsement.party()));
  }

  /** The attestation plan is fulfilled; who has not answered is not waited for. */
  CoordinatedTransaction fullyEndorsed() {
    return with(state, endorsements, true, HashTreePMap.empty());
  }

  CoordinatedTransaction confirmationAsked(Optional<RequestId> request) {
    return new CoordinatedTransaction(
        key,
        transaction,
        sender,
        delegation,
        delegatedAt,
        state,
        endorsements,
        endorsed,
        requests,
        request,
        granted,
        committed,
        setbacks,
        notBefore,
        since);
  }

  CoordinatedTransaction dispatchGranted() {
    return new CoordinatedTransaction(
        key,
        transaction,
        sender,
        delegation,
        delegatedAt,
        state,
        endorsements,
        endorsed,
        requests,
        Optional.empty(),
        true,
        committed,
        setbacks,
        notBefore,
        since);
  }

  CoordinatedTransaction dispatchCommitted() {
    return new CoordinatedTransaction(
        key,
        transaction,
        sender,
        delegation,
        delegatedAt,
        state,
        endorsements,
        endorsed,
        requests,
        confirmation,
        granted,
        true,
        setbacks,
        notBefore,
        since);
  }

  CoordinatedTransaction delegatedAgain(DelegationId newer, BlockHeight height) {
    return new CoordinatedTransaction(
        key,
        transaction,
        sender,
        newer,
        height,
        state,
        endorsements,
        endorsed,
        requests,
        confirmation,
        granted,
        committed,
        setbacks,
        notBefore,
        since);
  }

  CoordinatedTransaction withoutConflicts() {
    return new CoordinatedTransaction(
        key,
        transaction,
        sender,
        delegation,
        delegatedAt,
        state,
        endorsements,
        endorsed,
        requests,
        confirmation,
        granted,
        committed,
        setbacks.withoutConflicts(),
        notBefore,
        since);
  }

  /** Back in the queue with nothing kept of its assembly. */
  CoordinatedTransaction requeued(Setbacks newSetbacks, Instant earliest, Instant now) {
    return new CoordinatedTransaction(
        key,
        transaction,
        sender,
        delegation,
        delegatedAt,
        CoordinatedState.QUEUED,
        HashTreePMap.empty(),
        false,
        HashTreePMap.empty(),
        Optional.empty(),
        false,
        false,
        newSetbacks,
        earliest,
        now);
  }
}
