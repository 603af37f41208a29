package dev.sequitur.node.configuration;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.ledger.LedgerSettings;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a ledger process is started with.
 *
 * @param listen where nodes reach it
 * @param directory where its blocks live
 * @param rehearsals whether a node may make its own transactions revert
 */
public record LedgerConfiguration(
    HostAndPort listen, Path directory, LedgerSettings blocks, boolean rehearsals) {

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
    var configuration =
        new LedgerConfiguration(
            reader.hostAndPort("ledger"),
            reader.path(
                "ledger.data-directory",
                "say where the blocks may live, such as --data ledger-data."),
            EmbeddedLedgerSection.read(reader, "ledger"),
            reader.flag("ledger.rehearsals"));
    reader.finish();
    return configuration;
  }
}
