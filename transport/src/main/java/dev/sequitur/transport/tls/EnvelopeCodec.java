package dev.sequitur.transport.tls;

import dev.sequitur.protocol.message.Envelope;
import java.util.List;

/**
 * Envelopes as bytes. Called from several threads at once; what cannot be read or written is told
 * by a {@link RuntimeException}, whose text is never logged because it may hold private data.
 */
public interface EnvelopeCodec {
  byte[] encode(List<Envelope> envelopes);

  /** Reads what {@link #encode} has written, also that of another minor version. */
  Decoded decode(byte[] bytes);

  /**
   * What was read of a frame.
   *
   * @param unreadable envelopes left out: one that nobody here knows must not take others with it
   */
  record Decoded(List<Envelope> envelopes, int unreadable) {}
}
