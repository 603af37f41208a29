package dev.sequitur.protocol.attestation;

import dev.sequitur.protocol.id.Hash;
import java.util.HashMap;
import java.util.Map;

/**
 * Computes the roots that many paths lead to, and hashes once what they have in common: of a tree
 * with 64 leaves whose paths are all followed, 63 inner nodes and not 384. Remembers as many nodes
 * as the paths have that it was given; not thread-safe.
 */
public final class SharedPaths {
  private final Map<Below, Hash> nodes = new HashMap<>();

  private record Below(Hash left, Hash right) {}

  /** As {@link MerklePath#root}. */
  public Hash root(Hash digest, MerklePath path) {
    return path.root(
        digest,
        (left, right) ->
            nodes.computeIfAbsent(
                new Below(left, right), node -> MerkleTree.inner(node.left(), node.right())));
  }
}
