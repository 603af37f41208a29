package dev.sequitur.ledger;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.port.BaseLedger;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * How a ledger makes its blocks.
 *
 * @param chainId what its contracts verify endorsements for, at least 1
 * @param blockTime between two blocks cut by {@link EmbeddedLedger#start}, at least 1 ms
 * @param blockLimit transitions after which a block takes no further transaction; one without
 *     transitions counts as one
 * @param poolCapacity transitions that wait or are being checked at most, all signers together
 * @param finalityDepth a block with so many blocks above it never changes; a reorganisation
 *     replaces at most so many
 * @param emptyBlocks whether blocks are cut without a transaction too: the height is the protocol's
 *     clock, so a network whose ranges should pass while it idles needs them
 * @param checkpointEvery after so many blocks the next one carries the digest of all that the
 *     ledger keeps; 0 if none does
 * @param readers by their names, whose agreement a checkpoint needs before blocks below it go
 * @param keep blocks that stay in any case, the newest ones; empty if none is ever dropped
 * @param seed of the choices that a reorganisation leaves open
 */
@Copyable
public record LedgerSettings(
    long chainId,
    Duration blockTime,
    int blockLimit,
    int poolCapacity,
    int finalityDepth,
    boolean emptyBlocks,
    int checkpointEvery,
    Map<String, LedgerAddress> readers,
    Optional<Long> keep,
    long seed)
    implements LedgerSettingsBuilder.With {

  /**
   * A local chain, one block a second, 20,000 transactions a block, 50,000 in the pool, final after
   * 12 blocks, without checkpoints.
   */
  public static final LedgerSettings DEFAULT =
      new LedgerSettings(
          BaseLedger.LOCAL_CHAIN,
          Duration.ofSeconds(1),
          20_000,
          50_000,
          12,
          true,
          0,
          Map.of(),
          Optional.empty(),
          0);

  /** Blocks from one checkpoint to the next at most. */
  public static final int MOST_BETWEEN_CHECKPOINTS = 10_000_000;

  public LedgerSettings {
    readers = Map.copyOf(readers);
    if (chainId < 1) {
      throw new IllegalArgumentException("A chain id is at least 1, not " + chainId + ".");
    }
    if (blockTime.compareTo(Duration.ofMillis(1)) < 0) {
      throw new IllegalArgumentException("The block time is at least 1 ms, not " + blockTime + ".");
    }
    requireBetween(1, blockLimit, 1_000_000, "block limit");
    requireBetween(1, poolCapacity, 10_000_000, "pool capacity");
    requireBetween(0, finalityDepth, 10_000, "finality depth");
    requireBetween(0, checkpointEvery, MOST_BETWEEN_CHECKPOINTS, "distance of checkpoints");
    if (keep.isPresent() && (checkpointEvery == 0 || readers.isEmpty())) {
      throw new IllegalArgumentException(
          "Blocks are dropped below a checkpoint that all readers agree to: name the readers, and say"
              + " how many blocks lie between two checkpoints.");
    }
    if (keep.filter(blocks -> blocks < 0).isPresent()) {
      throw new IllegalArgumentException("Blocks that are kept are not " + keep.get() + ".");
    }
  }

  boolean checkpoints() {
    return checkpointEvery > 0;
  }

  /** Whether the block after that one carries a digest of what that one has left. */
  boolean isCheckpoint(BlockHeight block) {
    return checkpoints() && block.value() > 0 && block.value() % checkpointEvery == 0;
  }

  private static void requireBetween(int least, int value, int most, String name) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "The ledger's " + name + " is " + least + " to " + most + ", not " + value + ".");
    }
  }
}
