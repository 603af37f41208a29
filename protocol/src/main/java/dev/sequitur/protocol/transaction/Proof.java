package dev.sequitur.protocol.transaction;

import dev.sequitur.protocol.attestation.MerklePath;
import java.util.List;

/**
 * What shows of a transition that it was signed, with others or alone (ATT-2).
 *
 * @param path to its digest in the tree whose root is signed
 * @param signatures of that root, at most one of each party
 */
public record Proof(MerklePath path, List<Signature> signatures) {
  /** Nobody has signed. */
  public static final Proof NONE = new Proof(MerklePath.ALONE, List.of());

  public Proof {
    signatures = List.copyOf(signatures);
  }
}
