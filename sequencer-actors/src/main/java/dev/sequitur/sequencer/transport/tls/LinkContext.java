package dev.sequitur.sequencer.transport.tls;

import dev.sequitur.cluster.tls.IdentityFiles;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.ProtocolVersion;
import dev.sequitur.sequencer.transport.TransportCounters;

/** What all connections of one transport share. */
record LinkContext(
    TlsConfiguration configuration,
    EnvelopeCodec codec,
    IdentityFiles identity,
    TransportCounters counters) {

  Hello hello(NodeName peer) {
    return new Hello(ProtocolVersion.CURRENT, configuration.self(), peer, configuration.terms());
  }
}
