package dev.sequitur.ledger;

import dev.sequitur.ledger.codec.LedgerFormat;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.ledger.Block;

/** A block's hash: SHA-256 over everything else in it, in the encoding of {@link LedgerFormat}. */
final class BlockHash {
  private static final Hash NONE = new Hash(0, 0, 0, 0);

  private BlockHash() {}

  /** The parent of the first block. */
  static Hash beforeFirst() {
    return NONE;
  }

  /**
   * @param open has any hash
   */
  static Block seal(Block open) {
    return withHash(open, hash(open));
  }

  /** Whether the block's hash is that of its content. */
  static boolean isTrue(Block block) {
    return block.hash().equals(hash(block));
  }

  private static Hash hash(Block block) {
    return Hash.sha256(LedgerFormat.of(Block.class).encode(withHash(block, NONE)));
  }

  private static Block withHash(Block block, Hash hash) {
    return new Block(
        block.height(),
        hash,
        block.parent(),
        block.timestamp(),
        block.receipts(),
        block.checkpoint());
  }
}
