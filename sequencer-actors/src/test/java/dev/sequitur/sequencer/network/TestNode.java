package dev.sequitur.sequencer.network;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.DispatcherSelector;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.cluster.ClusterConfiguration;
import dev.sequitur.cluster.SingleJvmSettings;
import dev.sequitur.crypto.FileKeys;
import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.domain.Domains;
import dev.sequitur.persistence.leveldb.LevelDbExtension;
import dev.sequitur.persistence.serialization.ProtocolFormat;
import dev.sequitur.persistence.store.LevelDbNodeStore;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.NodeWriters;
import dev.sequitur.protocol.port.Transport;
import dev.sequitur.protocol.selection.SelectionPolicy;
import dev.sequitur.sequencer.runtime.LoopbackTransport;
import dev.sequitur.sequencer.runtime.RunningSequencer;
import dev.sequitur.sequencer.runtime.SequencerStart;
import dev.sequitur.sequencer.setup.GroupRegistry;
import dev.sequitur.sequencer.setup.NodeSetup;
import dev.sequitur.trace.TracedTransport;
import dev.sequitur.trace.TransactionSpans;
import dev.sequitur.transport.FaultyTransport;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** One node of a {@link TestNetwork}. */
final class TestNode implements AutoCloseable {
  private final ActorSystem<Void> system;
  private final RunningSequencer sequencer;
  private final Queue<Envelope> received;
  private final CountedRows groupRows;

  /**
   * What is special about a node.
   *
   * @param domains in place of the shipped ones of the same name
   */
  record Kind(NodeSetup.Rules rules, Map<String, Domain> domains, InstantSource clock) {
    static final Kind USUAL = new Kind(rules(Duration.ofSeconds(20)));

    /** No block of a test begins another range: coordinators change for other reasons only. */
    static final Kind OF_ONE_RANGE =
        new Kind(
            rules(
                new SelectionPolicy(1_000_000, SelectionPolicy.DEFAULT.virtualNodes()),
                Duration.ofSeconds(20)));

    Kind(NodeSetup.Rules rules) {
      this(rules, Map.of(), InstantSource.system());
    }

    static NodeSetup.Rules rules(Duration idleAfter) {
      return rules(SelectionPolicy.DEFAULT, idleAfter);
    }

    static NodeSetup.Rules rules(SelectionPolicy selection, Duration idleAfter) {
      return NodeSetup.Rules.DEFAULT
          .with()
          .selection(selection)
          .chainId(TestNetwork.CHAIN)
          .pollInterval(Duration.ofMillis(10))
          .tick(Duration.ofMillis(20))
          .idleAfter(idleAfter)
          .build();
    }

    Kind withDomain(Domain domain) {
      return new Kind(rules, Map.of(domain.name(), domain), clock);
    }

    Kind withClock(InstantSource other) {
      return new Kind(rules, domains, other);
    }
  }

  /** Notes what arrives from other nodes. */
  private record Noting(Transport transport, Queue<Envelope> received) implements Transport {
    @Override
    public void send(List<Envelope> envelopes) {
      transport.send(envelopes);
    }

    @Override
    public void receive(Consumer<List<Envelope>> receiver) {
      transport.receive(
          envelopes -> {
            received.addAll(envelopes);
            receiver.accept(envelopes);
          });
    }

    @Override
    public Set<NodeName> peers() {
      return transport.peers();
    }

    @Override
    public void close() {
      transport.close();
    }
  }

  /**
   * @param gone the block that was read last and is gone, if it is to read the ledger again from
   *     where that has parted from what was read
   */
  static TestNode start(TestNetwork network, NodeName name, Kind kind, Optional<Hash> gone) {
    var directory = network.directory().resolve(name.value());
    var system = actorSystem(name, directory);
    try {
      var received = new ConcurrentLinkedQueue<Envelope>();
      var groupRows = new CountedRows(new LongAdder());
      var setup = setup(network, name, kind, system, received, groupRows);
      var sequencer = TestNetwork.get(SequencerStart.start(system, setup, gone));
      return new TestNode(system, sequencer, received, groupRows);
    } catch (RuntimeException | IOException e) {
      system.terminate();
      throw new IllegalStateException(e);
    }
  }

  private static ActorSystem<Void> actorSystem(NodeName name, Path directory) {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var config =
        ClusterConfiguration.singleJvm(
            new SingleJvmSettings(name.value(), directory),
            ConfigFactory.parseString(
                """
                akka.loglevel = WARNING
                akka.coordinated-shutdown.run-by-jvm-shutdown-hook = off
                sequitur.persistence.level-db.min-free-disk = 0
                """));
    return ActorSystem.create(Behaviors.empty(), name.value(), config);
  }

  private static NodeSetup setup(
      TestNetwork network,
      NodeName name,
      Kind kind,
      ActorSystem<Void> system,
      Queue<Envelope> received,
      CountedRows groupRows)
      throws IOException {
    var signatures = new Secp256k1Signatures();
    var store =
        new LevelDbNodeStore(
            LevelDbExtension.get(system).levelDb(),
            new ProtocolFormat(),
            system
                .dispatchers()
                .lookup(DispatcherSelector.fromConfig("sequitur.persistence.read-dispatcher")));
    var keys = FileKeys.open(network.directory().resolve(name.value()));
    var domains = new HashMap<>(Domains.load().byName());
    domains.putAll(kind.domains());
    return new NodeSetup(
        name,
        new NodeSetup.Ports(
            transport(network, name, received),
            network.ledger(),
            new GroupRegistry(name, kind.rules().selection(), keys, signatures),
            groupRows.of(store),
            NodeWriters.ALONE,
            keys,
            signatures,
            Optional.empty(),
            Optional.empty()),
        domains,
        kind.rules(),
        network.trace(),
        TransactionSpans.OFF,
        new PrometheusRegistry(),
        kind.clock());
  }

  private static Transport transport(TestNetwork network, NodeName name, Queue<Envelope> received) {
    var faulty =
        new FaultyTransport(
            new Noting(network.transports().join(name, new PrometheusRegistry()), received),
            network.faults(),
            (delay, action) ->
                network.scheduler().schedule(action, delay.toNanos(), TimeUnit.NANOSECONDS),
            10_000);
    return new TracedTransport(new LoopbackTransport(name, faulty), network.trace(), name);
  }

  private TestNode(
      ActorSystem<Void> system,
      RunningSequencer sequencer,
      Queue<Envelope> received,
      CountedRows groupRows) {
    this.system = system;
    this.sequencer = sequencer;
    this.received = received;
    this.groupRows = groupRows;
  }

  RunningSequencer sequencer() {
    return sequencer;
  }

  ActorSystem<Void> system() {
    return system;
  }

  /** How many rows of groups it has read in its store since it runs. */
  long groupRowsRead() {
    return groupRows.rows().sum();
  }

  /** From other nodes, oldest first. */
  List<Envelope> received() {
    return List.copyOf(received);
  }

  @Override
  public void close() {
    system.terminate();
    TestNetwork.get(system.getWhenTerminated());
  }
}
