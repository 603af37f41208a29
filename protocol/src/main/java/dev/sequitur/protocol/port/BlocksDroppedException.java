package dev.sequitur.protocol.port;

import dev.sequitur.protocol.id.BlockHeight;

/** Whoever asks for a block that the ledger has dropped is told so; asking again does not help. */
public final class BlocksDroppedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BlocksDroppedException(String sentence) {
    super(sentence);
  }

  /**
   * @param oldest block that is still there
   */
  public static BlocksDroppedException below(BlockHeight oldest) {
    return new BlocksDroppedException(
        "The ledger has dropped all blocks below %s: its readers had agreed to a checkpoint above them."
            .formatted(oldest));
  }
}
