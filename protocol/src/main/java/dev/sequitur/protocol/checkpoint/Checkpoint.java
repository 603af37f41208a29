package dev.sequitur.protocol.checkpoint;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.Hash;

/**
 * What the blocks of a ledger have left up to a height, in one digest.
 *
 * @param height of the newest block that counts
 * @param carrier hash of the block above it, which carries the digest and stands for all below
 * @param digest of what the blocks have left
 */
public record Checkpoint(BlockHeight height, Hash carrier, Hash digest) {
  /** The message that a reader of the ledger signs. */
  public Bytes message(long chainId) {
    var digest =
        new CanonicalDigest()
            .add("sequitur checkpoint")
            .add(chainId)
            .add(height.value())
            .add(carrier)
            .add(this.digest)
            .finish();
    return Bytes.of(digest.toByteArray());
  }
}
