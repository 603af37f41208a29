package dev.sequitur.node.configuration;

import dev.sequitur.links.tls.TlsFiles;
import dev.sequitur.protocol.id.NodeName;
import java.util.Optional;

/**
 * Mutual TLS between a ledger process and the nodes.
 *
 * @param ledger the name in the ledger's certificate
 * @param files of this side
 */
public record LedgerTls(NodeName ledger, TlsFiles files) {

  /**
   * @return empty if it is not enabled
   */
  static Optional<LedgerTls> read(ConfigurationReader reader, String section) {
    if (!reader.flag(section + ".enabled")) {
      return Optional.empty();
    }
    var name = section + ".name";
    return Optional.of(
        new LedgerTls(
            reader.built(name, () -> new NodeName(reader.text(name)), new NodeName("ledger")),
            reader.tlsFiles(
                section,
                "TLS to the ledger needs it; 'sequitur certificates' makes one for trying out.")));
  }
}
