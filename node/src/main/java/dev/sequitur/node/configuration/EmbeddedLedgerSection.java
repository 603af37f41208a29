package dev.sequitur.node.configuration;

import dev.sequitur.ledger.LedgerSettings;

/** Reads how an embedded ledger makes its blocks. */
final class EmbeddedLedgerSection {
  private EmbeddedLedgerSection() {}

  static LedgerSettings read(ConfigurationReader reader, String section) {
    return LedgerSettings.DEFAULT
        .withBlockTime(reader.duration(section + ".block-time"))
        .withBlockLimit(reader.integer(section + ".block-limit", 1, 1_000_000))
        .withPoolCapacity(reader.integer(section + ".pool-capacity", 1, 10_000_000))
        .withFinalityDepth(reader.integer(section + ".finality-depth", 0, 10_000))
        .withEmptyBlocks(reader.flag(section + ".empty-blocks"));
  }
}
