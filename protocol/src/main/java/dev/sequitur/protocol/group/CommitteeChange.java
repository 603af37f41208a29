package dev.sequitur.protocol.group;

import dev.sequitur.protocol.attestation.TypedData;
import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import java.util.List;

/**
 * Another committee for a group, in place of the one that stands (CMT-1). It says all that stands
 * afterwards: who is added or removed, another key, another threshold follow from the comparison.
 *
 * @param number the first change of a group has number 1, and each the next one
 * @param quorum what stands afterwards
 * @param until the last block in which the ledger takes endorsements of the committee before
 */
public record CommitteeChange(int number, Quorum quorum, BlockHeight until) {
  /** Members of a committee that comes by a change. */
  public static final int MOST_MEMBERS = 255;

  private static final Hash MEMBER = TypedData.type("Member(string identity,bytes key)");
  private static final Hash CHANGE =
      TypedData.type(
          "CommitteeChange(uint32 number,Member[] members,uint32 threshold,uint32 changeThreshold,"
              + "uint64 until)Member(string identity,bytes key)");

  /**
   * @throws IllegalArgumentException if the number is below 1
   */
  public CommitteeChange {
    if (number < 1) {
      throw new IllegalArgumentException(
          "Changes of a committee are numbered from 1, and not " + number + ".");
    }
  }

  /** The EIP-712 digest that is signed for it (CMT-2), for one chain and contract. */
  public Hash digest(long chainId, ContractAddress contract) {
    return Digests.keccak256(encoded(chainId, contract));
  }

  /** What {@link #digest} is the hash of. */
  public Bytes message(long chainId, ContractAddress contract) {
    return Bytes.of(encoded(chainId, contract));
  }

  private byte[] encoded(long chainId, ContractAddress contract) {
    var members =
        quorum.committee().members().stream()
            .map(
                member ->
                    TypedData.struct(MEMBER)
                        .add(TypedData.text(member.identity().toString()))
                        .add(Digests.keccak256(member.verifier().publicKey()))
                        .hash())
            .toList();
    var message =
        TypedData.struct(CHANGE)
            .add(number)
            .add(members)
            .add(quorum.threshold())
            .add(quorum.changeThreshold())
            .add(until.value())
            .hash();
    return TypedData.signed(TypedData.ofGroup(chainId, contract), message);
  }

  /** Who has to sign it with the key that it names, since that was none of a member before. */
  public List<Member> newcomers(Committee before) {
    return quorum.committee().members().stream()
        .filter(member -> !before.members().contains(member))
        .toList();
  }
}
