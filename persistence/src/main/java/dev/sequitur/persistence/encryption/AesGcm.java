package dev.sequitur.persistence.encryption;

import java.security.GeneralSecurityException;
import java.util.Optional;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/** AES-GCM with a nonce of 12 bytes and a tag of 16. Pure. */
final class AesGcm {
  static final int NONCE = 12;
  static final int TAG = 16;

  private static final String CIPHER = "AES/GCM/NoPadding";

  private AesGcm() {}

  /**
   * Writes what is encrypted, and the tag behind it.
   *
   * @param nonce at the place where it begins in {@code out}; never used twice with a key
   * @param bound is not encrypted, and has to be the same to open it
   * @param at where in {@code out}, after the nonce
   */
  static void seal(SecretKey key, byte[] plain, byte[] bound, byte[] out, int nonce, int at) {
    try {
      var cipher = Cipher.getInstance(CIPHER);
      cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(8 * TAG, out, nonce, NONCE));
      cipher.updateAAD(bound);
      cipher.doFinal(plain, 0, plain.length, out, at);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every JDK has AES-GCM.", e);
    }
  }

  /**
   * What was encrypted.
   *
   * @return empty if another key, another bound or other bytes are given than when it was
   */
  static Optional<byte[]> open(SecretKey key, byte[] sealed, byte[] bound, int nonce, int at) {
    try {
      var cipher = Cipher.getInstance(CIPHER);
      cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(8 * TAG, sealed, nonce, NONCE));
      cipher.updateAAD(bound);
      return Optional.of(cipher.doFinal(sealed, at, sealed.length - at));
    } catch (AEADBadTagException e) {
      return Optional.empty();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every JDK has AES-GCM.", e);
    }
  }
}
