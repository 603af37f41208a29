package dev.sequitur.node.process;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.DispatcherSelector;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.cluster.metrics.CountedRemoting;
import dev.sequitur.cluster.placement.Draining;
import dev.sequitur.cluster.placement.ShareGauges;
import dev.sequitur.cluster.tls.WatchedCertificates;
import dev.sequitur.console.WrongOption;
import dev.sequitur.crypto.FileKeys;
import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.domain.Domains;
import dev.sequitur.ledger.LedgerWitness;
import dev.sequitur.links.ListenAddress;
import dev.sequitur.links.tls.BadCertificate;
import dev.sequitur.node.configuration.HostAndPort;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.configuration.NodeJvms;
import dev.sequitur.node.configuration.OwnCertificates;
import dev.sequitur.node.configuration.ReadAgain;
import dev.sequitur.node.guard.Guard;
import dev.sequitur.node.hapi.HapiPort;
import dev.sequitur.node.hapi.HapiServer;
import dev.sequitur.node.hapi.mirror.MirrorServer;
import dev.sequitur.node.process.StartFailure.LeftOut;
import dev.sequitur.node.rehearsal.Rehearsal;
import dev.sequitur.node.rpc.Backups;
import dev.sequitur.node.rpc.Diagnosable;
import dev.sequitur.node.rpc.method.EndedLines;
import dev.sequitur.node.rpc.method.WebhookSecrets;
import dev.sequitur.node.rpc.server.Hosts;
import dev.sequitur.node.rpc.server.RpcServer;
import dev.sequitur.node.signer.RemoteKeys;
import dev.sequitur.persistence.backup.BackupDirectory;
import dev.sequitur.persistence.backup.Pace;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.CheckpointWitness;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.LedgerConnector;
import dev.sequitur.protocol.port.ListenerStore;
import dev.sequitur.protocol.port.RoomExport;
import dev.sequitur.protocol.port.Signatures;
import dev.sequitur.protocol.port.Transport;
import dev.sequitur.schedule.call.ScheduledTransactions;
import dev.sequitur.schedule.port.ScheduledCalls;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.runtime.RunningScheduler;
import dev.sequitur.scheduler.runtime.SchedulerSetup;
import dev.sequitur.sequencer.SequencerNode;
import dev.sequitur.sequencer.actor.CoordinatorActor;
import dev.sequitur.sequencer.runtime.RunningSequencer;
import dev.sequitur.sequencer.runtime.SequencerStart;
import dev.sequitur.sequencer.setup.GroupRegistry;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import dev.sequitur.sequencer.setup.NodeSetup;
import dev.sequitur.sequencer.setup.SteadyClock;
import dev.sequitur.trace.TraceRing;
import dev.sequitur.trace.TracedTransport;
import dev.sequitur.transport.OwnPlaces;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts one node together: database, keys, domains, actors, JSON-RPC. */
final class NodeAssembly {
  /**
   * Not at the same time as the process stops what uses it. Remoting has a hook of its own, which
   * would end it first: nobody could be told that this JVM leaves.
   */
  private static final Config STOPPED_BY_US =
      ConfigFactory.parseString(
          """
          akka.jvm-shutdown-hooks = off
          akka.coordinated-shutdown.run-by-jvm-shutdown-hook = off
          """);

  private static final Logger LOG = LoggerFactory.getLogger(NodeAssembly.class);

  private static final Duration STOP = Duration.ofSeconds(60);
  private static final Duration BACKUPS_LOOKED_AT_EVERY = Duration.ofSeconds(10);

  private final NodeConfiguration configuration;
  private final Outside outside;
  private final Guard guard;
  private final Tracing tracing;

  /**
   * What a node does not make itself.
   *
   * @param transport not yet received from; closed with the node
   * @param listening where other processes reach the transport
   * @param ledger closed with the node
   * @param registry what the node shows of itself; of this node alone
   * @param places what the transport tells peers of where the node's entities are
   */
  record Outside(
      Transport transport,
      Optional<HostAndPort> listening,
      LedgerConnector ledger,
      TraceRing trace,
      PrometheusRegistry registry,
      OwnPlaces places) {
    /** One whose transport tells peers nothing of places. */
    Outside(
        Transport transport,
        Optional<HostAndPort> listening,
        LedgerConnector ledger,
        TraceRing trace,
        PrometheusRegistry registry) {
      this(transport, listening, ledger, trace, registry, new OwnPlaces());
    }

    private void close() {
      transport.close();
      ledger.close();
    }
  }

  private NodeAssembly(NodeConfiguration configuration, Outside outside, Guard guard) {
    this.configuration = configuration;
    this.outside = outside;
    this.guard = guard;
    this.tracing = Tracing.of(configuration.name(), configuration.tracing());
  }

  /**
   * Blocks until the node serves.
   *
   * @throws StartFailure with a sentence that says what to do
   */
  static RunningNode start(NodeConfiguration configuration, Outside outside) {
    ActorSystem<Void> system;
    Guard guard;
    try {
      guard = guard(configuration);
      system = actorSystem(configuration);
    } catch (WrongOption e) {
      throw StartFailure.afterEnding(outside::close, e);
    } catch (RuntimeException e) {
      throw StartFailure.afterEnding(outside::close, failure(configuration, e));
    }
    var assembly = new NodeAssembly(configuration, outside, guard);
    try {
      return assembly.start(system);
    } catch (RuntimeException e) {
      // What it could not do then says nothing of the cause.
      var failure =
          UnaskedEnd.isLeftOut(system)
              ? new LeftOut(UnaskedEnd.leftOut(configuration.name()), e)
              : failure(configuration, e);
      throw StartFailure.afterEnding(
          () -> {
            assembly.tracing.close();
            stop(system, outside);
          },
          failure);
    }
  }

  private static StartFailure failure(NodeConfiguration configuration, RuntimeException e) {
    if (e instanceof StartFailure failure) {
      return failure;
    }
    Throwable cause = e;
    while (cause.getCause() != null && isWrapping(cause)) {
      cause = cause.getCause();
    }
    return new StartFailure(
        "Node " + configuration.name() + " cannot start: " + cause.getMessage(), e);
  }

  /** Before anything listens: a node that everybody could command is not begun. */
  private static Guard guard(NodeConfiguration configuration) {
    var guard =
        new Guard(configuration.guard(), ReadAgain.roles(configuration), InstantSource.system());
    guard.doors(configuration.rpc(), configuration.health());
    configuration.hapi().ifPresent(front -> guard.door(front.host(), "hapi.host"));
    return guard;
  }

  private static boolean isWrapping(Throwable failure) {
    return failure instanceof CompletionException || failure instanceof ExecutionException;
  }

  private static ActorSystem<Void> actorSystem(NodeConfiguration configuration) {
    ProcessDirectory.make(configuration.directory());
    try {
      var config =
          NodeSystem.configuration(
              configuration,
              configuration
                  .akka()
                  .withFallback(ConfigFactory.systemProperties())
                  .withFallback(STOPPED_BY_US));
      return ActorSystem.create(Behaviors.empty(), NodeSystem.name(configuration), config);
    } catch (RuntimeException e) {
      throw cannotListen(configuration, e).orElseGet(() -> failure(configuration, e));
    }
  }

  /** What Akka says of a port that is taken names no key to set. */
  private static Optional<StartFailure> cannotListen(
      NodeConfiguration configuration, RuntimeException e) {
    Throwable cause = e;
    while (cause != null && !(cause instanceof BindException)) {
      cause = cause.getCause();
    }
    if (cause == null || !(configuration.jvms() instanceof NodeJvms.Several several)) {
      return Optional.empty();
    }
    var listen =
        new ListenAddress(
            "cluster",
            several.bindHost().isEmpty() ? several.remoting().host() : several.bindHost(),
            several.remoting().port());
    return Optional.of(
        new StartFailure(
            listen.refusal("Node " + configuration.name() + " cannot start: its remoting"), e));
  }

  private static ScheduledCalls scheduledTransactions(RunningSequencer sequencer) {
    return new ScheduledTransactions(
        new ScheduledTransactions.Node(
            sequencer.name(),
            sequencer.ledger().contracts().isPresent(),
            sequencer::localMembers,
            InstantSource.system(),
            sequencer::fresh,
            () -> new TransactionId(UUID.randomUUID())),
        sequencer.store(),
        sequencer.forSchedules());
  }

  private RunningNode start(ActorSystem<Void> system) {
    boolean hadSeed = FileKeys.exist(configuration.keyDirectory());
    NodeSystem.observe(
        configuration, system, new StorageMetrics(outside.registry(), configuration.directory()));
    ShareGauges.show(system.classicSystem(), outside.registry(), System::nanoTime);
    CountedRemoting.show(system.classicSystem(), outside.registry());
    outside.places().knownBy(NodeSystem.places(configuration, system));
    var made = made(system);
    var setup = made.setup();
    var rehearsal = made.rehearsal();
    if (hadSeed && !configuration.mayBeginEmpty()) {
      new KeysWithoutRecords(system, configuration.name(), setup.ports()).refuse();
    }
    var lacking =
        hadSeed
            ? new RecordsBehindLedger(system, setup).look(configuration.mayBeginOlder())
            : Optional.<String>empty();
    var restored = new RestoredRecords(configuration.directory());
    var told = restored.told();
    told.ifPresent(LOG::warn);
    var sequencer = await(SequencerStart.start(system, setup, configuration.reindex()));
    var scheduler =
        RunningScheduler.start(
            system,
            new SchedulerSetup(
                configuration.name(),
                configuration.scheduler().queues(),
                configuration.scheduler().settings(),
                scheduledTransactions(sequencer),
                NodeSystem.queueStores(configuration, system),
                outside.registry(),
                InstantSource.system()));
    var keys = setup.ports().keys();
    configuration
        .scheduler()
        .provider()
        .ifPresent(
            provider ->
                await(
                    ContractProvider.start(
                        system,
                        new ContractProvider.Node(
                            scheduler, keys, setup.ports().signatures(), outside.registry()),
                        provider)));
    var draining = draining(system, sequencer);
    var served =
        new RpcServer.Served(
            sequencer,
            made.listeners(),
            scheduler,
            rehearsal,
            outside.registry(),
            configuration.rules().chainId(),
            guard,
            tracing.spans(),
            new Diagnosable(configuration.shown(), LogFile.current()),
            Stream.concat(told.stream(), lacking.stream())
                .reduce((both, other) -> both + " " + other),
            certificates(),
            draining,
            made.secrets(),
            backups(system, keys));
    var rpc = await(RpcServer.start(system, served, configuration.rpc(), configuration.health()));
    var address = new HostAndPort(configuration.rpc().host(), rpc.address().getPort());
    var hapi =
        configuration
            .hapi()
            .map(
                settings ->
                    await(
                        HapiServer.start(
                            system,
                            scheduler,
                            settings,
                            rpc.other(guard.door(settings.host(), "hapi.host")),
                            outside.registry(),
                            guard.engines())));
    var mirror = hapi.flatMap(front -> mirror(system, scheduler, rpc, front.address().getPort()));
    restored.areNoMore();
    var end = new UnaskedEnd(system, configuration.name(), UnaskedEnd.Timer.ofJdk());
    return new RunningNode(
        sequencer,
        scheduler,
        new RunningNode.Endpoint(address, configuration.guard().tls().isPresent()),
        outside.listening(),
        hapi.map(HapiPort::address).map(NodeAssembly::text),
        mirror.map(HapiPort::address).map(NodeAssembly::text),
        end.reached(),
        draining,
        () -> {
          end.ask();
          if (end.isReached()) {
            outside.close();
          } else {
            // Without its actor system it serves nobody and would not answer.
            if (!system.getWhenTerminated().toCompletableFuture().isDone()) {
              await(draining.settled(), STOP, "");
              mirror.ifPresent(view -> await(view.stop(), STOP, ""));
              hapi.ifPresent(front -> await(front.stop(), STOP, ""));
              await(rpc.stop(), STOP, "");
            }
            stop(system, outside);
          }
          rehearsal.ifPresent(Rehearsal::close);
          tracing.close();
        });
  }

  /**
   * @param front the port at which Hedera's clients are served
   */
  private Optional<HapiPort> mirror(
      ActorSystem<Void> system, SchedulerNode scheduler, RpcServer rpc, int front) {
    var settings = configuration.hapi().orElseThrow();
    return settings.mirrorPort().isEmpty()
        ? Optional.empty()
        : Optional.of(
            await(
                MirrorServer.start(
                    system,
                    scheduler,
                    settings,
                    front,
                    new MirrorServer.Doors(
                        rpc.other(guard.door(settings.host(), "hapi.host")),
                        new Hosts(settings.host(), configuration.rpc().hostNames())),
                    guard.engines())));
  }

  private static HostAndPort text(InetSocketAddress address) {
    return new HostAndPort(address.getHostString(), address.getPort());
  }

  private Draining draining(ActorSystem<Void> system, SequencerNode sequencer) {
    long rangeSize = configuration.rules().selection().rangeSize();
    return Draining.of(
        system.classicSystem(),
        configuration.jvms().drain(),
        CoordinatorActor.KEY.name(),
        () -> sequencer.blockHeight().range(rangeSize).index());
  }

  private Backups backups(ActorSystem<Void> system, Keys keys) {
    var settings = configuration.backup();
    if (settings.directory().isEmpty()) {
      NodeBackups.showNone(outside.registry());
      return Backups.NONE;
    }
    var clock = InstantSource.system();
    var backups =
        new NodeBackups(
            new BackupDirectory(settings.directory().get(), settings.keep()),
            () -> NodeSystem.moment(configuration, system),
            moment -> NodeSystem.source(configuration, system, keys, clock.instant(), moment),
            () -> Pace.sparing(settings.bytesPerSecond(), new MachineProcessors()),
            clock,
            backup -> {
              var thread = new Thread(backup, "sequitur-backup " + configuration.name());
              thread.setDaemon(true);
              thread.start();
            },
            settings.schedule(),
            outside.registry());
    if (settings.schedule().isPresent()) {
      var unused =
          system
              .scheduler()
              .scheduleWithFixedDelay(
                  BACKUPS_LOOKED_AT_EVERY,
                  BACKUPS_LOOKED_AT_EVERY,
                  backups::look,
                  system.executionContext());
    }
    return backups;
  }

  private WatchedCertificates certificates() {
    var certificates =
        new WatchedCertificates(OwnCertificates.of(configuration), InstantSource.system());
    certificates.show(outside.registry());
    return certificates;
  }

  /**
   * @param rehearsal if faults may be set
   */
  private record Made(
      NodeSetup setup,
      ListenerStore listeners,
      Optional<Rehearsal> rehearsal,
      WebhookSecrets secrets) {}

  private Made made(ActorSystem<Void> system) {
    var signatures = new Secp256k1Signatures();
    var file = keys();
    NodeSystem.encrypt(configuration, system, file);
    var keys = withSigner(system, file, signatures);
    var stored = NodeSystem.store(configuration, system, keys);
    var store = stored.store();
    var groups =
        new GroupRegistry(
            configuration.name(), configuration.rules().selection(), keys, signatures);
    var connected = outside.ledger().connect(groups.known(store));
    var rehearsal =
        configuration.chaos()
            ? Optional.of(new Rehearsal(configuration.name(), connected))
            : Optional.<Rehearsal>empty();
    var network =
        rehearsal.map(faults -> faults.around(outside.transport())).orElse(outside.transport());
    var ledger = rehearsal.map(Rehearsal::ledger).orElse(connected);
    var transport =
        new TracedTransport(network, outside.trace(), tracing.spans(), configuration.name());
    return new Made(
        new NodeSetup(
            configuration.name(),
            new NodeSetup.Ports(
                transport,
                ledger,
                groups,
                store,
                stored.writers(),
                keys,
                signatures,
                export(system, ledger, contract -> groups.load(contract, store)),
                witness(system, ledger, keys, signatures)),
            Domains.load().byName(),
            configuration.rules(),
            outside.trace(),
            tracing.spans(),
            outside.registry(),
            SteadyClock.ofSystem()),
        stored.listeners(),
        rehearsal,
        id -> file.secret("webhook " + id));
  }

  /** Where the ledger can have checkpoints. */
  private Optional<CheckpointWitness> witness(
      ActorSystem<Void> system, BaseLedger ledger, Keys keys, Signatures signatures) {
    return ledger
        .checkpoints()
        .map(
            checkpoints -> {
              var signer = keys.signer(NodeKeyNames.checkpoints());
              return new LedgerWitness(
                  NodeSystem.witnessed(configuration, system),
                  ledger,
                  new LedgerWitness.Voice(
                      signer,
                      signatures.address(signer.verifier()),
                      configuration.rules().chainId()),
                  system.dispatchers().lookup(DispatcherSelector.blocking()));
            });
  }

  private Optional<RoomExport> export(
      ActorSystem<Void> system,
      BaseLedger ledger,
      Function<ContractAddress, CompletionStage<Optional<PrivacyGroup>>> groups) {
    var settings = configuration.roomExport();
    return settings
        .directory()
        .map(
            directory -> {
              var files =
                  EndedFiles.of(directory, settings.fileBytes(), new EndedLines(ledger, groups));
              system.getWhenTerminated().whenComplete((done, failure) -> files.close());
              return files;
            });
  }

  private Keys withSigner(ActorSystem<Void> system, FileKeys file, Secp256k1Signatures signatures) {
    if (configuration.signer().isEmpty()) {
      return file;
    }
    try {
      var keys = new RemoteKeys(file, configuration.signer().get(), signatures, outside.registry());
      system.getWhenTerminated().whenComplete((done, failure) -> keys.close());
      return keys;
    } catch (BadCertificate e) {
      throw new StartFailure(e.getMessage(), e);
    }
  }

  private FileKeys keys() {
    try {
      return FileKeys.open(
          configuration.keyDirectory(), KeyPassphrase.ofProcess(configuration.keyPassphrase()));
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  private static void stop(ActorSystem<Void> system, Outside outside) {
    try {
      system.terminate();
      await(system.getWhenTerminated(), STOP, "");
    } finally {
      outside.close();
    }
  }

  private <T> T await(CompletionStage<T> stage) {
    return await(
        stage, configuration.startTimeout(), ", or give it more time by node.start-timeout");
  }

  /**
   * @param remedy what a person can do if that is too short, beside looking into the log
   */
  private static <T> T await(CompletionStage<T> stage, Duration most, String remedy) {
    try {
      return stage.toCompletableFuture().get(most.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new CompletionException(e.getCause());
    } catch (TimeoutException e) {
      throw new StartFailure(
          "It took longer than %d seconds: look into the node's log%s."
              .formatted(most.toSeconds(), remedy),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StartFailure("Interrupted while starting or stopping.", e);
    }
  }
}
