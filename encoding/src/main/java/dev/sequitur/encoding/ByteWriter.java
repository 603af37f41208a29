package dev.sequitur.encoding;

import dev.sequitur.protocol.id.Bytes;
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
  private Object last;

  /** The lowest eight bits. */
  public ByteWriter raw(int octet) {
    ensure(1);
    content[size++] = (byte) octet;
    return this;
  }

  public ByteWriter flag(boolean set) {
    return raw(set ? 1 : 0);
  }

  /** One byte for small numbers; negative ones take ten. */
  public ByteWriter unsigned(long number) {
    ensure(10);
    size = put(number, size);
    return this;
  }

  private int put(long number, int at) {
    int next = at;
    long rest = number;
    while ((rest & ~LAST_SEVEN_BITS) != 0) {
      content[next++] = (byte) ((rest & LAST_SEVEN_BITS) | MORE);
      rest >>>= 7;
    }
    content[next++] = (byte) rest;
    return next;
  }

  /** One byte for numbers near zero, above or below. */
  public ByteWriter signed(long number) {
    return unsigned(number << 1 ^ number >> 63);
  }

  /** Eight bytes, the highest first, so that they sort as the numbers from zero do. */
  public ByteWriter eight(long word) {
    ensure(8);
    for (int shift = 56; shift >= 0; shift -= 8) {
      content[size++] = (byte) (word >>> shift);
    }
    return this;
  }

  /** Without a length: the reader must know it. */
  public ByteWriter bytes(byte[] bytes) {
    ensure(bytes.length);
    System.arraycopy(bytes, 0, content, size, bytes.length);
    size += bytes.length;
    return this;
  }

  /** A value in the form of its codec. */
  public <T> ByteWriter put(Codec<? super T> codec, T value) {
    codec.write(this, value);
    return this;
  }

  /** A copy of what was written so far. */
  public byte[] finish() {
    return Arrays.copyOf(content, size);
  }

  /** As {@link #finish}. */
  public Bytes toBytes() {
    return Bytes.of(finish());
  }

  public int size() {
    return size;
  }

  /** Begins a value that says how long it is; gives what {@link #close} is to be told. */
  int open() {
    raw(0);
    return size;
  }

  /** Ends it, and puts its length before it. */
  void close(int start) {
    int length = size - start;
    if (length <= LAST_SEVEN_BITS) {
      content[start - 1] = (byte) length;
      return;
    }
    int longer = (31 - Integer.numberOfLeadingZeros(length)) / 7;
    ensure(longer);
    System.arraycopy(content, start, content, start + longer, length);
    put(length, start - 1);
    size += longer;
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

  /** Whether it is the value that this was asked for before. */
  boolean isLast(Object value) {
    boolean same = value.equals(last);
    last = value;
    return same;
  }

  private void ensure(int more) {
    if (size + more > content.length) {
      content =
          Arrays.copyOf(
              content, Math.max(Math.addExact(size, more), Math.multiplyExact(content.length, 2)));
    }
  }
}
