package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.time.Instant;
import java.util.Optional;
import org.pcollections.PSet;
import org.pcollections.PVector;

/**
 * One of the sender's own transactions.
 *
 * @param order of arrival at this sender
 * @param progress how far its active delegation has come
 * @param since when it came into its state
 * @param lastSign when coordinator or submitter last named it
 * @param attempts failed tries; durable
 * @param notBefore not to be delegated earlier; a parked one resumes then
 * @param waitsFor what it depends on and is not confirmed yet (A30)
 * @param history what happened, oldest first, bounded
 */
public record SenderTransaction(
    PrivateTransaction transaction,
    long order,
    TransactionState state,
    Progress progress,
    Instant since,
    Instant lastSign,
    int attempts,
    Instant notBefore,
    PSet<TransactionId> waitsFor,
    PVector<Happened> history) {
  private static final int HISTORY = 24;

  public record Happened(Instant time, String what) {}

  /**
   * How far a delegation has come.
   *
   * @param acceptedAt earlier heartbeats of the delegate say nothing of this transaction (A28)
   * @param assembleRequest the newest one for it
   * @param assembly the answer to that request
   * @param submitter whose submitter holds it
   * @param holders whose submitter may
   */
  public record Progress(
      Optional<NodeName> delegate,
      Optional<DelegationId> delegation,
      Optional<HeartbeatSequence> acceptedAt,
      Optional<RequestId> assembleRequest,
      Optional<PostAssembly> assembly,
      Optional<NodeName> submitter,
      PossibleHolders holders) {
    public static final Progress NONE =
        new Progress(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            PossibleHolders.NOBODY);

    /** Of before a restart: who holds it is not known. */
    static Progress unknown(Instant anybodyUntil) {
      return new Progress(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          new PossibleHolders(PossibleHolders.NOBODY.delegates(), anybodyUntil));
    }

    static Progress delegatedTo(NodeName delegate, DelegationId delegation, Progress before) {
      // The same coordinator keeps what it has made of it; so does the sender (A8).
      boolean same = before.delegate().equals(Optional.of(delegate));
      return new Progress(
          Optional.of(delegate),
          Optional.of(delegation),
          Optional.empty(),
          Optional.empty(),
          same ? before.assembly() : Optional.empty(),
          Optional.empty(),
          before.holders().and(delegate));
    }

    Progress accepted(HeartbeatSequence sequence) {
      return new Progress(
          delegate,
          delegation,
          Optional.of(sequence),
          assembleRequest,
          assembly,
          submitter,
          holders);
    }

    Progress assembling(RequestId request) {
      return new Progress(
          delegate,
          delegation,
          acceptedAt,
          Optional.of(request),
          Optional.empty(),
          submitter,
          holders);
    }

    Progress assembled(PostAssembly result) {
      return new Progress(
          delegate,
          delegation,
          acceptedAt,
          assembleRequest,
          Optional.of(result),
          submitter,
          holders);
    }

    Progress heldBy(NodeName newSubmitter) {
      return new Progress(
          delegate,
          delegation,
          acceptedAt,
          assembleRequest,
          assembly,
          Optional.of(newSubmitter),
          holders);
    }
  }

  public TransactionId id() {
    return transaction.id();
  }

  boolean isExternal() {
    return transaction.submitMode() == SubmitMode.EXTERNAL;
  }

  /** Prepared, and its caller's to submit (A15). */
  public boolean isLeftToCaller() {
    return isExternal() && state == TransactionState.PREPARED;
  }

  /** As it is found after a restart if it was prepared before. */
  SenderTransaction leftToCaller(Instant at) {
    return in(TransactionState.PREPARED, at, "prepared for its caller");
  }

  /** Whether {@code node} is whom it is delegated to, under this delegation. */
  boolean isDelegatedTo(NodeName node, DelegationId delegation) {
    return progress.delegate().equals(Optional.of(node))
        && progress.delegation().equals(Optional.of(delegation));
  }

  SenderTransaction in(TransactionState newState, Instant now, String what) {
    return new SenderTransaction(
        transaction,
        order,
        newState,
        progress,
        now,
        now,
        attempts,
        notBefore,
        waitsFor,
        remember(now, what));
  }

  private PVector<Happened> remember(Instant now, String what) {
    var next = history.plus(new Happened(now, what));
    return next.size() > HISTORY ? next.subList(next.size() - HISTORY, next.size()) : next;
  }

  SenderTransaction with(Progress newProgress) {
    return new SenderTransaction(
        transaction,
        order,
        state,
        newProgress,
        since,
        lastSign,
        attempts,
        notBefore,
        waitsFor,
        history);
  }

  SenderTransaction named(Instant now) {
    return new SenderTransaction(
        transaction, order, state, progress, since, now, attempts, notBefore, waitsFor, history);
  }

  SenderTransaction retried(int newAttempts, Instant earliest) {
    return new SenderTransaction(
        transaction,
        order,
        state,
        progress,
        since,
        lastSign,
        newAttempts,
        earliest,
        waitsFor,
        history);
  }

  SenderTransaction waitsFor(PSet<TransactionId> rest) {
    return new SenderTransaction(
        transaction, order, state, progress, since, lastSign, attempts, notBefore, rest, history);
  }
}
