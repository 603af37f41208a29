package dev.sequitur.node.configuration;

import dev.sequitur.protocol.id.NodeName;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Mutual TLS between a ledger process and the nodes; all three files are PEM.
 *
 * @param ledger the name in the ledger's certificate
 * @param certificate of this side
 * @param privateKey not encrypted
 * @param authority who has signed the other side's certificate
 */
public record LedgerTls(NodeName ledger, Path certificate, Path privateKey, Path authority) {

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
            pem(reader, section, "certificate"),
            pem(reader, section, "private-key"),
            pem(reader, section, "authority")));
  }

  private static Path pem(ConfigurationReader reader, String section, String key) {
    return reader.path(
        section + "." + key,
        "TLS to the ledger needs it; 'sequitur certificates' makes one for trying out.");
  }
}
