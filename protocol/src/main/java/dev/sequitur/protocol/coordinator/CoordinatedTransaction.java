package dev.sequitur.protocol.coordinator;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.time.Instant;
import java.util.Optional;

/**
 * One delegated transaction at its coordinator.
 *
 * @param key of the transaction: two senders may use the same id
 * @param delegation of the newest command that named it
 * @param progress how far its assembly has come
 * @param setbacks of its assemblies, with those that its sender has told of coordinators before
 * @param notBefore not to be assembled earlier
 * @param since when it came into its state
 */
@Copyable
public record CoordinatedTransaction(
    IntentKey key,
    PrivateTransaction transaction,
    NodeName sender,
    DelegationId delegation,
    BlockHeight delegatedAt,
    CoordinatedState state,
    AssemblyProgress progress,
    Setbacks setbacks,
    Instant notBefore,
    Instant since)
    implements CoordinatedTransactionBuilder.With {

  /**
   * What the assemblies of one transaction have met with so far.
   *
   * @param refusals by endorsers
   * @param refuser whoever refused the newest; the next one is shown to them before anybody else
   * @param conflicts with others in flight, since it was last without one
   */
  public record Setbacks(int refusals, Optional<Identity> refuser, int conflicts) {
    static final Setbacks NONE = new Setbacks(0, Optional.empty(), 0);

    static Setbacks before(int refusals) {
      return refusals == 0 ? NONE : new Setbacks(refusals, Optional.empty(), 0);
    }

    Setbacks refusedBy(Identity party) {
      return new Setbacks(refusals + 1, Optional.of(party), conflicts);
    }

    Setbacks conflicted() {
      return new Setbacks(refusals, refuser, conflicts + 1);
    }

    Setbacks withoutConflicts() {
      return conflicts == 0 ? this : new Setbacks(refusals, refuser, 0);
    }
  }

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
        AssemblyProgress.NONE,
        Setbacks.NONE,
        now,
        now);
  }

  /** Whether its own attestation plan is fulfilled. */
  public boolean endorsed() {
    return progress.proof().isPresent();
  }

  /** The request for leave to dispatch, or the distribution to the sender. */
  public Optional<RequestId> confirmation() {
    return progress.confirmation();
  }

  /** Whether the sender has granted the dispatch. */
  public boolean granted() {
    return progress.granted();
  }

  /** Whether the submitter holds it durably. */
  public boolean committed() {
    return progress.committed();
  }

  public TransactionId id() {
    return transaction.id();
  }

  boolean isExternal() {
    return transaction.submitMode() == SubmitMode.EXTERNAL;
  }

  /**
   * What comes after it may ask for leave as well. Nobody knows when a caller submits, so what it
   * reads stays unspent until that is seen, or its locks have expired (EXT-3).
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
      case DISPATCHED -> !committed();
      case DISTRIBUTED, GONE -> false;
    };
  }

  CoordinatedTransaction waitsAt(long place) {
    return withProgress(progress.waitsAt(place));
  }

  CoordinatedTransaction in(AttestationBatch batch) {
    return withProgress(progress.in(batch));
  }

  /** Whether it is of this batch still. */
  boolean isOf(AttestationBatch batch) {
    return progress.batch().filter(number -> number == batch.number()).isPresent();
  }

  /** The attestation plan is fulfilled. */
  CoordinatedTransaction fullyEndorsed(Proof proof) {
    return withProgress(progress.fullyEndorsed(proof));
  }

  CoordinatedTransaction confirmationAsked(Optional<RequestId> request) {
    return withProgress(progress.confirmationAsked(request));
  }

  CoordinatedTransaction dispatchGranted() {
    return withProgress(progress.dispatchGranted());
  }

  CoordinatedTransaction dispatchCommitted() {
    return withProgress(progress.dispatchCommitted());
  }

  CoordinatedTransaction in(CoordinatedState newState, Instant now) {
    return with().state(newState).since(now).build();
  }

  CoordinatedTransaction delegatedAgain(DelegationId newer, BlockHeight height) {
    return with().delegation(newer).delegatedAt(height).build();
  }

  CoordinatedTransaction withoutConflicts() {
    return withSetbacks(setbacks.withoutConflicts());
  }

  /** With nothing kept of its assembly. */
  CoordinatedTransaction requeued(Setbacks newSetbacks, Instant earliest) {
    return with().progress(AssemblyProgress.NONE).setbacks(newSetbacks).notBefore(earliest).build();
  }
}
