package dev.sequitur.schedule.signing;

import dev.sequitur.protocol.id.Hash;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The signatures of one signature map.
 *
 * @param over SHA-256 of the bytes that they were verified over: they count for nothing else
 */
public record VerifiedSignatures(Hash over, List<SignatureCheck> checks) {
  public VerifiedSignatures {
    checks = List.copyOf(checks);
  }

  /** Whoever signed. */
  public Set<PublicKey> signers() {
    Set<PublicKey> signers = new HashSet<>();
    checks.forEach(check -> signers.addAll(check.verified()));
    return signers;
  }
}
