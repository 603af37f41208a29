package dev.sequitur.scheduler.storage;

import dev.sequitur.protocol.schedule.OccurrenceKey;
import java.util.ArrayList;
import java.util.List;

/** Reads what {@link ByteWriter} wrote. Confined to one thread. */
public final class ByteReader {
  private static final int LAST_SEVEN_BITS = 0x7f;
  private static final int MORE = 0x80;
  private static final int LONGEST_NUMBER_BITS = 63;

  private final byte[] content;
  private final Pool pool;
  private int position;
  private List<Object> known = List.of();
  private OccurrenceKey lastKey;

  ByteReader(byte[] content, int position, Pool pool) {
    this.content = content;
    this.position = position;
    this.pool = pool;
  }

  int raw() {
    need(1);
    return content[position++] & 0xff;
  }

  long unsigned() {
    long number = 0;
    for (int shift = 0; shift <= LONGEST_NUMBER_BITS; shift += 7) {
      int octet = raw();
      number |= (long) (octet & LAST_SEVEN_BITS) << shift;
      if ((octet & MORE) == 0) {
        return number;
      }
    }
    throw new UnreadableException("A number is too long.");
  }

  long signed() {
    long zigzag = unsigned();
    return zigzag >>> 1 ^ -(zigzag & 1);
  }

  /** A count of things that each take a byte at least. */
  int count() {
    long count = unsigned();
    if (count < 0 || count > content.length - position) {
      throw new UnreadableException("A length of " + count + " is beyond the end.");
    }
    return (int) count;
  }

  long eight() {
    need(8);
    long word = 0;
    for (int i = 0; i < 8; i++) {
      word = (word << 8) | (content[position++] & 0xff);
    }
    return word;
  }

  byte[] bytes(int length) {
    need(length);
    var bytes = new byte[length];
    System.arraycopy(content, position, bytes, 0, length);
    position += length;
    return bytes;
  }

  /** What was read before under this number. */
  Object again(long number) {
    if (number < 1 || number > known.size()) {
      throw new UnreadableException("Nothing was read before under " + number + ".");
    }
    return known.get((int) number - 1);
  }

  Object learn(Object value) {
    if (known.isEmpty()) {
      known = new ArrayList<>();
    }
    var shared = pool.shared(value);
    known.add(shared);
    return shared;
  }

  OccurrenceKey lastKey() {
    if (lastKey == null) {
      throw new UnreadableException("There is no key before the first.");
    }
    return lastKey;
  }

  OccurrenceKey remember(OccurrenceKey key) {
    lastKey = key;
    return key;
  }

  int position() {
    return position;
  }

  boolean isAtEnd() {
    return position == content.length;
  }

  private void need(int more) {
    if (more > content.length - position) {
      throw new UnreadableException("The end came too early.");
    }
  }
}
