package dev.sequitur.transport.tls;

import static dev.sequitur.transport.Envelopes.NODE1;
import static dev.sequitur.transport.Envelopes.NODE2;
import static dev.sequitur.transport.Envelopes.acknowledgement;
import static dev.sequitur.transport.Envelopes.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.persistence.serialization.ProtocolFormat;
import dev.sequitur.protocol.message.Envelope;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class BinaryEnvelopeCodecTest {
  private final EnvelopeCodec codec = new BinaryEnvelopeCodec(new ProtocolFormat());
  private final List<Envelope> envelopes =
      List.of(numbered(NODE1, NODE2, 1), acknowledgement(NODE1, NODE2));

  @Test
  void envelopesAreReadAsTheyWereWritten() {
    var decoded = codec.decode(codec.encode(envelopes));

    assertThat(decoded).isEqualTo(new EnvelopeCodec.Decoded(envelopes, 0));
  }

  @Test
  void anEnvelopeThatCannotBeReadDoesNotTakeTheOthersWithIt() {
    byte[] readable = codec.encode(envelopes);
    var withAStranger =
        ByteBuffer.allocate(readable.length + 3).put(new byte[] {2, 1, 2}).put(readable);

    var decoded = codec.decode(withAStranger.array());

    assertThat(decoded).isEqualTo(new EnvelopeCodec.Decoded(envelopes, 1));
  }

  @Test
  void aDamagedFrameIsRefused() {
    byte[] whole = codec.encode(envelopes);

    for (byte[] damaged :
        List.of(
            Arrays.copyOf(whole, whole.length - 1), new byte[] {127, 0, 0, 0}, new byte[] {-1})) {
      assertThatThrownBy(() -> codec.decode(damaged)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
