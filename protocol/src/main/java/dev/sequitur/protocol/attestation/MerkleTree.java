package dev.sequitur.protocol.attestation;

import dev.sequitur.protocol.digest.Digests;
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

  private final Part whole;

  /** A part of the tree: one leaf, or two parts. */
  private sealed interface Part {
    int size();

    Hash root();
  }

  private record Leaf(Hash root) implements Part {
    @Override
    public int size() {
      return 1;
    }
  }

  private record Inner(int size, Hash root, Part left, Part right) implements Part {}

  private MerkleTree(Part whole) {
    this.whole = whole;
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
    return new MerkleTree(part(digests));
  }

  private static Part part(List<Hash> digests) {
    int size = digests.size();
    if (size == 1) {
      return new Leaf(leaf(digests.get(0)));
    }
    var left = part(digests.subList(0, split(size)));
    var right = part(digests.subList(split(size), size));
    return new Inner(size, inner(left.root(), right.root()), left, right);
  }

  public int size() {
    return whole.size();
  }

  public Hash root() {
    return whole.root();
  }

  /** The proof that the digest at {@code index} is in the tree, at that place. */
  public MerklePath path(int index) {
    if (index < 0 || index >= size()) {
      throw new IndexOutOfBoundsException(index);
    }
    var siblings = new ArrayList<Hash>();
    addPath(whole, index, siblings);
    return new MerklePath(index, size(), siblings);
  }

  /** From the leaf upwards. */
  private static void addPath(Part part, int index, List<Hash> siblings) {
    switch (part) {
      case Leaf ignored -> {}
      case Inner(var size, var root, var left, var right) when index < left.size() -> {
        addPath(left, index, siblings);
        siblings.add(right.root());
      }
      case Inner(var size, var root, var left, var right) -> {
        addPath(right, index - left.size(), siblings);
        siblings.add(left.root());
      }
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MerkleTree tree && root().equals(tree.root()) && size() == tree.size();
  }

  @Override
  public int hashCode() {
    return root().hashCode();
  }

  /** How many of {@code size} leaves, at least two, are in the left part. */
  static int split(int size) {
    return Integer.highestOneBit(size - 1);
  }

  static Hash leaf(Hash digest) {
    var content = ByteBuffer.allocate(1 + HASH).put(LEAF);
    digest.writeTo(content);
    return Digests.keccak256(content.array());
  }

  static Hash inner(Hash left, Hash right) {
    var content = ByteBuffer.allocate(1 + 2 * HASH).put(INNER);
    left.writeTo(content);
    right.writeTo(content);
    return Digests.keccak256(content.array());
  }
}
