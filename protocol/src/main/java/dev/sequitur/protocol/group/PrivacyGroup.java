package dev.sequitur.protocol.group;

import dev.sequitur.protocol.attestation.Attestation;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;

/**
 * A privacy group whose contract stands on the base ledger.
 *
 * @param chainId of that base ledger: what is signed for the group means nothing on another
 * @param domain the name of the {@link dev.sequitur.protocol.port.Domain}
 * @param endorsementThreshold how many of the committee must endorse each transition (ATT-6)
 * @param configuration the domain's own, as it stands on the base ledger
 */
public record PrivacyGroup(
    GroupId id,
    long chainId,
    ContractAddress contract,
    String domain,
    String name,
    Committee committee,
    int endorsementThreshold,
    Bytes configuration) {

  /**
   * What must be signed, and by whom, for a contract to fulfil a transition (ATT-6).
   *
   * @param chainId of the base ledger that the contract is on
   * @param threshold how many of the committee must sign, 1 to all
   */
  public record EndorsementPolicy(
      long chainId, ContractAddress contract, Committee committee, int threshold) {
    public EndorsementPolicy {
      committee.requireThreshold(threshold);
    }
  }

  /** Who must have signed its transitions. */
  public EndorsementPolicy endorsementPolicy() {
    return new EndorsementPolicy(chainId, contract, committee, endorsementThreshold);
  }

  /** What is signed for this group's transitions. */
  public Attestation attestation(Attestation.Purpose purpose) {
    return new Attestation(purpose, chainId, contract);
  }
}
