package dev.sequitur.protocol.id;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * An immutable sequence of bytes that compares by content, which a {@code byte[]} in a record would
 * not.
 */
public final class Bytes implements Comparable<Bytes> {
  public static final Bytes EMPTY = new Bytes(new byte[0]);

  private final byte[] content;

  private Bytes(byte[] content) {
    this.content = content;
  }

  /** Copies {@code content}. */
  public static Bytes of(byte[] content) {
    return content.length == 0 ? EMPTY : new Bytes(content.clone());
  }

  /**
   * The UTF-8 encoding of {@code text}.
   *
   * @throws IllegalArgumentException if the text holds half a surrogate pair
   */
  public static Bytes utf8(String text) {
    return of(Utf8.encode(text));
  }

  /**
   * Reads hexadecimal digits, with or without a leading {@code 0x}.
   *
   * @throws IllegalArgumentException if a character is no hexadecimal digit or their number is odd
   */
  public static Bytes hex(String digits) {
    return of(HexFormat.of().parseHex(digits.startsWith("0x") ? digits.substring(2) : digits));
  }

  /** A fresh copy: callers may change it. */
  public byte[] toByteArray() {
    return content.clone();
  }

  public int size() {
    return content.length;
  }

  public boolean isEmpty() {
    return content.length == 0;
  }

  /** Lower-case digits with a leading {@code 0x}. */
  public String toHex() {
    return "0x" + HexFormat.of().formatHex(content);
  }

  /** The content read as UTF-8; malformed input becomes replacement characters. */
  public String toUtf8() {
    return new String(content, StandardCharsets.UTF_8);
  }

  @Override
  public int compareTo(Bytes other) {
    return Arrays.compareUnsigned(content, other.content);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes bytes && Arrays.equals(content, bytes.content);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(content);
  }

  /** The length only: content may be private (EXC-5). */
  @Override
  public String toString() {
    return "Bytes[" + content.length + "]";
  }
}
