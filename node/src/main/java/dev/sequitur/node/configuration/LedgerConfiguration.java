package dev.sequitur.node.configuration;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.ledger.LedgerSettings;
import dev.sequitur.ledger.remote.LedgerServerSettings.Limits;
import dev.sequitur.links.ListenAddress;
import dev.sequitur.protocol.id.NodeName;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What a ledger process is started with.
 *
 * @param listen where nodes reach it
 * @param tls empty if it believes whoever connects
 * @param nodes who is served with TLS; empty for everybody with a certificate of the authority
 * @param limits what clients may take of it
 * @param directory where its blocks live
 * @param logging in which form the log is
 * @param rehearsals whether a node may make its own transactions revert
 */
public record LedgerConfiguration(
    HostAndPort listen,
    Optional<LedgerTls> tls,
    Set<NodeName> nodes,
    Limits limits,
    Path directory,
    LedgerSettings blocks,
    LoggingSettings logging,
    boolean rehearsals) {
  public LedgerConfiguration {
    nodes = Set.copyOf(nodes);
  }

  /**
   * Reads a file, under the options of a command line.
   *
   * @param options {@code ledger.*} keys that go before the file's
   * @throws ConfigurationMistakes with a sentence for each mistake
   */
  public static LedgerConfiguration read(Optional<Path> file, Config options) {
    var given = file.map(ConfigurationReader::parse).orElseGet(ConfigFactory::empty);
    var directory = ConfigurationReader.directoryOf(file.orElse(Path.of("ledger.conf")));
    var reader = new ConfigurationReader(Reference.LEDGER, options.withFallback(given), directory);
    var listen = reader.hostAndPort("ledger");
    var tls = LedgerTls.read(reader, "ledger.tls");
    if (tls.isEmpty()
        && !reader.flag("ledger.believe-everybody")
        && ListenAddress.isBeyondLoopback(listen.host())) {
      reader.mistake(
          "ledger.host is %s, which others can reach, and without ledger.tls the ledger believes"
                  .formatted(listen.host())
              + " whoever connects: enable ledger.tls, or set ledger.believe-everybody = true if the"
              + " network is your own.");
    }
    var configuration =
        new LedgerConfiguration(
            listen,
            tls,
            nodes(reader, tls),
            limits(reader),
            reader.path(
                "ledger.data-directory",
                "say where the blocks may live, such as --data ledger-data."),
            EmbeddedLedgerSection.read(reader, "ledger"),
            LoggingSettings.read(reader, "ledger.logging"),
            reader.flag("ledger.rehearsals"));
    reader.finish();
    return configuration;
  }

  private static Set<NodeName> nodes(ConfigurationReader reader, Optional<LedgerTls> tls) {
    var nodes = new HashSet<NodeName>();
    for (var name : reader.texts("ledger.tls.nodes")) {
      reader
          .built(
              "ledger.tls.nodes", () -> Optional.of(new NodeName(name)), Optional.<NodeName>empty())
          .ifPresent(nodes::add);
    }
    if (!nodes.isEmpty() && tls.isEmpty()) {
      reader.mistake(
          "ledger.tls.nodes says who is served, which only TLS can tell: set ledger.tls.enabled ="
              + " true.");
    }
    return nodes;
  }

  private static Limits limits(ConfigurationReader reader) {
    return reader.built(
        "ledger.limits",
        () ->
            new Limits(
                reader.integer("ledger.limits.connections", 2, 100_000),
                reader.integer("ledger.limits.connections-per-address", 1, 100_000),
                reader.duration("ledger.limits.first-call"),
                reader.duration("ledger.limits.each-call")),
        Limits.DEFAULT);
  }
}
