package dev.sequitur.node.process;

import dev.sequitur.cluster.serialization.ProtocolCbor;
import dev.sequitur.ledger.remote.LedgerServer;
import dev.sequitur.ledger.remote.LedgerServerSettings;
import dev.sequitur.ledger.remote.RemoteLedger;
import dev.sequitur.node.configuration.HostAndPort;
import dev.sequitur.node.configuration.LedgerAccess;
import dev.sequitur.node.configuration.LedgerConfiguration;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.configuration.TransportConfiguration;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.sequencer.runtime.LoopbackTransport;
import dev.sequitur.sequencer.trace.TraceLimits;
import dev.sequitur.sequencer.trace.TraceRing;
import dev.sequitur.sequencer.transport.InProcessNetwork;
import dev.sequitur.sequencer.transport.tls.CborEnvelopeCodec;
import dev.sequitur.sequencer.transport.tls.PeerAddress;
import dev.sequitur.sequencer.transport.tls.TlsConfiguration;
import dev.sequitur.sequencer.transport.tls.TlsFiles;
import dev.sequitur.sequencer.transport.tls.TlsTransport;
import java.net.URI;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** Starts nodes, ledgers and whole networks in this process. */
public final class ProcessStarter implements Starter {

  @Override
  public RunningNode startNode(NodeConfiguration configuration) {
    try {
      var ledger = configuration.ledger();
      if (ledger instanceof LedgerAccess.Remote remote) {
        return startWithRemoteLedger(configuration, remote);
      }
      var blocks = ((LedgerAccess.Embedded) ledger).blocks();
      var network =
          new EmbeddedNetwork(configuration.directory().resolve("ledger"), blocks);
      var node =
          NodeAssembly.start(
              configuration,
              outside(configuration, network.view(configuration.name())));
      return new RunningNode(
          node.sequencer(),
          node.rpc(),
          node.transport(),
          () -> {
            node.close();
            network.close();
          });
    } catch (IllegalStateException | IllegalArgumentException e) {
      throw new StartFailure(e.getMessage(), e);
    }
  }

  private static RunningNode startWithRemoteLedger(
      NodeConfiguration configuration, LedgerAccess.Remote remote) {
    var threads = Executors.newFixedThreadPool(2);
    var server = URI.create("http://" + remote.address());
    var node =
        NodeAssembly.start(
            configuration,
            outside(configuration, RemoteLedger.at(server, Optional.empty(), threads)));
    return new RunningNode(
        node.sequencer(),
        node.rpc(),
        node.transport(),
        () -> {
          node.close();
          threads.shutdown();
        });
  }

  private static NodeAssembly.Outside outside(
      NodeConfiguration configuration, dev.sequitur.protocol.port.BaseLedger ledger) {
    var trace = new TraceRing(TraceLimits.DEFAULT, InstantSource.system());
    if (configuration.transport() instanceof TransportConfiguration.MutualTls tls) {
      var transport =
          TlsTransport.open(
              TlsConfiguration.of(
                  configuration.name(),
                  peer(tls.listen()),
                  new TlsFiles(tls.certificate(), tls.privateKey(), tls.authority()),
                  peers(tls)),
              new CborEnvelopeCodec(new ProtocolCbor()));
      return new NodeAssembly.Outside(
          new LoopbackTransport(configuration.name(), transport),
          Optional.of(tls.listen()),
          ledger,
          trace);
    }
    return new NodeAssembly.Outside(
        new InProcessNetwork().join(configuration.name()), Optional.empty(), ledger, trace);
  }

  private static PeerAddress peer(HostAndPort address) {
    return new PeerAddress(address.host(), address.port());
  }

  private static Map<NodeName, PeerAddress> peers(TransportConfiguration.MutualTls tls) {
    var peers = new HashMap<NodeName, PeerAddress>();
    tls.peers().forEach((node, address) -> peers.put(node, peer(address)));
    return peers;
  }

  @Override
  public RunningLedger startLedger(LedgerConfiguration configuration) {
    try {
      var network = new EmbeddedNetwork(configuration.directory(), configuration.blocks());
      var server =
          LedgerServer.start(
              network.embedded(),
              LedgerServerSettings.loopback(configuration.listen().port()));
      var listening = new HostAndPort(server.uri().getHost(), server.uri().getPort());
      return new RunningLedger(
          listening,
          () -> {
            server.close();
            network.close();
          });
    } catch (IllegalStateException | IllegalArgumentException e) {
      throw new StartFailure(e.getMessage(), e);
    }
  }

  @Override
  public RunningNetwork startNetwork(NetworkPlan plan, Consumer<RunningNode> started) {
    var network = new EmbeddedNetwork(plan.ledgerDirectory(), plan.blocks());
    try {
      var transports = new InProcessNetwork();
      var trace = new TraceRing(TraceLimits.DEFAULT, InstantSource.system());
      for (var configuration : plan.nodes()) {
        var node =
            NodeAssembly.start(
                configuration,
                new NodeAssembly.Outside(
                    transports.join(configuration.name()),
                    Optional.empty(),
                    network.view(configuration.name()),
                    trace));
        network.add(node);
        started.accept(node);
      }
      return network;
    } catch (RuntimeException e) {
      network.close();
      throw e;
    }
  }
}
