package dev.sequitur.protocol.attestation;

import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * The tree of RFC 9162, section 2.1, over digests of 32 bytes, with Keccak-256 (ATT-1). Leaves and
 * inner nodes are hashed with different first bytes, so that neither can stand for the other; a
 * tree of n leaves is split at the largest power of two below n, so that no leaf is counted twice.
 */
public final class MerkleTree {
  /** More leaves than any batch has; bounds what a path may claim. */
  public static final int MOST_LEAVES = 1 << 16;

  private static final byte LEAF = 0;
  private static final byte INNER = 1;
  private static final int HASH = 32;

  private final List<Hash> leaves;

  private MerkleTree(List<Hash> leaves) {
    this.leaves = leaves;
  }

  /**
   * @param digests in their order, each once
   * @throws IllegalArgumentException if there are none or too many, or one stands there twice
   */
  public static MerkleTree of(List<Hash> digests) {
    if (digests.isEmpty() || digests.size() > MOST_LEAVES) {
      throw new IllegalArgumentException(
          "A tree has 1 to " + MOST_LEAVES + " leaves, not " + digests.size() + ".");
    } else if (new HashSet<>(digests).size() != digests.size()) {
      throw new IllegalArgumentException("A tree has each leaf once.");
    }
    return new MerkleTree(digests.stream().map(MerkleTree::leaf).toList());
  }

  public int size() {
    return leaves.size();
  }

  public Hash root() {
    return root(leaves);
  }

  /** The proof that the digest at {@code index} is in the tree, at that place. */
  public MerklePath path(int index) {
    if (index < 0 || index >= leaves.size()) {
      throw new IndexOutOfBoundsException(index);
    }
    var siblings = new ArrayList<Hash>();
    addPath(leaves, index, siblings);
    return new MerklePath(index, leaves.size(), siblings);
  }

  private static Hash root(List<Hash> part) {
    if (part.size() == 1) {
      return part.get(0);
    }
    int left = split(part.size());
    return inner(root(part.subList(0, left)), root(part.subList(left, part.size())));
  }

  /** From the leaf upwards. */
  private static void addPath(List<Hash> part, int index, List<Hash> siblings) {
    if (part.size() == 1) {
      return;
    }
    int left = split(part.size());
    var first = part.subList(0, left);
    var second = part.subList(left, part.size());
    if (index < left) {
      addPath(first, index, siblings);
      siblings.add(root(second));
    } else {
      addPath(second, index - left, siblings);
      siblings.add(root(first));
    }
  }

  /** How many of {@code size} leaves, at least two, are in the left part. */
  static int split(int size) {
    return Integer.highestOneBit(size - 1);
  }

  static Hash leaf(Hash digest) {
    return Digests.keccak256(
        Bytes.of(ByteBuffer.allocate(1 + HASH).put(LEAF).put(digest.toByteArray()).array()));
  }

  static Hash inner(Hash left, Hash right) {
    return Digests.keccak256(
        Bytes.of(
            ByteBuffer.allocate(1 + 2 * HASH)
                .put(INNER)
                .put(left.toByteArray())
                .put(right.toByteArray())
                .array()));
  }
}
