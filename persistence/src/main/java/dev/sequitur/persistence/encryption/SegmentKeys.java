package dev.sequitur.persistence.encryption;

import dev.sequitur.persistence.map.Key;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * The keys that values are encrypted by: one for each segment, which is what was written between
 * two starts. An encrypted value is a nonce of 12 bytes, which is the number of its segment (four)
 * and how many values of that segment came before (eight), the value, and a tag of 16; an empty one
 * stays as it is. It opens under its own key of the map alone, so that nobody puts one in another's
 * place. Thread-safe.
 */
final class SegmentKeys {
  /** What a value grows by. */
  static final int OVERHEAD = AesGcm.NONCE + AesGcm.TAG;

  private static final int KEY_BYTES = 32;

  private final Map<Integer, SecretKey> all;
  private final int current;

  /** No nonce comes twice: the key is of this life alone, and this counts on. */
  private final AtomicLong sealed = new AtomicLong();

  /**
   * @param all by the numbers of their segments
   * @param current the one of this life, of which nothing was written yet
   */
  SegmentKeys(Map<Integer, SecretKey> all, int current) {
    this.all = Map.copyOf(all);
    this.current = current;
  }

  static SecretKey fresh(SecureRandom random) {
    var bytes = new byte[KEY_BYTES];
    random.nextBytes(bytes);
    return new SecretKeySpec(bytes, "AES");
  }

  byte[] seal(Key key, byte[] value) {
    if (value.length == 0) {
      return value;
    }
    var out = new byte[value.length + OVERHEAD];
    ByteBuffer.wrap(out).putInt(current).putLong(sealed.getAndIncrement());
    AesGcm.seal(all.get(current), value, key.unsafeBytes(), out, 0, AesGcm.NONCE);
    return out;
  }

  /**
   * @throws EncryptionException if it is not what was encrypted under that key
   */
  byte[] open(Key key, byte[] value) {
    if (value.length == 0) {
      return value;
    }
    var segment = value.length < OVERHEAD ? null : all.get(ByteBuffer.wrap(value).getInt());
    if (segment == null) {
      throw damaged(key);
    }
    return AesGcm.open(segment, value, key.unsafeBytes(), 0, AesGcm.NONCE)
        .orElseThrow(() -> damaged(key));
  }

  private static EncryptionException damaged(Key key) {
    return new EncryptionException(
        "What is stored under %s is not what was encrypted there: it was damaged or changed. Restore the newest backup."
            .formatted(key));
  }
}
