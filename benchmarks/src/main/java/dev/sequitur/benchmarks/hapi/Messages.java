package dev.sequitur.benchmarks.hapi;

import dev.sequitur.schedule.signing.AccountTransactionId;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/** The few messages that a load asks and reads, by their field numbers. */
final class Messages {
  private static final long NANOS = 1_000_000_000;
  private static final int VARINT = 0;
  private static final int CONTENT = 2;
  private static final int KINDS = 3;

  private Messages() {}

  /** The question for a receipt. */
  static byte[] receiptOf(AccountTransactionId id) {
    var start =
        joined(number(1, id.validStart().seconds()), number(2, id.validStart().nanos() % NANOS));
    var transaction = joined(content(1, start), content(2, number(3, id.account().number())));
    return content(14, content(2, transaction));
  }

  /** What a transaction is answered at once: 0 if it is taken. */
  static long precheck(byte[] answer) {
    return find(ByteBuffer.wrap(answer), 1);
  }

  /** The code of a receipt. */
  static long status(byte[] answer) {
    return find(ByteBuffer.wrap(answer), 14, 2, 1);
  }

  /** The number of the schedule in a receipt; 0 if there is none. */
  static long schedule(byte[] answer) {
    return find(ByteBuffer.wrap(answer), 14, 2, 12, 3);
  }

  private static byte[] number(int field, long value) {
    var bytes = new ByteArrayOutputStream();
    varint(bytes, (long) field << KINDS | VARINT);
    varint(bytes, value);
    return bytes.toByteArray();
  }

  private static byte[] content(int field, byte[] value) {
    var bytes = new ByteArrayOutputStream();
    varint(bytes, (long) field << KINDS | CONTENT);
    varint(bytes, value.length);
    bytes.writeBytes(value);
    return bytes.toByteArray();
  }

  private static byte[] joined(byte[] first, byte[] second) {
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(first);
    bytes.writeBytes(second);
    return bytes.toByteArray();
  }

  private static void varint(ByteArrayOutputStream to, long value) {
    long left = value;
    while ((left & ~0x7FL) != 0) {
      to.write((int) ((left & 0x7F) | 0x80));
      left >>>= 7;
    }
    to.write((int) left);
  }

  private static long varint(ByteBuffer from) {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = from.get();
      value |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }

  /** The number at the end of a path of fields, the first of each; 0 if it is not there. */
  private static long find(ByteBuffer message, int... path) {
    var in = message;
    for (int depth = 0; depth < path.length; depth++) {
      var next = field(in, path[depth]);
      if (next == null) {
        return 0;
      }
      in = next;
    }
    return varint(in);
  }

  /** What a field has, from its first byte: null if there is none. */
  private static ByteBuffer field(ByteBuffer in, int number) {
    while (in.hasRemaining()) {
      long tag = varint(in);
      boolean found = tag >>> KINDS == number;
      if ((tag & 7) == CONTENT) {
        int length = (int) varint(in);
        if (found) {
          return in.slice(in.position(), length);
        }
        in.position(in.position() + length);
      } else if (found) {
        return in;
      } else {
        varint(in);
      }
    }
    return null;
  }
}
