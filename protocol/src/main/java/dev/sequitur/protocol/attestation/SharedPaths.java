package dev.sequitur.protocol.attestation;

import dev.sequitur.protocol.id.Hash;
import java.util.HashMap;
import java.util.Map;

/**
 * Computes the roots that many paths lead to and what is signed for them, and hashes once what they
 * have in common: of a tree with 64 leaves whose paths are all followed, 63 inner nodes and not
 * 384. Remembers as many nodes as the paths have that it was given; not thread-safe.
 */
public final class SharedPaths {
  private final Map<Below, Hash> nodes = new HashMap<>();

  private final Map<Signed, Hash> digests = new HashMap<>();

  private record Below(Hash left, Hash right) {}

  private record Signed(Attestation attestation, Hash root, int size) {}

  /** As {@link Attestation#digest(Hash, MerklePath)}. */
  public Hash digest(Attestation attestation, Hash transition, MerklePath path) {
    return digests.computeIfAbsent(
        new Signed(attestation, root(transition, path), path.size()),
        signed -> signed.attestation().digest(signed.root(), signed.size()));
  }

  /** As {@link MerklePath#root}. */
  public Hash root(Hash digest, MerklePath path) {
    return path.root(
        digest,
        (left, right) ->
            nodes.computeIfAbsent(
                new Below(left, right), node -> MerkleTree.inner(node.left(), node.right())));
  }
}
