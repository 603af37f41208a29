package dev.sequitur.protocol.id;

import java.nio.ByteBuffer;
import java.security.MessageDigest;

/**
 * Feeds values into a hash so that no two different sequences of values give the same input: each
 * field is preceded by its length in four bytes, big-endian (SEL-2). Confined to the thread that
 * made it.
 */
public final class CanonicalDigest {
  private final MessageDigest digest;
  private final ByteBuffer number = ByteBuffer.allocate(Long.BYTES);

  private CanonicalDigest(MessageDigest digest) {
    this.digest = digest;
  }

  /** By SHA-256. */
  public CanonicalDigest() {
    this(Hash.newDigest("SHA-256"));
  }

  /** By SHA3-256. */
  public static CanonicalDigest sha3() {
    return new CanonicalDigest(Hash.newDigest("SHA3-256"));
  }

  public CanonicalDigest add(byte[] field) {
    digest.update(number.clear().putInt(field.length).array(), 0, Integer.BYTES);
    digest.update(field);
    return this;
  }

  public CanonicalDigest add(String field) {
    return add(Utf8.encode(field));
  }

  public CanonicalDigest add(Bytes field) {
    return add(field.toByteArray());
  }

  public CanonicalDigest add(Hash field) {
    return add(field.toByteArray());
  }

  /** Eight bytes, big-endian. */
  public CanonicalDigest add(long field) {
    return add(ByteBuffer.allocate(Long.BYTES).putLong(field).array());
  }

  public Hash finish() {
    return Hash.of(digest.digest());
  }
}
