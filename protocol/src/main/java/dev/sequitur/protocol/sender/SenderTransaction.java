package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.Receipt.Happened;
import dev.sequitur.protocol.transaction.SubmitMode;
import dev.sequitur.protocol.trie.HashTrie;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.pcollections.PSet;
import org.pcollections.PVector;

/**
 * One of the sender's own transactions.
 *
 * @param order of arrival at this sender
 * @param progress how far its active delegation has come
 * @param since when it came into its state
 * @param accepted from its caller
 * @param stepped when the last step of it ended whose time was taken, or it became pending again
 * @param lastSign when coordinator or submitter last named it
 * @param attempts failed tries; durable
 * @param notBefore not to be delegated earlier; a parked one resumes then
 * @param waitsFor what it depends on and is not confirmed yet (SND-6)
 * @param prepared as it is left to its caller, if it is (EXT-2)
 * @param history what happened, oldest first, bounded
 */
@Copyable
public record SenderTransaction(
    PrivateTransaction transaction,
    long order,
    TransactionState state,
    Progress progress,
    Instant since,
    Instant accepted,
    Instant stepped,
    Instant lastSign,
    int attempts,
    Instant notBefore,
    PSet<TransactionId> waitsFor,
    Optional<PreparedTransaction> prepared,
    PVector<Happened> history)
    implements SenderTransactionBuilder.With {
  /** Twenty failed attempts with all that happened in each. */
  private static final int HISTORY = 128;

  /**
   * How far a delegation has come.
   *
   * @param acceptedAt earlier heartbeats of the delegate say nothing of this transaction (AVL-5)
   * @param assembleRequest the newest one for it
   * @param assembly the answer to that request
   * @param submitter whose submitter holds it
   * @param holders whose submitter may
   * @param stuck why that submitter cannot submit, as long as it says so (SUB-11)
   * @param waiting for what it waits at its coordinator, as that says (HBT-6)
   * @param asking how often endorsers were asked for it that have not answered, by this coordinator
   *     and those before (HBT-7)
   * @param refusals by endorsers since they were last a failed try, at this coordinator and those
   *     before (EDR-5)
   * @param granted whether a coordinator has had leave to dispatch it, this one or one before: it
   *     may be on its way to the base ledger
   * @param outdated whether this coordinator has asked for another assembly than it was given last,
   *     and none was made: what it has is no assembly to dispatch (DSP-4)
   */
  @Copyable
  public record Progress(
      Optional<NodeName> delegate,
      Optional<DelegationId> delegation,
      Optional<HeartbeatSequence> acceptedAt,
      Optional<RequestId> assembleRequest,
      Optional<PostAssembly> assembly,
      Optional<NodeName> submitter,
      PossibleHolders holders,
      Optional<String> stuck,
      Optional<Awaited> waiting,
      Askings asking,
      int refusals,
      boolean granted,
      boolean outdated)
      implements SenderTransactionProgressBuilder.With {
    public static final Progress NONE =
        new Progress(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            PossibleHolders.NOBODY,
            Optional.empty(),
            Optional.empty(),
            Askings.NOBODY,
            0,
            false,
            false);

    /** Of before a restart: who holds it is not known. */
    static Progress unknown(Instant anybodyUntil) {
      return new Progress(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          new PossibleHolders(PossibleHolders.NOBODY.delegates(), anybodyUntil),
          Optional.empty(),
          Optional.empty(),
          Askings.NOBODY,
          0,
          false,
          false);
    }

    static Progress delegatedTo(NodeName delegate, DelegationId delegation, Progress before) {
      // The same coordinator keeps what it has made of it; so does the sender (DLG-9).
      boolean same = before.delegate().equals(Optional.of(delegate));
      return new Progress(
          Optional.of(delegate),
          Optional.of(delegation),
          Optional.empty(),
          Optional.empty(),
          same ? before.assembly() : Optional.empty(),
          Optional.empty(),
          before.holders().and(delegate),
          Optional.empty(),
          Optional.empty(),
          before.asking(),
          before.refusals(),
          before.granted(),
          same && before.outdated());
    }

    Progress accepted(HeartbeatSequence sequence) {
      return withAcceptedAt(Optional.of(sequence));
    }

    Progress assembling(RequestId request) {
      return with()
          .assembleRequest(Optional.of(request))
          .assembly(Optional.empty())
          .outdated(true)
          .build();
    }

    Progress assembled(PostAssembly result) {
      return with().assembly(Optional.of(result)).outdated(false).build();
    }

    Progress heldBy(NodeName newSubmitter) {
      return with().submitter(Optional.of(newSubmitter)).granted(true).build();
    }

    /** Its coordinator has told for what it waits; empty if for nothing that it tells of. */
    Progress waits(Optional<Awaited> now) {
      return with().waiting(now).asking(asking.told(waiting, now)).build();
    }

    /** All whose endorsement was needed have given it. */
    Progress grantedNow() {
      return with().granted(true).asking(Askings.NOBODY).refusals(0).build();
    }
  }

  /**
   * Whose submitter may hold a transaction (SUB-7): of everybody else it is not believed, since
   * every member knows the id and could keep the transaction from ever being tried again.
   *
   * @param delegates to whom it was delegated since this sender started; at most the committee
   * @param anybodyUntil until then everybody is believed, since what was delegated before the
   *     restart is not remembered
   */
  record PossibleHolders(PSet<NodeName> delegates, Instant anybodyUntil) {
    static final PossibleHolders NOBODY = new PossibleHolders(HashTrie.emptySet(), Instant.MIN);

    PossibleHolders and(NodeName delegate) {
      return new PossibleHolders(delegates.plus(delegate), anybodyUntil);
    }

    boolean includes(NodeName submitter, Instant now) {
      return delegates.contains(submitter) || now.isBefore(anybodyUntil);
    }
  }

  public TransactionId id() {
    return transaction.id();
  }

  /** Of one that is pending: whether nothing is to come first, but perhaps a hold-off. */
  boolean isDelegable(Instant now) {
    return waitsFor.isEmpty() && !notBefore.isAfter(now);
  }

  boolean isExternal() {
    return transaction.submitMode() == SubmitMode.EXTERNAL;
  }

  /** For what it waits at its coordinator, if that says so. */
  public Optional<String> waiting() {
    return progress.waiting().map(awaited -> awaited.words(progress.asking()));
  }

  /** Of one that its coordinator has: for what it waits there, as far as its sender knows. */
  public String waitsAtCoordinator() {
    return waiting()
        .orElseGet(
            () ->
                (progress.assembly().isPresent()
                        ? "endorsements, or the transactions that it is to come after"
                        : "its turn at "
                            + progress.delegate().map(NodeName::value).orElse("its coordinator"))
                    + progress.asking().ofCoordinatorsBefore());
  }

  /** Of one that is parked: why. */
  public String parkedFor() {
    return history.isEmpty() ? "" : history.get(history.size() - 1).what();
  }

  /** Whose move is next, as far as its sender knows; empty if that is no other node's. */
  public Set<NodeName> awaitedNodes() {
    return switch (state) {
      case DELEGATED ->
          progress
              .waiting()
              .map(Awaited::nodes)
              .filter(nodes -> !nodes.isEmpty())
              .orElseGet(() -> only(progress.delegate()));
      case DELEGATING -> only(progress.delegate());
      case PREPARED -> isExternal() ? Set.of() : only(progress.delegate());
      // Else it waits for a block.
      case DISPATCHED -> progress.stuck().isPresent() ? only(progress.submitter()) : Set.of();
      case PENDING, PARKED, ASSEMBLING, CONFIRMED, REVERTED -> Set.of();
    };
  }

  private static Set<NodeName> only(Optional<NodeName> node) {
    return node.map(Set::of).orElse(Set.of());
  }

  /** Whether somebody of this network is to act next, and not its caller or an operator. */
  public boolean isUnderWay() {
    return state != TransactionState.PARKED && !isLeftToCaller();
  }

  /** How long ago it was accepted. */
  public Duration age(Instant now) {
    return accepted.isAfter(now) ? Duration.ZERO : Duration.between(accepted, now);
  }

  /** For its receipt. */
  Receipt.Course course() {
    return new Receipt.Course(attempts, progress.delegate(), progress.submitter(), history);
  }

  /** Prepared, and its caller's to submit (EXT-2). */
  public boolean isLeftToCaller() {
    return isExternal() && state == TransactionState.PREPARED;
  }

  /** As it is found after a restart if it was prepared before. */
  SenderTransaction leftToCaller(PreparedTransaction what, Instant at) {
    return in(TransactionState.PREPARED, at, "prepared for its caller")
        .withPrepared(Optional.of(what));
  }

  /** Whether {@code node} is whom it is delegated to, under this delegation. */
  boolean isDelegatedTo(NodeName node, DelegationId delegation) {
    return progress.delegate().equals(Optional.of(node))
        && progress.delegation().equals(Optional.of(delegation));
  }

  SenderTransaction in(TransactionState newState, Instant now, String what) {
    return with().state(newState).since(now).lastSign(now).history(remember(now, what)).build();
  }

  private PVector<Happened> remember(Instant now, String what) {
    var next = history.plus(new Happened(now, what));
    return next.size() > HISTORY ? next.subList(next.size() - HISTORY, next.size()) : next;
  }

  /** The next step begins. */
  SenderTransaction stepped(Instant now) {
    return withStepped(now);
  }

  SenderTransaction named(Instant now) {
    return withLastSign(now);
  }

  SenderTransaction retried(int newAttempts, Instant earliest) {
    return with().attempts(newAttempts).notBefore(earliest).build();
  }

  SenderTransaction waitsFor(PSet<TransactionId> rest) {
    return withWaitsFor(rest);
  }
}
