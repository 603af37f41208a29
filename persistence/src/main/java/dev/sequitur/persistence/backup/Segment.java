package dev.sequitur.persistence.backup;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.OrderedMap.Visitor;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/**
 * Entries that follow one another, as the bytes of a file: each its key's length, its value's
 * length, both four bytes, the key, the value. The file's name is the SHA-256 of its bytes.
 *
 * <p>Where one ends is decided by the keys alone, and by its size if no key decides it: so what
 * changes in one place of a store leaves the other segments as they were.
 */
final class Segment {
  /** A segment begins before one key of so many. */
  private static final int ONE_OF = 8_192;

  /** It has no more bytes, unless its only entry has. */
  static final int MOST_BYTES = 8 << 20;

  private static final int LENGTHS = 2 * Integer.BYTES;

  private byte[] bytes = new byte[1 << 16];
  private int size;
  private long entries;
  private Key first;

  /** Whether one begins before this key, whatever is stored elsewhere. */
  static boolean beginsBefore(Key key) {
    var sum = new CRC32C();
    sum.update(key.unsafeBytes());
    // A sum of numbers that follow one another has bits that hardly change.
    int mixed = (int) sum.getValue() * 0x9E3779B1;
    return Integer.remainderUnsigned(mixed ^ (mixed >>> 16), ONE_OF) == 0;
  }

  /** Whether the entry belongs here, and not to the next one. */
  boolean takes(Key key, byte[] value) {
    long larger = (long) size + LENGTHS + key.unsafeBytes().length + value.length;
    return isEmpty() || (larger <= MOST_BYTES && !beginsBefore(key));
  }

  void add(Key key, byte[] value) {
    var keyBytes = key.unsafeBytes();
    int end = Math.addExact(size, LENGTHS + keyBytes.length + value.length);
    if (end > bytes.length) {
      bytes =
          Arrays.copyOf(
              bytes, (int) Math.min(Integer.MAX_VALUE - 8L, Math.max(end, 2L * bytes.length)));
    }
    ByteBuffer.wrap(bytes)
        .position(size)
        .putInt(keyBytes.length)
        .putInt(value.length)
        .put(keyBytes)
        .put(value);
    size = end;
    entries++;
    first = first == null ? key : first;
  }

  /** To be filled again. */
  void clear() {
    size = 0;
    entries = 0;
    first = null;
  }

  boolean isEmpty() {
    return entries == 0;
  }

  /** Until it is filled again; to be read only. With its array, since a digest is slow without. */
  ByteBuffer content() {
    return ByteBuffer.wrap(bytes, 0, size);
  }

  /** What the manifest says of it. */
  BackupManifest.Part part() {
    return new BackupManifest.Part(digest(content()), entries, size, first);
  }

  static String digest(ByteBuffer content) {
    try {
      var sha256 = MessageDigest.getInstance("SHA-256");
      sha256.update(content);
      return HexFormat.of().formatHex(sha256.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Each JDK has SHA-256.", e);
    }
  }

  /**
   * Visits the entries of a segment whose digest was right.
   *
   * @return whether the visitor wants more
   */
  static boolean visit(byte[] content, Visitor visitor) {
    var rest = ByteBuffer.wrap(content);
    while (rest.hasRemaining()) {
      var key = new byte[rest.getInt()];
      var value = new byte[rest.getInt()];
      rest.get(key).get(value);
      if (!visitor.visit(Key.wrap(key), value)) {
        return false;
      }
    }
    return true;
  }
}
