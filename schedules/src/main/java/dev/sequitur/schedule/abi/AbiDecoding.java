package dev.sequitur.schedule.abi;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Utf8;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Reads what {@link AbiEncoding} writes, and nothing else: one value has one encoding, so bytes
 * that are left over, paddings that are not zero and offsets elsewhere are errors. Every method
 * throws IllegalArgumentException with a sentence for the caller. Confined to the thread that made
 * it.
 */
public final class AbiDecoding {
  private static final int WORD = AbiEncoding.WORD;

  private final byte[] content;
  private int next;

  /** Where the next byte string must stand. */
  private int tail;

  /**
   * @param values how many the tuple has
   */
  public AbiDecoding(Bytes content, int values) {
    this.content = content.toByteArray();
    this.tail = values * WORD;
    if (this.content.length < tail) {
      throw new IllegalArgumentException(
          "ABI data of " + values + " values has at least " + tail + " bytes.");
    }
  }

  /** Whether it is of so many values, if the first of them is a byte string. */
  public static boolean hasValues(Bytes content, int values) {
    var all = content.toByteArray();
    return all.length >= WORD
        && Arrays.equals(Arrays.copyOf(all, WORD), AbiEncoding.word((long) values * WORD));
  }

  /** {@code uint256}. */
  public BigInteger big() {
    return new BigInteger(1, word());
  }

  /** {@code uint256}, if it is below 2^63. */
  public long uint() {
    return number(word());
  }

  /** {@code address}. */
  public EvmAddress address() {
    var word = word();
    requireZero(word, 0, WORD - EvmAddress.SIZE);
    return new EvmAddress(Bytes.of(Arrays.copyOfRange(word, WORD - EvmAddress.SIZE, WORD)));
  }

  /** {@code bytes}. */
  public Bytes bytes() {
    if (number(word()) != tail || content.length - tail < WORD) {
      throw new IllegalArgumentException("A byte string of the ABI data is not where it belongs.");
    }
    long size = number(Arrays.copyOfRange(content, tail, tail + WORD));
    int start = tail + WORD;
    if (size > content.length - start || AbiEncoding.padded((int) size) > content.length - start) {
      throw new IllegalArgumentException("A byte string of the ABI data is cut off.");
    }
    int end = start + (int) size;
    tail = start + AbiEncoding.padded((int) size);
    requireZero(content, end, tail);
    return Bytes.of(Arrays.copyOfRange(content, start, end));
  }

  /** {@code string}. */
  public String string() {
    return Utf8.decode(bytes().toByteArray());
  }

  /** After the last value. */
  public void finish() {
    if (tail != content.length) {
      throw new IllegalArgumentException("Behind the ABI data there is more.");
    }
  }

  private byte[] word() {
    next += WORD;
    return Arrays.copyOfRange(content, next - WORD, next);
  }

  private static long number(byte[] word) {
    requireZero(word, 0, WORD - Long.BYTES);
    long value = ByteBuffer.wrap(word).getLong(WORD - Long.BYTES);
    if (value < 0) {
      throw new IllegalArgumentException("Numbers go to 9223372036854775807 here.");
    }
    return value;
  }

  private static void requireZero(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] != 0) {
        throw new IllegalArgumentException(
            "ABI data is padded with zeros, and its numbers go to 9223372036854775807 here.");
      }
    }
  }
}
