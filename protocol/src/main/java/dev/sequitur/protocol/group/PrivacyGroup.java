package dev.sequitur.protocol.group;

import dev.sequitur.protocol.attestation.Attestation;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.NodeName;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A privacy group whose contract stands on the base ledger. Its {@link #committee} is the newest
 * that is known; whoever judges what was done at a block asks for the group {@link #asOf} it.
 *
 * @param chainId of that base ledger: what is signed for the group means nothing on another
 * @param domain the name of the {@link dev.sequitur.protocol.port.Domain}
 * @param committees who has been in it, and how many of them must endorse each transition (ATT-6)
 * @param configuration the domain's own, as it stands on the base ledger
 */
public record PrivacyGroup(
    GroupId id,
    long chainId,
    ContractAddress contract,
    String domain,
    String name,
    CommitteeHistory committees,
    Bytes configuration) {

  /**
   * What must be signed, and by whom, for a contract to fulfil a transition (ATT-6).
   *
   * @param chainId of the base ledger that the contract is on
   */
  public record EndorsementPolicy(long chainId, ContractAddress contract, Quorum quorum) {}

  /**
   * Of a group whose committee has never changed.
   *
   * @param endorsementThreshold 1 to all members
   */
  public PrivacyGroup(
      GroupId id,
      long chainId,
      ContractAddress contract,
      String domain,
      String name,
      Committee committee,
      int endorsementThreshold,
      Bytes configuration) {
    this(
        id,
        chainId,
        contract,
        domain,
        name,
        CommitteeHistory.of(new Quorum(committee, endorsementThreshold)),
        configuration);
  }

  public Committee committee() {
    return committees.newest().committee();
  }

  /** How many of the committee must endorse each transition. */
  public int endorsementThreshold() {
    return committees.newest().threshold();
  }

  /** The same group, with the committee and the threshold that count in a block (SEL-10). */
  public PrivacyGroup asOf(BlockHeight block) {
    var then = committees.asOf(block);
    return then.equals(committees) ? this : with(then);
  }

  /**
   * The nodes of the newest committee, and of the one before until the next change (CMT-5): that
   * one still coordinates and endorses while its last range goes on, and what it has endorsed may
   * reach the ledger later.
   */
  public Set<NodeName> nodes() {
    var nodes = new TreeSet<>(committee().nodes());
    committees.standing().former().ifPresent(it -> nodes.addAll(it.quorum().committee().nodes()));
    return nodes;
  }

  /** Whether these two hear each other (CMT-5). Each hears itself, also when it has left. */
  public boolean areHeard(NodeName one, NodeName other) {
    var nodes = nodes();
    return one.equals(other) || (nodes.contains(one) && nodes.contains(other));
  }

  /**
   * The same group after a change of its committee that was read in that block (CMT-5).
   *
   * @return empty if it does not follow on what is known
   */
  public Optional<PrivacyGroup> changed(CommitteeChange change, BlockHeight block) {
    return committees.read(change, block).map(this::with);
  }

  /**
   * This one, or what is known of it if that has later changes. A block may be told again after a
   * later one, and takes none of that one's changes back (CMT-5).
   */
  public PrivacyGroup orLater(Optional<PrivacyGroup> known) {
    return known.filter(it -> it.committees().number() > committees.number()).orElse(this);
  }

  private PrivacyGroup with(CommitteeHistory history) {
    return new PrivacyGroup(id, chainId, contract, domain, name, history, configuration);
  }

  /** Who must have signed its transitions. */
  public EndorsementPolicy endorsementPolicy() {
    return new EndorsementPolicy(chainId, contract, committees.newest());
  }

  /** What is signed for this group's transitions. */
  public Attestation attestation(Attestation.Purpose purpose) {
    return new Attestation(purpose, chainId, contract);
  }
}
