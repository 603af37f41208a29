package dev.sequitur.protocol.ledger;

import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import java.util.Optional;
import java.util.function.Function;

/**
 * A key of this node that signs for the base ledger.
 *
 * @param signature of a 32-byte digest, as {@link dev.sequitur.protocol.port.Keys#sign} makes it
 * @param elsewhere asks whoever holds the key for the signature of a message, and waits for it;
 *     empty if the key is here
 */
public record Signer(
    Verifier verifier,
    Function<Hash, Bytes> signature,
    Optional<Function<Bytes, Bytes>> elsewhere) {
  /** One whose key is here. */
  public Signer(Verifier verifier, Function<Hash, Bytes> signature) {
    this(verifier, signature, Optional.empty());
  }

  public Bytes sign(Hash digest) {
    return signature.apply(digest);
  }

  /** Signs the Keccak-256 hash of a message. */
  public Bytes signMessage(Bytes message) {
    return elsewhere
        .map(holder -> holder.apply(message))
        .orElseGet(() -> sign(Digests.keccak256(message)));
  }

  /** Whether to sign takes no longer than a signature does. */
  public boolean isHere() {
    return elsewhere.isEmpty();
  }
}
