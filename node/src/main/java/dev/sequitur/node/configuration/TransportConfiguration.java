package dev.sequitur.node.configuration;

import dev.sequitur.links.tls.TlsFiles;
import dev.sequitur.protocol.id.NodeName;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** How a node talks to the others. */
public sealed interface TransportConfiguration {

  /** With the nodes of the same process, if there are any. */
  record InProcess() implements TransportConfiguration {}

  /**
   * Over mutual TLS.
   *
   * @param listen where other nodes reach this one
   * @param files whose certificate speaks for the node
   * @param peers the other nodes, and where their JVMs listen
   */
  record MutualTls(HostAndPort listen, TlsFiles files, Map<NodeName, List<HostAndPort>> peers)
      implements TransportConfiguration {
    public MutualTls {
      peers = Map.copyOf(peers);
    }
  }

  static TransportConfiguration read(ConfigurationReader reader, NodeName self) {
    var peers = reader.entries("transport.peers", NodeName::new, TransportConfiguration::addresses);
    if (!reader.flag("transport.enabled")) {
      if (!peers.isEmpty()) {
        reader.mistake(
            "transport.peers names other nodes but the transport is off: set transport.enabled ="
                + " true.");
      }
      return new InProcess();
    }
    if (peers.containsKey(self)) {
      reader.mistake("transport.peers names this node itself, '" + self + "': remove that entry.");
    }
    return new MutualTls(
        reader.hostAndPort("transport"),
        reader.tlsFiles(
            "transport.tls",
            "an enabled transport needs it; 'sequitur certificates' makes one for trying out."),
        peers);
  }

  private static List<HostAndPort> addresses(String text) {
    return Stream.of(text.split(",", -1)).map(String::strip).map(HostAndPort::parse).toList();
  }
}
