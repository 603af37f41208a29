package dev.sequitur.schedule.recurring;

import dev.sequitur.protocol.id.Bytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The little of the SCALE codec that ids of recurring tasks need. */
final class Scale {
  private static final int PREFIX = 4;

  private Scale() {}

  /** Each with its length as a compact integer before it. */
  static Bytes byteStrings(Bytes first, Bytes second) {
    var buffer =
        ByteBuffer.allocate(2 * PREFIX + first.size() + second.size())
            .order(ByteOrder.LITTLE_ENDIAN);
    put(buffer, first);
    put(buffer, second);
    var encoded = new byte[buffer.position()];
    buffer.flip().get(encoded);
    return Bytes.of(encoded);
  }

  /** The two lowest bits say how many bytes the number takes. */
  private static void put(ByteBuffer buffer, Bytes content) {
    int size = content.size();
    if (size < 1 << 6) {
      buffer.put((byte) (size << 2));
    } else if (size < 1 << 14) {
      buffer.putShort((short) (size << 2 | 1));
    } else if (size < 1 << 30) {
      buffer.putInt(size << 2 | 2);
    } else {
      throw new IllegalArgumentException("Too long for an id: " + size + " bytes.");
    }
    buffer.put(content.toByteArray());
  }
}
