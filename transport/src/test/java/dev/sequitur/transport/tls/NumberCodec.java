package dev.sequitur.transport.tls;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.transport.Envelopes;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes numbered envelopes as lines of sender, receiver and number. A number from 1,000,000 makes
 * its line that long; a negative one cannot be written, and 999 cannot be read.
 */
final class NumberCodec implements EnvelopeCodec {
  static final int UNREADABLE = 999;
  private static final int LONG = 1_000_000;

  @Override
  public byte[] encode(List<Envelope> envelopes) {
    return envelopes.stream()
        .map(NumberCodec::line)
        .collect(Collectors.joining("\n"))
        .getBytes(UTF_8);
  }

  private static String line(Envelope envelope) {
    int number = Envelopes.numberOf(envelope);
    if (number < 0) {
      throw new IllegalArgumentException("private");
    }
    return envelope.from()
        + " "
        + envelope.to()
        + " "
        + number
        + " "
        + "x".repeat(number >= LONG ? number : 0);
  }

  @Override
  public Decoded decode(byte[] bytes) {
    return new Decoded(new String(bytes, UTF_8).lines().map(NumberCodec::envelope).toList(), 0);
  }

  private static Envelope envelope(String line) {
    var fields = line.split(" ", -1);
    int number = Integer.parseInt(fields[2]);
    if (number == UNREADABLE) {
      throw new IllegalArgumentException("private");
    }
    return Envelopes.numbered(new NodeName(fields[0]), new NodeName(fields[1]), number);
  }
}
