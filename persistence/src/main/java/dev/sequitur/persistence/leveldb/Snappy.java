package dev.sequitur.persistence.leveldb;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Reads what Snappy has compressed, as LevelDB does with its blocks: pieces that are given, and
 * pieces that were there before.
 */
final class Snappy {
  private static final int LITERAL = 0;
  private static final int COPY_ONE = 1;
  private static final int COPY_TWO = 2;

  /** A longer piece tells its length in bytes of its own. */
  private static final int IN_TAG = 60;

  private Snappy() {}

  /**
   * @throws IllegalArgumentException if it is not of the form
   * @throws BufferUnderflowException if it is cut off
   */
  static byte[] uncompress(ByteBuffer from) {
    var to = new byte[Math.toIntExact(Varint.read(from))];
    int written = 0;
    while (from.hasRemaining()) {
      int tag = Byte.toUnsignedInt(from.get());
      int upper = tag >> 2;
      switch (tag & 3) {
        case LITERAL -> {
          int length = upper < IN_TAG ? upper + 1 : littleEndian(from, upper - IN_TAG + 1) + 1;
          from.get(to, written, length);
          written += length;
        }
        case COPY_ONE -> {
          int offset = (tag >> 5) << 8 | littleEndian(from, 1);
          written = copy(to, written, offset, (upper & 7) + 4);
        }
        case COPY_TWO -> written = copy(to, written, littleEndian(from, 2), upper + 1);
        default -> written = copy(to, written, littleEndian(from, 4), upper + 1);
      }
    }
    return Arrays.copyOf(to, written);
  }

  private static int littleEndian(ByteBuffer from, int bytes) {
    int number = 0;
    for (int i = 0; i < bytes; i++) {
      number |= Byte.toUnsignedInt(from.get()) << (Byte.SIZE * i);
    }
    return number;
  }

  /** Byte by byte: a piece may go on into what it has just written. */
  private static int copy(byte[] to, int written, int offset, int length) {
    if (offset <= 0 || offset > written || written + length > to.length) {
      throw new IllegalArgumentException("A piece that was never there");
    }
    for (int i = written; i < written + length; i++) {
      to[i] = to[i - offset];
    }
    return written + length;
  }
}
