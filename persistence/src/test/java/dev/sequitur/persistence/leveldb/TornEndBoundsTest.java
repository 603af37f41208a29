package dev.sequitur.persistence.leveldb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Where a log's torn record begins, by logs that are made byte by byte. */
final class TornEndBoundsTest {
  private static final int BLOCK = 32 * 1024;
  private static final int HEADER = 7;
  private static final int FULL = 1;
  private static final int FIRST = 2;
  private static final int MIDDLE = 3;
  private static final int LAST = 4;
  private static final int NONE = -1;

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void aTornRecordBeginsWhereNothingWholeFollows(String what, Log log, int from) {
    assertThat(TornEnd.in(log.bytes()))
        .isEqualTo(from == NONE ? OptionalInt.empty() : OptionalInt.of(from));
  }

  static Stream<Arguments> aTornRecordBeginsWhereNothingWholeFollows() {
    return Stream.of(
        row("nothing at all", log(), NONE),
        row("zeros alone", log().zeros(100), NONE),
        row("one record", log().record(FULL, 10), NONE),
        row("a record without data", log().record(FULL, 0), NONE),
        row("a record and zeros", log().record(FULL, 10).zeros(100), NONE),
        row("a record in three pieces", log().piecesOfThree(), NONE),
        row("one byte of a header", log().record(FULL, 10).raw(9), 17),
        row("a header but for one byte", log().record(FULL, 10).raw(9, 9, 9, 9, 9, 9), 17),
        row("a header whose data is missing", log().record(FULL, 10).cut(FULL, 10, 10), 17),
        row("all but the last byte of the data", log().record(FULL, 10).cut(FULL, 10, 1), 17),
        row("the torn record is the only one", log().cut(FULL, 10, 1), 0),
        row("a kind of 0", log().record(FULL, 1).record(0, 10), 8),
        row("a kind of 5", log().record(FULL, 1).record(5, 10), 8),
        row("the first piece alone", log().record(FULL, 1).record(FIRST, 10), 8),
        row("the first piece and zeros", log().record(FULL, 1).record(FIRST, 10).zeros(50), 8),
        row("two pieces of three", log().record(FULL, 1).record(FIRST, 10).record(MIDDLE, 10), 8),
        row(
            "two pieces of three and a torn one",
            log().record(FULL, 1).record(FIRST, 10).record(MIDDLE, 10).cut(LAST, 10, 3),
            8),
        row(
            "a torn first piece before its whole last one",
            log().record(FULL, 1).damaged(FIRST, 10).record(LAST, 10),
            8),
        row(
            "a torn first piece before its whole middle one",
            log().record(FULL, 1).damaged(FIRST, 10).record(MIDDLE, 10),
            8),
        row(
            "damage before a whole record is real",
            log().record(FULL, 1).damaged(FULL, 10).record(FULL, 1),
            NONE),
        row(
            "damage before an empty record at the very end is real",
            log().record(FULL, 1).damaged(FULL, 10).record(FULL, 0),
            NONE),
        row(
            "damage before the first piece of another record is real",
            log().record(FULL, 1).damaged(FULL, 10).record(FIRST, 1),
            NONE),
        row(
            "one byte of damage before a whole record is real",
            log().record(FULL, 1).raw(9).record(FULL, 0),
            NONE),
        row("a middle piece without a first", log().record(FULL, 1).record(MIDDLE, 1), NONE),
        row("a last piece without a first", log().record(FULL, 1).record(LAST, 1), NONE),
        row(
            "a record between the pieces of another",
            log().record(FIRST, 1).record(FULL, 1).record(LAST, 1),
            NONE),
        row("a first piece after a first", log().record(FIRST, 1).record(FIRST, 1), NONE),
        row("a record that fills its block", log().fill(0).record(FULL, 3), NONE),
        row("six bytes left in a block", log().fill(6).zeros(6).record(FULL, 3), NONE),
        row("one byte left in a block", log().fill(1).zeros(1).record(FULL, 3), NONE),
        row("what is left of a block is never read", log().fill(6).raw(9, 9, 9, 9, 9, 9), NONE),
        row("a first piece without data at a block's end", log().fill(7).emptyFirst(), NONE),
        row("a torn header at a block's end", log().fill(7).raw(9, 9, 9, 9, 9, 9, 9), BLOCK - 7),
        row("a piece over the end of its block", log().fill(20).record(FULL, 14), BLOCK - 20),
        row("a piece up to the end of its block", log().fill(20).record(FULL, 13), NONE),
        row(
            "a torn record in the second block",
            log().fill(6).zeros(6).record(FULL, 3).cut(FULL, 9, 1),
            BLOCK + 10),
        row(
            "a length of more than a block",
            log().record(FULL, 1).raw(9, 9, 9, 9, 0xf0, 0xff, FULL, 9, 9),
            8),
        row("a byte after zeros", log().record(FULL, 1).zeros(100).raw(9), 8));
  }

  private static Arguments row(String what, Log log, int from) {
    return Arguments.of(what, log, from);
  }

  private static Log log() {
    return new Log();
  }

  /** Bytes as LevelDB writes them, or nearly. */
  private static final class Log {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    byte[] bytes() {
      return out.toByteArray();
    }

    Log raw(int... bytes) {
      for (int each : bytes) {
        out.write(each);
      }
      return this;
    }

    Log zeros(int many) {
      out.writeBytes(new byte[many]);
      return this;
    }

    /** A piece as long as this with its header. */
    Log record(int type, int length) {
      out.writeBytes(piece(type, length));
      return this;
    }

    /** One whose sum doesn't fit. */
    Log damaged(int type, int length) {
      byte[] piece = piece(type, length);
      piece[0]++;
      out.writeBytes(piece);
      return this;
    }

    /** One whose last bytes are missing. */
    Log cut(int type, int length, int missing) {
      byte[] piece = piece(type, length);
      out.writeBytes(Arrays.copyOf(piece, piece.length - missing));
      return this;
    }

    /** A record that leaves so much of the first block. */
    Log fill(int left) {
      return record(FULL, BLOCK - left - HEADER);
    }

    Log piecesOfThree() {
      return record(FIRST, 5).record(MIDDLE, 5).record(LAST, 5).record(FULL, 5);
    }

    Log emptyFirst() {
      return record(FIRST, 0).record(LAST, 5);
    }

    private static byte[] piece(int type, int length) {
      byte[] data = new byte[length];
      Arrays.fill(data, (byte) 0x77);
      CRC32C crc = new CRC32C();
      crc.update(type);
      crc.update(data);
      // The format's own mask.
      int masked = Integer.rotateRight((int) crc.getValue(), 15) + 0xa282ead8;
      return ByteBuffer.allocate(HEADER + length)
          .order(ByteOrder.LITTLE_ENDIAN)
          .putInt(masked)
          .putShort((short) length)
          .put((byte) type)
          .put(data)
          .array();
    }
  }
}
