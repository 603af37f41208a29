package dev.sequitur.protocol.attestation;

import dev.sequitur.protocol.id.Hash;
import java.util.List;
import java.util.function.BinaryOperator;

/**
 * The proof that a digest is one leaf of a {@link MerkleTree}, and which (ATT-2). It says how many
 * leaves the tree has, which is signed beside the root: the same root with another number of leaves
 * is another attestation.
 *
 * @param index of the leaf, from 0
 * @param size how many leaves the tree has, at most {@link MerkleTree#MOST_LEAVES}
 * @param siblings from the leaf upwards, just as many as a tree of that size has there
 */
public record MerklePath(int index, int size, List<Hash> siblings) {
  /** Of a tree that has no other leaf. */
  public static final MerklePath ALONE = new MerklePath(0, 1, List.of());

  public MerklePath {
    if (size < 1 || size > MerkleTree.MOST_LEAVES || index < 0 || index >= size) {
      throw new IllegalArgumentException(
          "A tree of " + size + " leaves has no leaf " + index + ".");
    }
    siblings = List.copyOf(siblings);
    if (siblings.size() != depth(index, size)) {
      throw new IllegalArgumentException(
          "A path to leaf %d of %d has %d siblings, not %d."
              .formatted(index, size, depth(index, size), siblings.size()));
    }
  }

  /** The root of the tree whose leaf at this place is {@code digest}. */
  public Hash root(Hash digest) {
    return root(digest, MerkleTree::inner);
  }

  /**
   * @param inner the node above two others
   */
  Hash root(Hash digest, BinaryOperator<Hash> inner) {
    return root(MerkleTree.leaf(digest), index, size, siblings.size(), inner);
  }

  private Hash root(Hash leaf, int place, int leaves, int height, BinaryOperator<Hash> inner) {
    if (leaves == 1) {
      return leaf;
    }
    int left = MerkleTree.split(leaves);
    var sibling = siblings.get(height - 1);
    return place < left
        ? inner.apply(root(leaf, place, left, height - 1, inner), sibling)
        : inner.apply(sibling, root(leaf, place - left, leaves - left, height - 1, inner));
  }

  private static int depth(int index, int size) {
    int depth = 0;
    int place = index;
    int leaves = size;
    while (leaves > 1) {
      int left = MerkleTree.split(leaves);
      leaves = place < left ? left : leaves - left;
      place = place < left ? place : place - left;
      depth++;
    }
    return depth;
  }
}
