package dev.sequitur.node.configuration;

import dev.sequitur.node.rpc.HealthSettings;
import java.net.InetSocketAddress;
import java.util.Optional;

/** Reads {@code health.*}. */
final class HealthSection {
  private HealthSection() {}

  static HealthSettings read(ConfigurationReader reader, LedgerAccess ledger) {
    var address = reader.hostAndPort("health");
    var noBlockFor = reader.duration("health.no-block-for");
    return new HealthSettings(
        reader.flag("health.enabled")
            ? Optional.of(InetSocketAddress.createUnresolved(address.host(), address.port()))
            : Optional.empty(),
        reader.integer("ledger.confirmations", 0, 10_000),
        reader.integer("health.blocks-behind", 1, 1_000_000_000),
        makesBlocks(ledger) ? Optional.of(noBlockFor) : Optional.empty(),
        key(ledger));
  }

  private static String key(LedgerAccess ledger) {
    return switch (ledger) {
      case LedgerAccess.Embedded ignored -> "ledger.mode";
      case LedgerAccess.Remote ignored -> "ledger.remote";
      case LedgerAccess.Ethereum ignored -> "ledger.ethereum.rpc";
    };
  }

  /** Whether the ledger makes blocks by itself, as far as this configuration knows. */
  private static boolean makesBlocks(LedgerAccess ledger) {
    return switch (ledger) {
      case LedgerAccess.Embedded(var blocks) -> blocks.emptyBlocks();
      case LedgerAccess.Remote ignored -> true;
      case LedgerAccess.Ethereum ignored -> true;
    };
  }
}
