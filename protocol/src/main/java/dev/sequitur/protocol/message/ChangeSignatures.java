package dev.sequitur.protocol.message;

import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.transaction.Signature;
import java.util.List;

/**
 * From a node whose operator has agreed to a change of a committee to the nodes of the members
 * before and after it, again and again: who has signed, as far as it knows (AGR-3). It asks nobody
 * to agree.
 *
 * @param signatures at most {@link #MOST}
 */
public record ChangeSignatures(
    ContractAddress contract, CommitteeChange change, List<Signature> signatures)
    implements Message.OfChange {
  /** Of a member each the one by its key of before, and the one by a new key. */
  public static final int MOST = 2 * CommitteeChange.MOST_MEMBERS;

  public ChangeSignatures {
    signatures = List.copyOf(signatures);
  }
}
