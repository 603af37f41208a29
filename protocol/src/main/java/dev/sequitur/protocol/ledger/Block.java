package dev.sequitur.protocol.ledger;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Hash;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A block as a view shows it; a reorganisation may show another one at the same height.
 *
 * @param timestamp by the ledger
 * @param checkpoint the digest over all that the ledger keeps, as the block below this one has left
 *     it; of some blocks of a ledger of ours
 */
public record Block(
    BlockHeight height,
    Hash hash,
    Hash parent,
    Instant timestamp,
    List<LedgerReceipt> receipts,
    Optional<Hash> checkpoint) {
  public Block {
    receipts = List.copyOf(receipts);
  }

  /** One without a checkpoint. */
  public Block(
      BlockHeight height, Hash hash, Hash parent, Instant timestamp, List<LedgerReceipt> receipts) {
    this(height, hash, parent, timestamp, receipts, Optional.empty());
  }
}
