package dev.sequitur.sequencer.transport.tls;

import dev.sequitur.protocol.id.NodeName;
import java.util.Map;

/**
 * What a {@link TlsTransport} is told.
 *
 * @param self the own name, as in the own certificate
 * @param bind where to listen
 * @param peers the nodes to talk to, as in their certificates, and where they listen
 */
public record TlsConfiguration(
    NodeName self,
    PeerAddress bind,
    TlsFiles files,
    Map<NodeName, PeerAddress> peers,
    TlsLimits limits,
    TlsTimes times) {
  public TlsConfiguration {
    peers = Map.copyOf(peers);
    if (peers.containsKey(self)) {
      throw new IllegalArgumentException(
          "Node '" + self + "' is named as its own peer: remove it from the peers.");
    }
  }

  /** With the usual limits and times. */
  public static TlsConfiguration of(
      NodeName self, PeerAddress bind, TlsFiles files, Map<NodeName, PeerAddress> peers) {
    return new TlsConfiguration(self, bind, files, peers, TlsLimits.DEFAULT, TlsTimes.DEFAULT);
  }
}
