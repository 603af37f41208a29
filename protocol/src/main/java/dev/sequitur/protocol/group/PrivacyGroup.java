package dev.sequitur.protocol.group;

import dev.sequitur.protocol.attestation.Attestation;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;

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
    return then.equals(committees)
        ? this
        : new PrivacyGroup(id, chainId, contract, domain, name, then, configuration);
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
