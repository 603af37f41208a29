package dev.sequitur.ledger;

import dev.sequitur.ledger.codec.LedgerFormat;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import java.time.Instant;
import java.util.List;

/** A block's hash: SHA-256 over everything else in it, in the encoding of {@link LedgerFormat}. */
final class BlockHash {
  private static final Hash NONE = new Hash(0, 0, 0, 0);

  private BlockHash() {}

  /** The parent of the first block. */
  static Hash beforeFirst() {
    return NONE;
  }

  static Block seal(
      BlockHeight height, Hash parent, Instant timestamp, List<LedgerReceipt> receipts) {
    var open = new Block(height, NONE, parent, timestamp, receipts);
    return new Block(height, hash(open), parent, timestamp, receipts);
  }

  /** Whether the block's hash is that of its content. */
  static boolean isTrue(Block block) {
    return block.hash().equals(hash(block));
  }

  private static Hash hash(Block block) {
    var open = new Block(block.height(), NONE, block.parent(), block.timestamp(), block.receipts());
    return Hash.sha256(LedgerFormat.of(Block.class).encode(open));
  }
}
