package dev.sequitur.sequencer.transport.tls;

import dev.sequitur.sequencer.transport.TransportCounters;

/** What all connections of one transport share. */
record LinkContext(
    TlsConfiguration configuration,
    EnvelopeCodec codec,
    IdentityFiles identity,
    TransportCounters counters) {}
