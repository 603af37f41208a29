package dev.sequitur.persistence.leveldb;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.zip.CRC32C;

/**
 * The records of one of LevelDB's logs or manifests, as they lie in the file.
 *
 * <p>The format is LevelDB's: blocks of 32 KiB, in them fragments of (masked CRC-32C, four bytes;
 * length, two; type, one; data), little-endian; a record is one FULL fragment, or FIRST, MIDDLEs
 * and LAST. LevelDB maps its files into memory and lengthens them with zeros in advance.
 */
final class RecordLog {
  private static final int BLOCK = 32 * 1024;
  private static final int HEADER = 7;
  private static final byte FULL = 1;
  private static final byte FIRST = 2;
  private static final byte LAST = 4;
  private static final int CRC_MASK_DELTA = 0xa282ead8;

  /**
   * How far a log can be read.
   *
   * @param records the whole ones before the end, or before the first damage
   * @param open where the record begins that is not whole; empty if the last one is
   * @param damaged where the first fragment is that can't be read; empty if all can
   * @param following whether another record begins after the damage
   */
  private record Walk(
      List<byte[]> records, OptionalInt open, OptionalInt damaged, boolean following) {}

  private final ByteBuffer log;
  private final Walk walk;

  RecordLog(byte[] log) {
    this.log = ByteBuffer.wrap(log).order(ByteOrder.LITTLE_ENDIAN);
    this.walk = walk();
  }

  /** The whole records before the end, or before the first damage. */
  List<byte[]> records() {
    return walk.records();
  }

  /** Where the torn last record begins; empty if none is torn or the damage is before another. */
  OptionalInt torn() {
    return walk.following() ? OptionalInt.empty() : walk.open();
  }

  /** Where it cannot be read on; empty if it is whole. */
  OptionalInt damaged() {
    return walk.damaged().isPresent() ? walk.damaged() : walk.open();
  }

  private Walk walk() {
    var records = new ArrayList<byte[]>();
    var record = new ByteArrayOutputStream();
    int position = 0;
    OptionalInt open = OptionalInt.empty(); // where the record began whose end is still to come
    while (position < log.capacity()) {
      int leftInBlock = BLOCK - position % BLOCK;
      if (leftInBlock < HEADER) {
        position += leftInBlock;
        continue;
      }
      if (onlyZerosFrom(position)) {
        break;
      }
      if (!isFragment(position)) {
        return new Walk(
            records,
            OptionalInt.of(open.orElse(position)),
            OptionalInt.of(position),
            recordBeginsAfter(position));
      }
      byte type = type(position);
      boolean begins = type == FULL || type == FIRST;
      if (begins == open.isPresent()) {
        return new Walk(records, open, OptionalInt.of(position), true);
      }
      record.write(log.array(), position + HEADER, length(position));
      if (type == FIRST) {
        open = OptionalInt.of(position);
      } else if (type == FULL || type == LAST) {
        open = OptionalInt.empty();
        records.add(record.toByteArray());
        record.reset();
      }
      position += HEADER + length(position);
    }
    return new Walk(records, open, OptionalInt.empty(), false);
  }

  private boolean onlyZerosFrom(int position) {
    for (int i = position; i < log.capacity(); i++) {
      if (log.get(i) != 0) {
        return false;
      }
    }
    return true;
  }

  private boolean recordBeginsAfter(int position) {
    for (int i = position + 1; i <= log.capacity() - HEADER; i++) {
      if ((type(i) == FULL || type(i) == FIRST) && isFragment(i)) {
        return true;
      }
    }
    return false;
  }

  private boolean isFragment(int position) {
    int blockEnd = position - position % BLOCK + BLOCK;
    int limit = Math.min(blockEnd, log.capacity());
    if (position + HEADER > limit
        || position + HEADER + length(position) > limit
        || type(position) < FULL
        || type(position) > LAST) {
      return false;
    }
    return log.getInt(position) == masked(log.array(), position + 6, 1 + length(position));
  }

  private byte type(int position) {
    return log.get(position + 6);
  }

  private int length(int position) {
    return Short.toUnsignedInt(log.getShort(position + 4));
  }

  /** The checksum of some bytes as LevelDB writes it, in logs and in tables. */
  static int masked(byte[] bytes, int from, int length) {
    var crc = new CRC32C();
    crc.update(bytes, from, length);
    return Integer.rotateRight((int) crc.getValue(), 15) + CRC_MASK_DELTA;
  }
}
