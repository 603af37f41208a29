package dev.sequitur.sequencer.transport.tls;

import dev.sequitur.protocol.message.Envelope;
import java.util.List;

/**
 * Envelopes as bytes. Called from several threads at once; what cannot be read or written is told
 * by a {@link RuntimeException}, whose text is never logged because it may hold private data.
 */
public interface EnvelopeCodec {
  byte[] encode(List<Envelope> envelopes);

  /** Messages of a later minor version that it does not know are left out. */
  List<Envelope> decode(byte[] bytes);
}
