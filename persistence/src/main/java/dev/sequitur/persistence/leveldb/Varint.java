package dev.sequitur.persistence.leveldb;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/** Numbers as LevelDB writes them: seven bits a byte, the lowest first, the last without a mark. */
final class Varint {
  private static final int MORE = 0x80;

  private Varint() {}

  /**
   * @throws IllegalArgumentException if it is longer than any number
   * @throws BufferUnderflowException if it is cut off
   */
  static long read(ByteBuffer from) {
    long number = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int next = from.get();
      number |= (long) (next & ~MORE & 0xFF) << shift;
      if ((next & MORE) == 0) {
        return number;
      }
    }
    throw new IllegalArgumentException("A number has at most ten bytes");
  }

  /**
   * Bytes after their length.
   *
   * @throws BufferUnderflowException if they are cut off
   */
  static byte[] readBytes(ByteBuffer from) {
    long length = read(from);
    if (length < 0 || length > from.remaining()) {
      throw new BufferUnderflowException();
    }
    var bytes = new byte[(int) length];
    from.get(bytes);
    return bytes;
  }
}
