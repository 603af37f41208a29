package dev.sequitur.crypto;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/**
 * What a key file has, encrypted by a passphrase: AES-256-GCM under a key that Argon2id (RFC 9106,
 * version 1.3) makes of it. In order: {@link #MAGIC}; KiB of memory, passes and lanes of Argon2id,
 * 4 bytes each; its salt, 16 bytes; the nonce, 12 bytes; the seed, or a longer {@link SeedAndKeys};
 * the tag, 16 bytes. All before the seed is authenticated with it.
 */
final class SealedSeed {
  /** What no seed of 32 bytes is taken for: a sealed one is longer. */
  private static final byte[] MAGIC =
      "sequitur sealed seed 1\n".getBytes(StandardCharsets.US_ASCII);

  private static final int SALT_BYTES = 16;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BYTES = 16;
  private static final int HEADER_BYTES =
      MAGIC.length + 3 * Integer.BYTES + SALT_BYTES + NONCE_BYTES;

  /** The whole length, if it has a seed alone. */
  static final int BYTES = HEADER_BYTES + SeedFile.BYTES + TAG_BYTES;

  /** The whole length at most. */
  static final int MOST_BYTES = HEADER_BYTES + SeedAndKeys.MOST_BYTES + TAG_BYTES;

  /** What one guess costs: RFC 9106's second choice, for little memory. */
  static final Cost COST = new Cost(64 * 1024, 3, 4);

  /**
   * How dear it is to make a key of a passphrase.
   *
   * @param memoryKib kibibytes of memory
   * @param passes over the memory
   * @param lanes that could be computed side by side
   */
  record Cost(int memoryKib, int passes, int lanes) {
    /** Who reads a file of another's making spends no more than a GiB and a few seconds on it. */
    boolean isWithinReason() {
      return lanes >= 1
          && lanes <= 16
          && memoryKib >= 8 * lanes
          && memoryKib <= 1024 * 1024
          && passes >= 1
          && passes <= 16;
    }
  }

  private SealedSeed() {}

  static boolean isSealed(byte[] content) {
    return content.length > SeedFile.BYTES
        && Arrays.equals(MAGIC, 0, MAGIC.length, content, 0, MAGIC.length);
  }

  static byte[] seal(byte[] seed, Passphrase passphrase, Cost cost, SecureRandom random) {
    var salt = new byte[SALT_BYTES];
    var nonce = new byte[NONCE_BYTES];
    random.nextBytes(salt);
    random.nextBytes(nonce);
    var header =
        ByteBuffer.allocate(HEADER_BYTES)
            .put(MAGIC)
            .putInt(cost.memoryKib())
            .putInt(cost.passes())
            .putInt(cost.lanes())
            .put(salt)
            .put(nonce)
            .array();
    try {
      var sealed =
          cipher(Cipher.ENCRYPT_MODE, header, key(passphrase, cost, salt), nonce).doFinal(seed);
      return ByteBuffer.allocate(HEADER_BYTES + sealed.length).put(header).put(sealed).array();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("The JDK has no AES-GCM.", e);
    }
  }

  /**
   * @return what was sealed; empty if the passphrase is wrong or a byte has changed, which nobody
   *     can tell apart
   * @throws IllegalArgumentException if it has not the form of a sealed seed
   */
  static Optional<byte[]> open(byte[] sealed, Passphrase passphrase) {
    if (!isSealed(sealed) || sealed.length < BYTES || sealed.length > MOST_BYTES) {
      throw new IllegalArgumentException("It has not the length of an encrypted seed.");
    }
    var in = ByteBuffer.wrap(sealed, MAGIC.length, sealed.length - MAGIC.length);
    var cost = new Cost(in.getInt(), in.getInt(), in.getInt());
    if (!cost.isWithinReason()) {
      throw new IllegalArgumentException("What it says of Argon2id is beyond reason: " + cost);
    }
    var salt = bytes(in, SALT_BYTES);
    var nonce = bytes(in, NONCE_BYTES);
    var header = Arrays.copyOf(sealed, HEADER_BYTES);
    try {
      return Optional.of(
          cipher(Cipher.DECRYPT_MODE, header, key(passphrase, cost, salt), nonce)
              .doFinal(bytes(in, in.remaining())));
    } catch (AEADBadTagException e) {
      return Optional.empty();
    } catch (GeneralSecurityException | BufferUnderflowException e) {
      throw new IllegalStateException("The JDK has no AES-GCM.", e);
    }
  }

  private static byte[] bytes(ByteBuffer in, int count) {
    var bytes = new byte[count];
    in.get(bytes);
    return bytes;
  }

  private static Cipher cipher(int mode, byte[] header, byte[] key, byte[] nonce)
      throws GeneralSecurityException {
    var cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(8 * TAG_BYTES, nonce));
    cipher.updateAAD(header);
    return cipher;
  }

  private static byte[] key(Passphrase passphrase, Cost cost, byte[] salt) {
    var generator = new Argon2BytesGenerator();
    generator.init(
        new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
            .withVersion(Argon2Parameters.ARGON2_VERSION_13)
            .withMemoryAsKB(cost.memoryKib())
            .withIterations(cost.passes())
            .withParallelism(cost.lanes())
            .withSalt(salt)
            .build());
    var key = new byte[32];
    generator.generateBytes(passphrase.utf8(), key);
    return key;
  }
}
