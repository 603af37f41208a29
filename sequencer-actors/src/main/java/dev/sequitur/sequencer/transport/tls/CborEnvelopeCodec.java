package dev.sequitur.sequencer.transport.tls;

import dev.sequitur.persistence.serialization.DecodingException;
import dev.sequitur.persistence.serialization.ProtocolCbor;
import dev.sequitur.protocol.message.Envelope;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Each envelope as CBOR, preceded by its length in four bytes, big-endian: so the others are found
 * when one cannot be read.
 */
public final class CborEnvelopeCodec implements EnvelopeCodec {
  private final ProtocolCbor cbor;

  public CborEnvelopeCodec(ProtocolCbor cbor) {
    this.cbor = cbor;
  }

  @Override
  public byte[] encode(List<Envelope> envelopes) {
    var parts = envelopes.stream().map(cbor::encode).toList();
    int size =
        parts.stream().mapToInt(part -> Integer.BYTES + part.length).reduce(0, Math::addExact);
    var bytes = ByteBuffer.allocate(size);
    for (var part : parts) {
      bytes.putInt(part.length).put(part);
    }
    return bytes.array();
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the lengths do not fit
   */
  @Override
  public Decoded decode(byte[] bytes) {
    var envelopes = new ArrayList<Envelope>();
    int unreadable = 0;
    var buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      try {
        envelopes.add(cbor.decode(part(buffer), Envelope.class));
      } catch (DecodingException e) {
        unreadable++;
      }
    }
    return new Decoded(List.copyOf(envelopes), unreadable);
  }

  private static byte[] part(ByteBuffer buffer) {
    int length = buffer.remaining() < Integer.BYTES ? -1 : buffer.getInt();
    if (length < 0 || length > buffer.remaining()) {
      throw new IllegalArgumentException("A frame is damaged: its lengths do not fit.");
    }
    var part = new byte[length];
    buffer.get(part);
    return part;
  }
}
