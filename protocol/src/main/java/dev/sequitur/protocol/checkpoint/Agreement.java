package dev.sequitur.protocol.checkpoint;

import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.ledger.Signer;

/**
 * What a reader of the ledger says that it has found in the blocks itself, signed. The ledger tells
 * whether that is what it has (ROM-9).
 */
public record Agreement(Checkpoint checkpoint, Verifier reader, Bytes signature) {
  public static Agreement by(Signer signer, Checkpoint checkpoint, long chainId) {
    return new Agreement(
        checkpoint, signer.verifier(), signer.signMessage(checkpoint.message(chainId)));
  }

  /** The digest that the signature is of. */
  public Hash signed(long chainId) {
    return Digests.keccak256(checkpoint.message(chainId));
  }
}
