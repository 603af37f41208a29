package dev.sequitur.transport.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A connection is refused; the message is a sentence that the other side is told. */
final class RefusedConnection extends IOException {
  private static final long serialVersionUID = 1;

  RefusedConnection(String message) {
    super(message);
  }

  byte[] toBytes() {
    return getMessage().getBytes(StandardCharsets.UTF_8);
  }

  /** The other side's sentence, without what could forge a line of a log. */
  static String of(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", " ");
  }
}
