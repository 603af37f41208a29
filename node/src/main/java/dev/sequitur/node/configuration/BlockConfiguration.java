package dev.sequitur.node.configuration;

import java.time.Duration;

/**
 * How a ledger makes its blocks.
 *
 * @param blockTime between two blocks
 * @param blockLimit transactions in a block at most
 * @param poolCapacity transactions that wait for a block at most
 * @param finalityDepth a block with so many above it never changes
 * @param emptyBlocks whether blocks are made without a transaction too
 */
public record BlockConfiguration(
    Duration blockTime, int blockLimit, int poolCapacity, int finalityDepth, boolean emptyBlocks) {
  public static final BlockConfiguration DEFAULT =
      new BlockConfiguration(Duration.ofSeconds(1), 20_000, 50_000, 12, true);

  public BlockConfiguration withBlockTime(Duration value) {
    return new BlockConfiguration(value, blockLimit, poolCapacity, finalityDepth, emptyBlocks);
  }

  static BlockConfiguration read(ConfigurationReader reader, String section) {
    return new BlockConfiguration(
        reader.duration(section + ".block-time"),
        reader.integer(section + ".block-limit", 1, 1_000_000),
        reader.integer(section + ".pool-capacity", 1, 10_000_000),
        reader.integer(section + ".finality-depth", 0, 10_000),
        reader.flag(section + ".empty-blocks"));
  }
}
