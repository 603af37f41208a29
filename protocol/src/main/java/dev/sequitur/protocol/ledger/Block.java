package dev.sequitur.protocol.ledger;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Hash;
import java.time.Instant;
import java.util.List;

/**
 * A block as a view shows it; a reorganisation may show another one at the same height.
 *
 * @param timestamp by the ledger
 */
public record Block(
    BlockHeight height, Hash hash, Hash parent, Instant timestamp, List<LedgerReceipt> receipts) {
  public Block {
    receipts = List.copyOf(receipts);
  }
}
