package dev.sequitur.node.configuration;

import dev.sequitur.ledger.LedgerSettings;
import dev.sequitur.protocol.id.LedgerAddress;
import java.util.function.Function;

/** Reads how an embedded ledger makes its blocks. */
final class EmbeddedLedgerSection {
  private EmbeddedLedgerSection() {}

  /** The same key for a ledger and for the nodes over it, embedded or not. */
  static long chainId(ConfigurationReader reader) {
    return reader.integer("ledger.chain-id", 1, Integer.MAX_VALUE);
  }

  static LedgerSettings read(ConfigurationReader reader, String section) {
    var settings =
        LedgerSettings.DEFAULT
            .withChainId(chainId(reader))
            .withBlockTime(reader.duration(section + ".block-time"))
            .withBlockLimit(reader.integer(section + ".block-limit", 1, 1_000_000))
            .withPoolCapacity(reader.integer(section + ".pool-capacity", 1, 10_000_000))
            .withFinalityDepth(reader.integer(section + ".finality-depth", 0, 10_000))
            .withEmptyBlocks(reader.flag(section + ".empty-blocks"))
            .withCheckpointEvery(
                reader.integer(
                    section + ".checkpoint-every", 0, LedgerSettings.MOST_BETWEEN_CHECKPOINTS))
            .withReaders(
                reader.entries(section + ".readers", Function.identity(), LedgerAddress::new));
    var keep = reader.wholeNumberOrForever(section + ".keep-blocks", 0);
    return reader.built(section + ".keep-blocks", () -> settings.withKeep(keep), settings);
  }
}
