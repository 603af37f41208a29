package dev.sequitur.multijvm;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.cluster.ClusterConfiguration;
import dev.sequitur.cluster.SeveralJvmsSettings;
import dev.sequitur.crypto.FileKeys;
import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.domain.Domains;
import dev.sequitur.ledger.remote.RemoteLedger;
import dev.sequitur.node.configuration.LedgerAccess;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.configuration.NodeJvms;
import dev.sequitur.node.guard.Guard;
import dev.sequitur.node.process.LogFile;
import dev.sequitur.node.process.UnaskedEnd;
import dev.sequitur.node.rpc.server.RpcServer;
import dev.sequitur.persistence.store.JvmName;
import dev.sequitur.persistence.store.NodeIdentity;
import dev.sequitur.persistence.store.PostgresNodeStore;
import dev.sequitur.persistence.store.SharedNodeStore;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.sequencer.runtime.SequencerStart;
import dev.sequitur.sequencer.setup.GroupRegistry;
import dev.sequitur.sequencer.setup.NodeSetup;
import dev.sequitur.trace.TraceRing;
import dev.sequitur.trace.TransactionSpans;
import dev.sequitur.transport.InProcessNetwork;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.scalatestplus.junit.JUnitSuite;

/**
 * A specification of what happens between the JVMs of one node, as each of them runs it: the
 * product's own profile, actors and JSON-RPC, over the transport of the test kit, which can be cut.
 */
public abstract class OneNodeSpec extends JUnitSuite {
  private static final int WAIT_SECONDS = 180;

  /** What the test kit needs; artery's test mode is what lets it cut a link. */
  private static final Config OF_TEST_KIT =
      ConfigFactory.parseString(
          """
          akka {
            fail-mixed-versions = off
            # On a loaded machine.
            actor.creation-timeout = 120s
            logger-startup-timeout = 120s
            cluster.failure-detector.acceptable-heartbeat-pause = 15s
            # Which side stays is not left to who is slower: the larger one has this lead, well within
            # the time for which the winner keeps the lease.
            cluster.split-brain-resolver.lease-majority.acquire-lease-delay-for-minority = 8s
            coordinated-shutdown.run-by-jvm-shutdown-hook = off
            remote.artery.advanced.test-mode = on
            testconductor { barrier-timeout = 240s, query-timeout = 60s, connect-timeout = 120s }
          }
          """);

  private ActorSystem system;
  private NodeMember member;
  private SpecNetwork network;
  private UnaskedEnd end;

  @Before
  public void start() throws Exception {
    network = SpecNetwork.ofThisProcess();
    var configuration = NodeConfiguration.read(network.file(NodeMember.number()));
    LogFile.under(configuration.directory());
    system = ActorSystem.create(configuration.name().value(), config(configuration));
    member = new NodeMember(system);
    member.multiNodeSpecBeforeAll();
    member.barrier("connected");
    var typed = Adapter.toTyped(system);
    end = new UnaskedEnd(typed, configuration.name(), UnaskedEnd.Timer.ofJdk());
    var keys = FileKeys.open(configuration.keyDirectory());
    var store =
        SharedNodeStore.open(
            typed,
            new NodeIdentity(
                configuration.name(), keys.verifier("node").publicKey(), JvmName.self(typed)));
    var setup = setup(configuration, keys, store);
    var sequencer = get(SequencerStart.start(typed, setup));
    // Nobody schedules anything here.
    var served =
        new RpcServer.Served(
            sequencer,
            store.listeners(),
            null,
            Optional.empty(),
            setup.registry(),
            configuration.rules().chainId(),
            new Guard(configuration.guard(), InstantSource.system()),
            id -> new byte[32]);
    get(RpcServer.start(typed, served, configuration.rpc(), configuration.health()));
    member.barrier("serving");
  }

  @After
  public void stop() {
    if (member != null) {
      member.multiNodeSpecAfterAll();
    }
  }

  NodeMember member() {
    return member;
  }

  SpecNetwork network() {
    return network;
  }

  ActorSystem system() {
    return system;
  }

  SenderPlaces senders() {
    return new SenderPlaces(Adapter.toTyped(system));
  }

  /** Waits until this JVM has been left out, and would end its process for that reason. */
  void awaitLeftOut() throws Exception {
    assertThat(get(end.reached())).contains("have left this one out");
  }

  private static <T> T get(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(WAIT_SECONDS, TimeUnit.SECONDS);
  }

  private static Config config(NodeConfiguration configuration) {
    var several = (NodeJvms.Several) configuration.jvms();
    var remoting = several.remoting();
    return ClusterConfiguration.severalJvms(
        new SeveralJvmsSettings(
            configuration.name().value(),
            new SeveralJvmsSettings.Remoting(
                remoting.host(),
                remoting.port(),
                several.bindHost(),
                new SeveralJvmsSettings.Tls(configuration.name(), several.tls())),
            several.seedNodes().stream().map(Object::toString).toList(),
            several.database()),
        ConfigFactory.systemProperties()
            .withFallback(configuration.akka())
            .withFallback(OF_TEST_KIT));
  }

  private NodeSetup setup(NodeConfiguration configuration, Keys keys, PostgresNodeStore store) {
    var signatures = new Secp256k1Signatures();
    var server = URI.create("http://" + ((LedgerAccess.Remote) configuration.ledger()).address());
    var ledger = RemoteLedger.at(server, Optional.empty(), Executors.newFixedThreadPool(2));
    return new NodeSetup(
        configuration.name(),
        new NodeSetup.Ports(
            new InProcessNetwork().join(configuration.name(), new PrometheusRegistry()),
            ledger,
            new GroupRegistry(
                configuration.name(), configuration.rules().selection(), keys, signatures),
            store,
            store.writers(),
            keys,
            signatures,
            Optional.empty(),
            Optional.empty()),
        Domains.load().byName(),
        configuration.rules(),
        new TraceRing(configuration.trace(), InstantSource.system()),
        TransactionSpans.OFF,
        new PrometheusRegistry(),
        InstantSource.system());
  }

  /** Where a specification's JVMs leave word for each other when they are cut off. */
  Path word(String name) {
    return network.directory().resolve(name);
  }
}
