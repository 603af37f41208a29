package dev.sequitur.protocol.group;

import dev.sequitur.protocol.id.ContractAddress;

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
