package dev.sequitur.protocol.ledger;

import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import java.util.function.Function;

/**
 * A key of this node that signs for the base ledger.
 *
 * @param signature of a 32-byte digest, as {@link dev.sequitur.protocol.port.Keys#sign} makes it
 */
public record Signer(Verifier verifier, Function<Hash, Bytes> signature) {
  public Bytes sign(Hash digest) {
    return signature.apply(digest);
  }
}
