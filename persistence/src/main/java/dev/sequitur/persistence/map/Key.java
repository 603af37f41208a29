package dev.sequitur.persistence.map;

import dev.sequitur.protocol.id.Utf8;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A key of what a node keeps: immutable bytes, ordered as LevelDB and PostgreSQL order them, byte
 * by byte and unsigned.
 *
 * <p>Keys are put together from the left, {@code Key.in(KeySpace.EVENT).text(id).number(7)}. No
 * text is a prefix of another one's bytes, since its length goes before it, and numbers sort by
 * value.
 */
public final class Key implements Comparable<Key> {
  private static final int MAX_TEXT_BYTES = 0xFFFF;

  private final byte[] bytes;
  private final int hash;

  private Key(byte[] bytes) {
    this.bytes = bytes;
    this.hash = Arrays.hashCode(bytes);
  }

  /** The shortest key of a space, which is also the prefix of all its others. */
  public static Key in(KeySpace space) {
    return new Key(new byte[] {space.code()});
  }

  /** A stored key. */
  public static Key of(byte[] bytes) {
    return new Key(bytes.clone());
  }

  /** The bytes as they are stored. */
  public byte[] toByteArray() {
    return bytes.clone();
  }

  /** The same, of bytes that nobody changes afterwards. */
  public static Key wrap(byte[] bytes) {
    return new Key(bytes);
  }

  /**
   * This key followed by a text.
   *
   * @throws IllegalArgumentException if the text is longer than 65,535 bytes of UTF-8
   */
  public Key text(String text) {
    byte[] utf8 = Utf8.encode(text);
    if (utf8.length > MAX_TEXT_BYTES) {
      throw new IllegalArgumentException(
          "A text in a key may have %d bytes, this one has %d"
              .formatted(MAX_TEXT_BYTES, utf8.length));
    }
    byte[] longer = Arrays.copyOf(bytes, bytes.length + Short.BYTES + utf8.length);
    ByteBuffer.wrap(longer).position(bytes.length).putShort((short) utf8.length).put(utf8);
    return new Key(longer);
  }

  /**
   * This key followed by a number that is zero or more.
   *
   * @throws IllegalArgumentException if the number is negative, since it would sort after all
   *     others
   */
  public Key number(long number) {
    if (number < 0) {
      throw new IllegalArgumentException("A number in a key must not be negative: " + number);
    }
    byte[] longer = Arrays.copyOf(bytes, bytes.length + Long.BYTES);
    ByteBuffer.wrap(longer).putLong(bytes.length, number);
    return new Key(longer);
  }

  /** This key followed by one byte, of which the lowest eight bits are taken. */
  public Key octet(int octet) {
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
    longer[bytes.length] = (byte) octet;
    return new Key(longer);
  }

  /** This key followed by bytes as they are; nothing tells where they end. */
  public Key raw(byte[] more) {
    byte[] longer = Arrays.copyOf(bytes, bytes.length + more.length);
    System.arraycopy(more, 0, longer, bytes.length, more.length);
    return new Key(longer);
  }

  /** The number that the last eight bytes hold. */
  public long lastNumber() {
    return ByteBuffer.wrap(bytes).getLong(bytes.length - Long.BYTES);
  }

  /** A read-only view, to take a key apart. */
  public ByteBuffer asByteBuffer() {
    return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
  }

  /** The smallest key that is greater than every key this one is a prefix of. */
  Key afterPrefix() {
    int last = bytes.length - 1;
    while (last >= 0 && bytes[last] == (byte) 0xFF) {
      last--;
    }
    if (last < 0) {
      throw new IllegalArgumentException("No key comes after those that start with " + this);
    }
    byte[] after = Arrays.copyOf(bytes, last + 1);
    after[last]++;
    return new Key(after);
  }

  /** The bytes themselves; whoever gets them must not change them. */
  public byte[] unsafeBytes() {
    return bytes;
  }

  @Override
  public int compareTo(Key other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Key key && Arrays.equals(bytes, key.bytes);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /** The bytes in hexadecimal. */
  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes);
  }
}
