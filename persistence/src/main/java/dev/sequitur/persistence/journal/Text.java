package dev.sequitur.persistence.journal;

import dev.sequitur.protocol.id.Utf8;
import java.nio.ByteBuffer;

/** A text as it lies in stored values: two bytes of length, big-endian, then UTF-8. */
record Text(ByteBuffer utf8) {
  private static final int MAX_BYTES = 0xFFFF;

  static Text of(String text) {
    ByteBuffer utf8 = ByteBuffer.wrap(Utf8.encode(text));
    if (utf8.remaining() > MAX_BYTES) {
      throw new IllegalArgumentException(
          "A stored text may have %d bytes, this one has %d: %.80s..."
              .formatted(MAX_BYTES, utf8.remaining(), text));
    }
    return new Text(utf8);
  }

  static String read(ByteBuffer from) {
    byte[] utf8 = new byte[Short.toUnsignedInt(from.getShort())];
    from.get(utf8);
    return Utf8.decode(utf8);
  }

  int size() {
    return Short.BYTES + utf8.remaining();
  }

  void write(ByteBuffer to) {
    to.putShort((short) utf8.remaining()).put(utf8.duplicate());
  }
}
