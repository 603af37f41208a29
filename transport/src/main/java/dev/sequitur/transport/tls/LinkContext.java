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
    EnvelopeCodec codec,
    IdentityFiles identity,
    TransportCounters counters,
    OwnPlaces places) {

  /**
   * To be asked while a connection lasts: it may last for months.
   *
   * @throws IOException if the peer's certificate was taken back meanwhile
   */
  void mustHoldStill(SecureConnection connection) throws IOException {
    if (identity.current().refuses(connection.peerCertificate())) {
      throw new IOException("its certificate was revoked");
    }
  }

  Hello hello(NodeName peer) {
    return new Hello(ProtocolVersion.CURRENT, configuration.self(), peer, configuration.terms());
  }
}
