package dev.sequitur.transport.tls;

import dev.sequitur.links.tls.IdentityFiles;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.ProtocolVersion;
import dev.sequitur.transport.OwnPlaces;
import dev.sequitur.transport.TransportCounters;
import java.io.IOException;

/** What all connections of one transport share. */
record LinkContext(
    TlsConfiguration configuration,
    Peers peers,
    EnvelopeCodec codec,
    IdentityFiles identity,
    TransportCounters counters,
    OwnPlaces places) {

  /**
   * To be asked while a connection lasts: it may last for months.
   *
   * @throws IOException if the node at its other end is no peer any more, or its certificate was
   *     taken back
   */
  void mustHoldStill(NodeName peer, SecureConnection connection) throws IOException {
    mustBePeer(peer);
    if (identity.current().refuses(connection.peerCertificate())) {
      throw new IOException("its certificate was revoked");
    }
  }

  /**
   * @throws IOException if the node is no peer any more
   */
  void mustBePeer(NodeName node) throws IOException {
    if (!peers.isOne(node)) {
      throw new IOException("it is no peer any more");
    }
  }

  Hello hello(NodeName peer) {
    return new Hello(ProtocolVersion.CURRENT, configuration.self(), peer, configuration.terms());
  }
}
