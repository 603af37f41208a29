package dev.sequitur.sequencer.transport.tls;

import dev.sequitur.cluster.tls.TlsFiles;
import dev.sequitur.protocol.id.NodeName;
import java.util.Map;
import java.util.Optional;

/**
 * What a {@link TlsTransport} is told.
 *
 * @param self the own name, as in the own certificate
 * @param bind where to listen
 * @param peers the nodes to talk to, as in their certificates, and where they listen
 * @param terms which peers must have too, or they are refused; empty asks nothing of them
 */
public record TlsConfiguration(
    NodeName self,
    PeerAddress bind,
    TlsFiles files,
    Map<NodeName, PeerAddress> peers,
    TlsLimits limits,
    TlsTimes times,
    Optional<NetworkTerms> terms) {
  public TlsConfiguration {
    peers = Map.copyOf(peers);
    if (peers.containsKey(self)) {
      throw new IllegalArgumentException(
          "Node '" + self + "' is named as its own peer: remove it from the peers.");
    }
  }

  /** That asks nothing of its peers' terms. */
  public TlsConfiguration(
      NodeName self,
      PeerAddress bind,
      TlsFiles files,
      Map<NodeName, PeerAddress> peers,
      TlsLimits limits,
      TlsTimes times) {
    this(self, bind, files, peers, limits, times, Optional.empty());
  }

  public TlsConfiguration withTerms(NetworkTerms all) {
    return new TlsConfiguration(self, bind, files, peers, limits, times, Optional.of(all));
  }

  /** With the usual limits and times. */
  public static TlsConfiguration of(
      NodeName self, PeerAddress bind, TlsFiles files, Map<NodeName, PeerAddress> peers) {
    return new TlsConfiguration(self, bind, files, peers, TlsLimits.DEFAULT, TlsTimes.DEFAULT);
  }
}
