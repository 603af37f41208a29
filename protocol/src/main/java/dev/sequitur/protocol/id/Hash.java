package dev.sequitur.protocol.id;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A 256-bit hash as four big-endian words: cheap to compare and to keep as a map key, which matters
 * because every state and every lock is found by one.
 */
public record Hash(long word0, long word1, long word2, long word3) implements Comparable<Hash> {

  /**
   * @param bytes exactly 32 bytes, big-endian
   */
  public static Hash of(byte[] bytes) {
    if (bytes.length != 32) {
      throw new IllegalArgumentException("A hash has 32 bytes, not " + bytes.length + ".");
    }
    var buffer = ByteBuffer.wrap(bytes);
    return new Hash(buffer.getLong(), buffer.getLong(), buffer.getLong(), buffer.getLong());
  }

  /** Reads 64 hexadecimal digits, with or without a leading {@code 0x}. */
  public static Hash hex(String digits) {
    return of(HexFormat.of().parseHex(digits.startsWith("0x") ? digits.substring(2) : digits));
  }

  /** SHA-256 over {@code content}. */
  public static Hash sha256(byte[] content) {
    return of(newDigest("SHA-256").digest(content));
  }

  /**
   * @param algorithm of 32 bytes of output, which every JDK has
   */
  public static MessageDigest newDigest(String algorithm) {
    try {
      return MessageDigest.getInstance(algorithm);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("This Java runtime has no " + algorithm + ".", e);
    }
  }

  /** 32 bytes, big-endian. */
  public byte[] toByteArray() {
    var bytes = ByteBuffer.allocate(32);
    writeTo(bytes);
    return bytes.array();
  }

  /** The same 32 bytes, at the buffer's position. */
  public void writeTo(ByteBuffer bytes) {
    bytes.putLong(word0).putLong(word1).putLong(word2).putLong(word3);
  }

  @Override
  public int compareTo(Hash other) {
    int order = Long.compareUnsigned(word0, other.word0);
    if (order == 0) {
      order = Long.compareUnsigned(word1, other.word1);
    }
    if (order == 0) {
      order = Long.compareUnsigned(word2, other.word2);
    }
    return order == 0 ? Long.compareUnsigned(word3, other.word3) : order;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(word0);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Hash hash
        && word0 == hash.word0
        && word1 == hash.word1
        && word2 == hash.word2
        && word3 == hash.word3;
  }

  /** 64 lower-case digits with a leading {@code 0x}. */
  @Override
  public String toString() {
    return "0x" + HexFormat.of().formatHex(toByteArray());
  }
}
