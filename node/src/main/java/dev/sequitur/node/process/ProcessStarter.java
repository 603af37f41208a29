package dev.sequitur.node.process;

import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.ethereum.EthereumLedger;
import dev.sequitur.ledger.remote.LedgerServer;
import dev.sequitur.ledger.remote.LedgerServerSettings;
import dev.sequitur.ledger.remote.RemoteLedger;
import dev.sequitur.links.tls.BadCertificate;
import dev.sequitur.links.tls.FileContexts;
import dev.sequitur.node.configuration.HostAndPort;
import dev.sequitur.node.configuration.LedgerAccess;
import dev.sequitur.node.configuration.LedgerConfiguration;
import dev.sequitur.node.configuration.LedgerTls;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.configuration.ReadAgain;
import dev.sequitur.node.configuration.TransportConfiguration;
import dev.sequitur.node.configuration.TransportConfiguration.MutualTls;
import dev.sequitur.node.process.NodeAssembly.Outside;
import dev.sequitur.node.process.Starter.RunningLedger;
import dev.sequitur.persistence.serialization.ProtocolFormat;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.LedgerConnector;
import dev.sequitur.sequencer.runtime.LoopbackTransport;
import dev.sequitur.trace.TraceRing;
import dev.sequitur.trace.TraceRing.TraceLimits;
import dev.sequitur.transport.InProcessNetwork;
import dev.sequitur.transport.OwnPlaces;
import dev.sequitur.transport.tls.BinaryEnvelopeCodec;
import dev.sequitur.transport.tls.NetworkTerms;
import dev.sequitur.transport.tls.PeerAddress;
import dev.sequitur.transport.tls.TlsConfiguration;
import dev.sequitur.transport.tls.TlsTransport;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/** Starts nodes, ledgers and whole networks in this process. */
public final class ProcessStarter implements Starter {

  @Override
  public RunningNode startNode(NodeConfiguration configuration) {
    return switch (configuration.ledger()) {
      case LedgerAccess.Remote remote -> startNode(configuration, remote);
      case LedgerAccess.Embedded(var blocks) -> {
        var ledger = LedgerInProcess.open(configuration.directory().resolve("ledger"), blocks);
        yield startNode(
            configuration, LedgerConnector.of(ledger.view(configuration.name())), ledger::close);
      }
      case LedgerAccess.Ethereum chain -> {
        var threads = Executors.newFixedThreadPool(2);
        yield startNode(
            configuration,
            ethereum(chain, configuration.rules().chainId(), threads),
            threads::shutdown);
      }
    };
  }

  private static RunningNode startNode(
      NodeConfiguration configuration, LedgerAccess.Remote remote) {
    var tls = remote.tls().map(files -> calling(files, configuration.name()));
    var server = URI.create((tls.isPresent() ? "https://" : "http://") + remote.address());
    var threads = Executors.newFixedThreadPool(2);
    return startNode(
        configuration,
        LedgerConnector.of(RemoteLedger.at(server, tls, threads)),
        threads::shutdown);
  }

  private static LedgerConnector ethereum(
      LedgerAccess.Ethereum chain, long chainId, Executor executor) {
    var rpc = ChainNodes.called(chain.rpc(), chain.named(), chain.calls(), executor);
    var settings =
        new EthereumLedger.Settings(
            chainId,
            chain.factory(),
            chain.head(),
            chain.quorum(),
            chain.maxLag(),
            chain.firstBlock(),
            chain.idlePause(),
            chain.legacy());
    return groups -> new EthereumLedger(rpc, settings, new Secp256k1Signatures(), groups);
  }

  private static Supplier<SSLContext> calling(LedgerTls tls, NodeName self) {
    try {
      return FileContexts.calling(tls.files(), self, tls.ledger());
    } catch (BadCertificate e) {
      throw new StartFailure(e.getMessage(), e);
    }
  }

  /**
   * @param afterwards stops what the ledger needs, once the node is stopped or did not start
   */
  private static RunningNode startNode(
      NodeConfiguration configuration, LedgerConnector ledger, Runnable afterwards) {
    try {
      var node = NodeAssembly.start(configuration, outside(configuration, ledger));
      return new RunningNode(
          node.sequencer(),
          node.scheduler(),
          node.endpoint(),
          node.transport(),
          node.hapi(),
          node.mirror(),
          node.ended(),
          node.draining(),
          () -> {
            node.close();
            afterwards.run();
          });
    } catch (BadCertificate | IllegalStateException | IllegalArgumentException e) {
      throw StartFailure.afterEnding(afterwards, new StartFailure(e.getMessage(), e));
    } catch (StartFailure e) {
      throw StartFailure.afterEnding(afterwards, e);
    }
  }

  private static Outside outside(NodeConfiguration configuration, LedgerConnector ledger) {
    var trace = new TraceRing(configuration.trace(), InstantSource.system());
    var registry = new PrometheusRegistry();
    var name = configuration.name();
    return switch (configuration.transport()) {
      case TransportConfiguration.InProcess() ->
          new Outside(
              new InProcessNetwork().join(name, registry),
              Optional.empty(),
              ledger,
              trace,
              registry);
      case MutualTls tls -> {
        var places = new OwnPlaces();
        var transport =
            TlsTransport.open(
                tls(configuration, tls),
                new BinaryEnvelopeCodec(new ProtocolFormat()),
                registry,
                places);
        var again = ReadAgain.peers(configuration);
        transport.follow(() -> peers(again.get()));
        var listening = new HostAndPort(tls.listen().host(), transport.localPort());
        yield new Outside(
            new LoopbackTransport(name, transport),
            Optional.of(listening),
            ledger,
            trace,
            registry,
            places);
      }
    };
  }

  private static TlsConfiguration tls(NodeConfiguration configuration, MutualTls tls) {
    return TlsConfiguration.of(configuration.name(), peer(tls.listen()), tls.files(), peers(tls))
        .withTerms(
            new NetworkTerms(configuration.rules().selection(), configuration.rules().chainId()))
        .withJvm(configuration.jvms().number());
  }

  private static PeerAddress peer(HostAndPort address) {
    return new PeerAddress(address.host(), address.port());
  }

  private static Map<NodeName, PeerAddress> peers(MutualTls tls) {
    var peers = new HashMap<NodeName, PeerAddress>();
    tls.peers()
        .forEach(
            (node, addresses) -> {
              var others = addresses.stream().skip(1).map(ProcessStarter::peer).toList();
              var first = addresses.get(0);
              peers.put(node, new PeerAddress(first.host(), first.port(), others));
            });
    return peers;
  }

  @Override
  public RunningLedger startLedger(LedgerConfiguration configuration) {
    var listen = configuration.listen();
    var tls = configuration.tls().map(files -> serving(files, configuration.nodes()));
    var ledger = LedgerInProcess.open(configuration.directory(), configuration.blocks());
    try {
      var settings =
          new LedgerServerSettings(
              new InetSocketAddress(listen.host(), listen.port()),
              tls,
              configuration.limits(),
              configuration.rehearsals());
      var server = LedgerServer.start(ledger.embedded(), settings);
      return new RunningLedger(
          new HostAndPort(listen.host(), server.uri().getPort()),
          () -> {
            server.close();
            ledger.close();
          });
    } catch (UncheckedIOException e) {
      throw StartFailure.afterEnding(ledger::close, new StartFailure(e.getMessage(), e));
    }
  }

  private static LedgerServerSettings.Tls serving(LedgerTls tls, Set<NodeName> nodes) {
    try {
      return new LedgerServerSettings.Tls(
          FileContexts.serving(tls.files(), tls.ledger()),
          nodes.isEmpty() ? certificate -> true : FileContexts.ofOne(nodes));
    } catch (BadCertificate e) {
      throw new StartFailure(e.getMessage(), e);
    }
  }

  @Override
  public RunningNetwork startNetwork(NetworkPlan plan, Consumer<RunningNode> started) {
    return switch (plan.ledger()) {
      case NetworkLedger.InProcess(var directory, var blocks) -> {
        var ledger = LedgerInProcess.open(directory, blocks);
        var network = new NodesInProcess(Optional.of(ledger.embedded()), ledger::close);
        yield start(network, plan, node -> LedgerConnector.of(ledger.view(node)), started);
      }
      case NetworkLedger.Chain(var access, var chainId) -> {
        var threads = Executors.newFixedThreadPool(2);
        var network = new NodesInProcess(Optional.empty(), threads::shutdown);
        yield start(network, plan, node -> ethereum(access, chainId, threads), started);
      }
    };
  }

  private static RunningNetwork start(
      NodesInProcess network,
      NetworkPlan plan,
      Function<NodeName, LedgerConnector> ledgers,
      Consumer<RunningNode> started) {
    try {
      var transports = new InProcessNetwork();
      // One for all, so that each node can tell the whole exchange.
      var trace = new TraceRing(TraceLimits.DEFAULT, InstantSource.system());
      for (var configuration : plan.nodes()) {
        var name = configuration.name();
        var registry = new PrometheusRegistry();
        var node =
            NodeAssembly.start(
                configuration,
                new Outside(
                    transports.join(name, registry),
                    Optional.empty(),
                    ledgers.apply(name),
                    trace,
                    registry));
        network.add(node);
        started.accept(node);
      }
      return network;
    } catch (RuntimeException e) {
      throw StartFailure.afterEnding(network::close, e);
    }
  }

  /** The nodes that were started in this process over one ledger. */
  private static final class NodesInProcess implements RunningNetwork {
    private final Optional<BaseLedger> whole;
    private final Runnable afterwards;
    private final List<RunningNode> nodes = new ArrayList<>();

    /**
     * @param whole the ledger, without any node's view of it; empty if there is none
     * @param afterwards stops what the ledger needs, once the nodes are stopped
     */
    NodesInProcess(Optional<BaseLedger> whole, Runnable afterwards) {
      this.whole = whole;
      this.afterwards = afterwards;
    }

    void add(RunningNode node) {
      nodes.add(node);
    }

    @Override
    public List<RunningNode> nodes() {
      return List.copyOf(nodes);
    }

    @Override
    public BaseLedger ledger() {
      return whole.orElseGet(() -> nodes.getFirst().sequencer().ledger());
    }

    @Override
    public void close() {
      for (int i = nodes.size() - 1; i >= 0; i--) {
        nodes.get(i).close();
      }
      afterwards.run();
    }
  }
}
