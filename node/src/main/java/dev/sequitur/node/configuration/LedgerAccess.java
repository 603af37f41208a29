package dev.sequitur.node.configuration;

import dev.sequitur.ledger.LedgerSettings;
import java.util.Optional;

/** How a node reaches the base ledger. */
public sealed interface LedgerAccess {

  /** A ledger inside the process. */
  record Embedded(LedgerSettings blocks) implements LedgerAccess {}

  /**
   * The process that {@code sequitur ledger} started.
   *
   * @param tls empty if the ledger believes whoever connects
   */
  record Remote(HostAndPort address, Optional<LedgerTls> tls) implements LedgerAccess {}

  /** The values of {@code ledger.mode}. */
  enum Mode {
    EMBEDDED,
    REMOTE
  }

  static LedgerAccess read(ConfigurationReader reader) {
    var mode = reader.oneOf("ledger.mode", Mode.class);
    var blocks = EmbeddedLedgerSection.read(reader, "ledger.embedded");
    var address = reader.hostAndPort("ledger.remote");
    var tls = LedgerTls.read(reader, "ledger.remote.tls");
    if (mode == Mode.EMBEDDED) {
      return new Embedded(blocks);
    }
    if (address.port() == 0) {
      reader.mistake("ledger.remote.port is the port of a running ledger, not 0.");
    }
    return new Remote(address, tls);
  }
}
