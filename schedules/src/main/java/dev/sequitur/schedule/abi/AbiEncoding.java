package dev.sequitur.schedule.abi;

import dev.sequitur.protocol.id.Bytes;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code abi.encode} of values one after the other: each has a word of 32 bytes in the head, a byte
 * string there only its offset, and its content behind. Confined to the thread that made it.
 */
public final class AbiEncoding {
  static final int WORD = 32;

  /** Empty where the value is a byte string. */
  private final List<Bytes> words = new ArrayList<>();

  private final List<Bytes> contents = new ArrayList<>();

  /** {@code uint256}; not negative. */
  public AbiEncoding uint(long value) {
    if (value < 0) {
      throw new IllegalArgumentException("A uint256 is not negative: " + value);
    }
    return add(Bytes.of(word(value)), Bytes.EMPTY);
  }

  /** {@code uint256}; not negative, and below 2^256. */
  public AbiEncoding uint(BigInteger value) {
    if (value.signum() < 0 || value.bitLength() > WORD * Byte.SIZE) {
      throw new IllegalArgumentException("A uint256 is 0 or more and below 2^256: " + value);
    }
    var number = value.toByteArray();
    int sign = number.length > WORD ? 1 : 0;
    var word = ByteBuffer.allocate(WORD).position(WORD - number.length + sign);
    return add(Bytes.of(word.put(number, sign, number.length - sign).array()), Bytes.EMPTY);
  }

  /** {@code address}: 20 bytes. */
  public AbiEncoding address(EvmAddress address) {
    var word = ByteBuffer.allocate(WORD).position(WORD - EvmAddress.SIZE);
    return add(Bytes.of(word.put(address.value().toByteArray()).array()), Bytes.EMPTY);
  }

  /** {@code bytes}. */
  public AbiEncoding bytes(Bytes content) {
    return add(Bytes.EMPTY, content);
  }

  /** {@code string}. */
  public AbiEncoding string(String text) {
    return bytes(Bytes.utf8(text));
  }

  public Bytes finish() {
    int head = words.size() * WORD;
    int size = head;
    for (int i = 0; i < words.size(); i++) {
      size = Math.addExact(size, isBytes(i) ? WORD + padded(contents.get(i).size()) : 0);
    }
    var encoded = ByteBuffer.allocate(size);
    int offset = head;
    for (int i = 0; i < words.size(); i++) {
      encoded.put(isBytes(i) ? word(offset) : words.get(i).toByteArray());
      offset += isBytes(i) ? WORD + padded(contents.get(i).size()) : 0;
    }
    for (int i = 0; i < words.size(); i++) {
      if (isBytes(i)) {
        int end = encoded.position() + WORD + padded(contents.get(i).size());
        encoded.put(word(contents.get(i).size())).put(contents.get(i).toByteArray()).position(end);
      }
    }
    return Bytes.of(encoded.array());
  }

  /** Rounded up to whole words. */
  static int padded(int size) {
    return Math.multiplyExact(Math.addExact(size, WORD - 1) / WORD, WORD);
  }

  private boolean isBytes(int index) {
    return words.get(index).isEmpty();
  }

  private AbiEncoding add(Bytes word, Bytes content) {
    words.add(word);
    contents.add(content);
    return this;
  }

  static byte[] word(long value) {
    return ByteBuffer.allocate(WORD).putLong(WORD - Long.BYTES, value).array();
  }
}
