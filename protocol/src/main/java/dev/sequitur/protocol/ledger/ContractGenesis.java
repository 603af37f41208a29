package dev.sequitur.protocol.ledger;

import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;

/**
 * What stands on the base ledger of a privacy group from its first block on (SEL-6).
 *
 * @param endorsementThreshold how many of the committee's members must have signed each intent
 * @param changeThreshold how many of them must have signed a change of the committee (CMT-2)
 * @param configuration the domain's own
 */
public record ContractGenesis(
    GroupId group,
    String name,
    Committee committee,
    int endorsementThreshold,
    int changeThreshold,
    Bytes configuration) {
  public ContractGenesis {
    committee.requireThreshold(endorsementThreshold);
    committee.requireChangeThreshold(changeThreshold);
  }

  /** As many must sign for a change as endorse. */
  public ContractGenesis(
      GroupId group,
      String name,
      Committee committee,
      int endorsementThreshold,
      Bytes configuration) {
    this(group, name, committee, endorsementThreshold, endorsementThreshold, configuration);
  }

  /** Who must endorse what the contract takes, until the committee changes. */
  public Quorum quorum() {
    return new Quorum(committee, endorsementThreshold, changeThreshold);
  }

  /** A hash over all fields. */
  public Hash canonical() {
    var digest = new CanonicalDigest().add(group.value()).add(name).add(endorsementThreshold);
    digest.add(changeThreshold);
    for (var member : committee.members()) {
      digest.add(member.identity().toString()).add(member.verifier().publicKey());
    }
    return digest.add(configuration).finish();
  }
}
