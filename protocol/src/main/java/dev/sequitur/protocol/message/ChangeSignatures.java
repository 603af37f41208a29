package dev.sequitur.protocol.message;

import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import dev.sequitur.protocol.transaction.Signature;
import java.util.List;
import java.util.Optional;

/**
 * From a node whose operator has agreed to a change of a committee to the nodes of the members
 * before and after it, again and again: who has signed, as far as it knows (AGR-3). It asks nobody
 * to agree. Without a signature it asks what the group has begun with, where a base ledger does not
 * show that (AGR-9).
 *
 * @param signatures at most {@link #MOST}
 * @param terms what the group has begun with, for whoever has asked
 */
public record ChangeSignatures(
    ContractAddress contract,
    CommitteeChange change,
    List<Signature> signatures,
    Optional<Deploy> terms)
    implements Message.OfChange {
  /** Of a member each the one by its key of before, and the one by a new key. */
  public static final int MOST = 2 * CommitteeChange.MOST_MEMBERS;

  public ChangeSignatures {
    signatures = List.copyOf(signatures);
  }

  public ChangeSignatures(
      ContractAddress contract, CommitteeChange change, List<Signature> signatures) {
    this(contract, change, signatures, Optional.empty());
  }
}
