package dev.sequitur.persistence.encryption;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * A key of the key store that keys of segments are encrypted by. Not a record: a record's text
 * would show it. Immutable.
 */
public final class WrappingKey {
  /** Of its name. */
  static final int ID = 8;

  private static final int AT = ID + AesGcm.NONCE;

  private final byte[] id;
  private final SecretKey key;

  private WrappingKey(byte[] id, SecretKey key) {
    this.id = id;
    this.key = key;
  }

  /**
   * @param secret 32 bytes that are used for nothing else
   */
  public static WrappingKey of(byte[] secret) {
    return new WrappingKey(
        Arrays.copyOf(made(secret, "id"), ID), new SecretKeySpec(made(secret, "key"), "AES"));
  }

  private static byte[] made(byte[] secret, String what) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      return mac.doFinal(("sequitur wrapping " + what).getBytes(StandardCharsets.US_ASCII));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every JDK has HMAC-SHA256.", e);
    }
  }

  /** It tells nothing of the key, and is another for each one. */
  public String name() {
    return HexFormat.of().formatHex(id);
  }

  /** Its name, a nonce, and the key of a segment, encrypted. */
  byte[] wrap(SecretKey segment, byte[] bound, SecureRandom random) {
    var plain = segment.getEncoded();
    var wrapped = new byte[AT + plain.length + AesGcm.TAG];
    var nonce = new byte[AesGcm.NONCE];
    random.nextBytes(nonce);
    System.arraycopy(id, 0, wrapped, 0, ID);
    System.arraycopy(nonce, 0, wrapped, ID, nonce.length);
    AesGcm.seal(key, plain, bound, wrapped, ID, AT);
    return wrapped;
  }

  /** Whether it is the one that has wrapped that. */
  boolean hasWrapped(byte[] wrapped) {
    return wrapped.length > AT && Arrays.equals(id, Arrays.copyOf(wrapped, ID));
  }

  /** Empty if the bytes are others than were made. */
  Optional<SecretKey> unwrap(byte[] wrapped, byte[] bound) {
    return AesGcm.open(key, wrapped, bound, ID, AT).map(plain -> new SecretKeySpec(plain, "AES"));
  }
}
