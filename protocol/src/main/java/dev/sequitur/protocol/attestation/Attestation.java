package dev.sequitur.protocol.attestation;

import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.StateId;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * What is signed for a batch of transitions: the root of the tree over their digests and how many
 * they are, for one purpose, one contract and one chain (ATT-3, ATT-4).
 *
 * @param chainId of the base ledger, above 0
 * @param contract of the privacy group
 */
public record Attestation(Purpose purpose, long chainId, ContractAddress contract) {
  private static final Hash TRANSITION =
      TypedData.type(
          "Transition(bytes16 transaction,bytes32 commitment,bytes32[] inputs,bytes32[] reads,"
              + "bytes32[] outputs)");

  /** What whoever signs says of the batch. A signature for one says nothing for the other. */
  public enum Purpose {
    /** The sender: I have assembled these. */
    ASSEMBLY("Assembly"),
    /** A party of the committee: I endorse these. */
    ENDORSEMENT("Endorsement");

    private final Hash type;

    Purpose(String name) {
      this.type = TypedData.type(name + "(bytes32 root,uint32 size)");
    }
  }

  /**
   * The digest of one transition, a leaf of the tree: what it spends, needs and makes for which
   * intent. Contract and chain are not part of it, but of what is signed.
   */
  public static Hash transition(
      IntentKey intent, List<StateId> inputs, List<StateId> reads, List<StateId> outputs) {
    var id = intent.transaction().value();
    return TypedData.struct(TRANSITION)
        .addLeft(
            ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array())
        .add(intent.commitment().value())
        .add(hashes(inputs))
        .add(hashes(reads))
        .add(hashes(outputs))
        .hash();
  }

  private static List<Hash> hashes(List<StateId> states) {
    return states.stream().map(StateId::value).toList();
  }

  /** What is signed for all leaves of a tree. */
  public Hash digest(MerkleTree tree) {
    return digest(tree.root(), tree.size());
  }

  /** What must have been signed if a transition's digest is the leaf of that path. */
  public Hash digest(Hash transition, MerklePath path) {
    return digest(path.root(transition), path.size());
  }

  /** What is signed for the leaves of a tree of that root and so many leaves. */
  public Hash digest(Hash root, int size) {
    return Digests.keccak256(encoded(root, size));
  }

  /** What {@link #digest(MerkleTree)} is the hash of. */
  public Bytes message(MerkleTree tree) {
    return Bytes.of(encoded(tree.root(), tree.size()));
  }

  private byte[] encoded(Hash root, int size) {
    var message = TypedData.struct(purpose.type).add(root).add(size).hash();
    return TypedData.signed(TypedData.ofGroup(chainId, contract), message);
  }
}
