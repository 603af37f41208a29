package dev.sequitur.scheduler.storage;

import dev.sequitur.protocol.schedule.OccurrenceKey;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Bytes that grow. What was written once can be named afterwards instead of written again, so that
 * names cost nothing in a large batch. Confined to one thread.
 */
public final class ByteWriter {
  private static final int FIRST_CAPACITY = 256;
  private static final int LAST_SEVEN_BITS = 0x7f;
  private static final int MORE = 0x80;

  private byte[] content = new byte[FIRST_CAPACITY];
  private int size;
  private Map<Object, Integer> known = Map.of();

  /** Written last, since the events of one attempt stand side by side. */
  private OccurrenceKey lastKey;

  void raw(int octet) {
    ensure(1);
    content[size++] = (byte) octet;
  }

  /** One byte for small numbers; negative ones take ten. */
  void unsigned(long number) {
    ensure(10);
    long rest = number;
    while ((rest & ~LAST_SEVEN_BITS) != 0) {
      content[size++] = (byte) ((rest & LAST_SEVEN_BITS) | MORE);
      rest >>>= 7;
    }
    content[size++] = (byte) rest;
  }

  /** One byte for numbers near zero, above or below. */
  void signed(long number) {
    unsigned(number << 1 ^ number >> 63);
  }

  void eight(long word) {
    ensure(8);
    for (int shift = 56; shift >= 0; shift -= 8) {
      content[size++] = (byte) (word >>> shift);
    }
  }

  void bytes(byte[] bytes) {
    ensure(bytes.length);
    System.arraycopy(bytes, 0, content, size, bytes.length);
    size += bytes.length;
  }

  /** Writes where {@code value} was written before; false if it was not. */
  boolean again(Object value) {
    var number = known.get(value);
    unsigned(number == null ? 0 : number);
    return number != null;
  }

  void learn(Object value) {
    if (known.isEmpty()) {
      known = new HashMap<>();
    }
    known.put(value, known.size() + 1);
  }

  boolean isLastKey(OccurrenceKey key) {
    boolean same = key.equals(lastKey);
    lastKey = key;
    return same;
  }

  int size() {
    return size;
  }

  byte[] finish() {
    return Arrays.copyOf(content, size);
  }

  private void ensure(int more) {
    if (size + more > content.length) {
      content =
          Arrays.copyOf(content, Math.max(size + more, Math.multiplyExact(content.length, 2)));
    }
  }
}
