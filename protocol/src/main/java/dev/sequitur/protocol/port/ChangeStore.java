package dev.sequitur.protocol.port;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import dev.sequitur.protocol.transaction.Signature;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/**
 * The part of the {@link NodeStore} that has the changes of committees which the node's operator
 * has agreed to (AGR-1): of each group the last. Every write is durable when its future completes,
 * and all or nothing. Thread-safe.
 */
public interface ChangeStore {
  /** Changes that are open at a time, at most. */
  int MOST_OPEN = 1_000;

  /**
   * Keeps a change, unless another one of that group is open, or {@link #MOST_OPEN} are.
   *
   * @return what is kept of that group now: the same change as it was known already, or the other
   *     one; empty if there is no room
   */
  CompletionStage<Optional<AgreedChange>> agree(AgreedChange agreed);

  /**
   * Adds what is known now of a change that is open ({@link AgreedChange#joined}).
   *
   * @return what is kept of that group now
   */
  CompletionStage<Optional<AgreedChange>> join(AgreedChange now);

  /** The last that was agreed to of a group. */
  CompletionStage<Optional<AgreedChange>> agreed(ContractAddress contract);

  /** Those that are open, in the order of their contracts: {@link #MOST_OPEN} at most. */
  CompletionStage<List<AgreedChange>> openChanges();

  /** How far a change is at this node. */
  enum Phase {
    /** This node is in no group of that contract: the group is read on the base ledger. */
    READING,
    /** This node's members sign it. */
    SIGNING,
    /** The signatures of others are gathered. */
    GATHERING,
    /** Enough have signed: it is given to the base ledger until that has decided. */
    GIVING,
    /**
     * It stands on the base ledger, and this node was in no group of that contract: what it holds
     * of it is made what the ledger shows.
     */
    JOINING,
    /** It stands on the base ledger. */
    IN_FORCE,
    /** It never will: another change took its number, or its time has passed. */
    OVER,
    /** The operator took it back before enough had signed. */
    WITHDRAWN;

    /** Whether something is to be done about it. */
    public boolean isOpen() {
      return switch (this) {
        case READING, SIGNING, GATHERING, GIVING, JOINING -> true;
        case IN_FORCE, OVER, WITHDRAWN -> false;
      };
    }

    /** Whether a change that is here may be there later, or is. */
    public boolean leadsTo(Phase next) {
      return this == next
          || switch (this) {
            case READING, SIGNING, GATHERING -> next.compareTo(this) > 0;
            case GIVING -> next == JOINING || next == IN_FORCE || next == OVER;
            case JOINING -> next == IN_FORCE;
            case IN_FORCE, OVER, WITHDRAWN -> false;
          };
    }
  }

  /** What a group has begun with, as another node says (AGR-9). */
  record Told(NodeName by, Deploy terms) {}

  /**
   * A change of a group's committee that this node's operator has agreed to.
   *
   * @param by who has called
   * @param signatures valid ones, each key's once
   * @param read the group as the base ledger shows it, where this node was in none of that contract
   * @param note why it is over, or what was in its way last
   * @param told what the group has begun with, where this node was in none of that contract and the
   *     base ledger does not show it
   */
  @Copyable
  record AgreedChange(
      ContractAddress contract,
      CommitteeChange change,
      Instant since,
      String by,
      Phase phase,
      List<Signature> signatures,
      Optional<PrivacyGroup> read,
      Optional<String> note,
      Optional<Told> told)
      implements ChangeStoreAgreedChangeBuilder.With {
    public AgreedChange {
      signatures = List.copyOf(signatures);
    }

    /** That nothing was done about yet. */
    public static AgreedChange of(
        ContractAddress contract, CommitteeChange change, Instant since, String by, Phase phase) {
      return new AgreedChange(
          contract,
          change,
          since,
          by,
          phase,
          List.of(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());
    }

    /** Whether it is that change and no other. */
    public boolean isOf(CommitteeChange other) {
      return change.equals(other);
    }

    /** Who has signed, each by the key that it has signed with. */
    public Set<Member> signers() {
      return signers(signatures);
    }

    /** Who has signed these: some may have done so more than once. */
    public static Set<Member> signers(List<Signature> signatures) {
      return signatures.stream().map(AgreedChange::signer).collect(Collectors.toUnmodifiableSet());
    }

    private static Member signer(Signature signature) {
      return new Member(signature.party(), signature.verifier());
    }

    /** With the first of each signer that it lacks. */
    public AgreedChange plus(List<Signature> more) {
      var known = new HashSet<>(signers());
      var all = new ArrayList<>(signatures);
      more.stream().filter(each -> known.add(signer(each))).forEach(all::add);
      return all.size() == signatures.size() ? this : withSignatures(all);
    }

    /**
     * What is known of it with this. What several JVMs learn meets in any order: signatures stay,
     * and so does what has ended. What would take the change where it can't go from here counts no
     * more, and what is given to the base ledger keeps the signatures that it began with (AGR-4).
     * While it is read, what was told about its beginning may turn out wrong, and goes (AGR-9).
     */
    public AgreedChange joined(AgreedChange later) {
      if (!isOf(later.change) || !phase.isOpen()) {
        return this;
      }
      var further = phase.leadsTo(later.phase) ? later : this;
      var signed = phase == Phase.GIVING ? this : plus(later.signatures);
      var known = later.phase == Phase.READING ? further.told : later.told.or(() -> told);
      return further
          .withSignatures(signed.signatures)
          .withRead(later.read.or(() -> read))
          .withTold(known);
    }
  }
}
