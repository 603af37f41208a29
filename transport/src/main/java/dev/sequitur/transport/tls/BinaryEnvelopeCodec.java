package dev.sequitur.transport.tls;

import dev.sequitur.encoding.ByteReader;
import dev.sequitur.encoding.ByteWriter;
import dev.sequitur.encoding.MalformedBytesException;
import dev.sequitur.persistence.serialization.ProtocolFormat;
import dev.sequitur.protocol.message.Envelope;
import java.util.ArrayList;
import java.util.List;

/** Each envelope after its length, so that the others are found when one cannot be read. */
public final class BinaryEnvelopeCodec implements EnvelopeCodec {
  private final ProtocolFormat format;

  public BinaryEnvelopeCodec(ProtocolFormat format) {
    this.format = format;
  }

  @Override
  public byte[] encode(List<Envelope> envelopes) {
    var bytes = new ByteWriter();
    for (var envelope : envelopes) {
      var part = format.encode(envelope);
      bytes.unsigned(part.length).bytes(part);
    }
    return bytes.finish();
  }

  /**
   * {@inheritDoc}
   *
   * @throws MalformedBytesException if the lengths do not fit
   */
  @Override
  public Decoded decode(byte[] bytes) {
    var envelopes = new ArrayList<Envelope>();
    int unreadable = 0;
    var from = new ByteReader(bytes, 0);
    while (!from.isAtEnd()) {
      var part = from.bytes(from.count());
      try {
        envelopes.add(format.decode(part, Envelope.class));
      } catch (MalformedBytesException e) {
        unreadable++;
      }
    }
    return new Decoded(List.copyOf(envelopes), unreadable);
  }
}
