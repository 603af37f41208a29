package dev.sequitur.protocol.schedule;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Utf8;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * Puts values one after the other, each preceded by its length in four bytes, big-endian, so that
 * no two sequences of values give the same bytes. Confined to the thread that made it.
 */
public final class CanonicalEncoding {
  private static final int FIRST_CAPACITY = 256;

  private byte[] content = new byte[FIRST_CAPACITY];
  private int size;

  public CanonicalEncoding add(byte[] field) {
    int needed = Math.addExact(size, Math.addExact(field.length, Integer.BYTES));
    if (needed > content.length) {
      content = Arrays.copyOf(content, Math.max(needed, Math.multiplyExact(content.length, 2)));
    }
    ByteBuffer.wrap(content, size, needed - size).putInt(field.length).put(field);
    size = needed;
    return this;
  }

  public CanonicalEncoding add(String field) {
    return add(Utf8.encode(field));
  }

  public CanonicalEncoding add(Bytes field) {
    return add(field.toByteArray());
  }

  /** Eight bytes, big-endian. */
  public CanonicalEncoding add(long field) {
    return add(ByteBuffer.allocate(Long.BYTES).putLong(field).array());
  }

  public Bytes finish() {
    return Bytes.of(Arrays.copyOf(content, size));
  }

  /** SHA3-256 over what was added. */
  public Hash sha3() {
    try {
      var digest = MessageDigest.getInstance("SHA3-256");
      digest.update(content, 0, size);
      return Hash.of(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("This Java runtime has no SHA3-256.", e);
    }
  }
}
