package dev.sequitur.node.configuration;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import dev.sequitur.ledger.LedgerSettings;
import dev.sequitur.node.guard.GuardSettings;
import dev.sequitur.node.hapi.HapiSettings;
import dev.sequitur.node.rpc.HealthSettings;
import dev.sequitur.node.rpc.RpcSettings;
import dev.sequitur.node.signer.SignerSettings;
import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.sequencer.setup.NodeSetup;
import dev.sequitur.trace.TraceRing.TraceLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What one process of a node is started with.
 *
 * @param file where all this was read, and what may change while the node runs is read again; empty
 *     if nowhere
 * @param directory where journal, database and log live
 * @param keyDirectory where the key seed lies
 * @param keyPassphrase the file that has the seed's passphrase
 * @param encryptRecords whether what it stores is encrypted
 * @param signer who else holds keys of its identities
 * @param backup where its backups are, if it makes any
 * @param roomExport where it writes what it is about to forget, if it does
 * @param startTimeout how long it may take until it serves
 * @param guard who may call
 * @param hapi where Hedera's clients are served, if they are
 * @param tracing where spans are told
 * @param logging in which form the log is
 * @param chaos whether callers whom a role grants it may set faults, for a rehearsal
 * @param mayBeginEmpty whether it starts with an empty store although the ledger knows its keys
 * @param mayBeginOlder whether it starts although the ledger shows more of it than its records have
 * @param reindex the block that was read last and is gone, if the ledger is to be read again from
 *     where it has parted from what was read
 * @param akka settings of the actor system, that go before the product's own
 * @param shown all that the file and the defaults say, without secrets, for {@code diagnose}
 */
@Copyable
public record NodeConfiguration(
    NodeName name,
    Optional<ConfigurationFile> file,
    Path directory,
    Path keyDirectory,
    Optional<Path> keyPassphrase,
    boolean encryptRecords,
    Optional<SignerSettings> signer,
    BackupSettings backup,
    RoomExportSettings roomExport,
    Duration startTimeout,
    NodeJvms jvms,
    RpcSettings rpc,
    HealthSettings health,
    GuardSettings guard,
    Optional<HapiSettings> hapi,
    TransportConfiguration transport,
    LedgerAccess ledger,
    NodeSetup.Rules rules,
    SchedulerConfiguration scheduler,
    TraceLimits trace,
    TracingSettings tracing,
    LoggingSettings logging,
    boolean chaos,
    boolean mayBeginEmpty,
    boolean mayBeginOlder,
    Optional<Hash> reindex,
    Config akka,
    String shown)
    implements NodeConfigurationBuilder.With {
  private static final Duration START = Duration.ofMinutes(2);

  /** All defaults: alone, on loopback, on any free port. */
  public static NodeConfiguration embedded(NodeName name, Path directory) {
    return new NodeConfiguration(
        name,
        Optional.empty(),
        directory,
        directory,
        Optional.empty(),
        false,
        Optional.empty(),
        BackupSettings.NONE,
        RoomExportSettings.NONE,
        START,
        new NodeJvms.One(),
        RpcSettings.loopback(0),
        HealthSettings.DEFAULT,
        GuardSettings.of(directory.resolve(GuardSection.TOKENS)),
        Optional.empty(),
        new TransportConfiguration.InProcess(),
        new LedgerAccess.Embedded(LedgerSettings.DEFAULT),
        NodeSetup.Rules.DEFAULT,
        SchedulerConfiguration.DEFAULT,
        TraceLimits.DEFAULT,
        TracingSettings.OFF,
        LoggingSettings.DEFAULT,
        false,
        false,
        false,
        Optional.empty(),
        ConfigFactory.empty(),
        "");
  }

  /**
   * @throws ConfigurationMistakes with a sentence for each mistake
   */
  public static NodeConfiguration read(Path file) {
    var reader = ConfigurationReader.ofFile(Reference.NODE, file);
    var name =
        reader.required(
            "node.name",
            "give the node a name that no other node of the network has, such as node.name ="
                + " node1.",
            NodeName::new,
            new NodeName("unnamed"));
    var directory =
        reader.path(
            "node.data-directory",
            "say where keys and journal may live, such as node.data-directory = data.");
    var startTimeout = reader.duration("node.start-timeout");
    var ledger = LedgerAccess.read(reader);
    var rpc = RpcSection.read(reader);
    var guard = GuardSection.read(reader, directory, rpc.limits().batchRequests());
    var scheduler = SchedulerConfiguration.read(reader);
    var configuration =
        new NodeConfiguration(
            name,
            reader.file(),
            directory,
            reader.optionalPath("node.key-directory").orElse(directory),
            reader.optionalPath("node.key-passphrase-file"),
            reader.flag("node.encrypt-records"),
            SignerSection.read(reader),
            BackupSettings.read(reader),
            RoomExportSettings.read(reader),
            startTimeout,
            NodeJvms.read(reader, ledger),
            rpc,
            HealthSection.read(reader, ledger),
            guard,
            HapiSection.read(reader, scheduler, guard),
            TransportConfiguration.read(reader, name),
            ledger,
            RulesSections.read(reader),
            scheduler,
            traceLimits(reader),
            TracingSettings.read(reader),
            LoggingSettings.read(reader, "logging"),
            reader.flag("chaos.enabled"),
            false,
            false,
            Optional.empty(),
            system(reader, startTimeout),
            reader.shown());
    if (configuration.encryptRecords() && configuration.jvms() instanceof NodeJvms.Several) {
      reader.mistake(
          "node.encrypt-records is for a node of one JVM: have the disk of the database encrypted in"
              + " its place.");
    }
    if (configuration.scheduler().provider().isPresent()
        && configuration.jvms() instanceof NodeJvms.Several) {
      reader.mistake(
          "scheduler.provider is for a node of one JVM: give the contract a node of its own.");
    }
    Stream.concat(
            configuration.hapi().map(HapiSettings::queue).stream(),
            configuration.scheduler().provider().map(ProviderConfiguration::queue).stream())
        .filter(queue -> configuration.scheduler().settings().partitions(queue) > 1)
        .forEach(
            queue ->
                reader.mistake(
                    "The queue %s is served to Hedera's clients or for a contract, and cannot have partitions: take it out of scheduler.partitions."
                        .formatted(queue)));
    reader.finish();
    return configuration;
  }

  private static Config system(ConfigurationReader reader, Duration startTimeout) {
    var leastFree = reader.wholeNumber("node.min-free-disk-bytes", 0, Long.MAX_VALUE);
    return reader
        .section("akka")
        .atPath("akka")
        .withValue(
            "sequitur.persistence.level-db.min-free-disk", ConfigValueFactory.fromAnyRef(leastFree))
        // So that a JVM that finds nobody says this, and not that it is slow.
        .withFallback(
            ConfigFactory.parseMap(
                Map.of(
                    "akka.cluster.shutdown-after-unsuccessful-join-seed-nodes",
                    startTimeout.dividedBy(2))));
  }

  private static TraceLimits traceLimits(ConfigurationReader reader) {
    return new TraceLimits(
        reader.integer("trace.messages", 1, 100_000_000),
        reader.integer("trace.messages-per-second", 1, 10_000_000),
        reader.integer("trace.contracts", 1, 1_000_000),
        reader.integer("trace.heartbeats-per-contract", 1, 100_000),
        reader.integer("trace.transactions-per-heartbeat", 1, 100_000));
  }
}
