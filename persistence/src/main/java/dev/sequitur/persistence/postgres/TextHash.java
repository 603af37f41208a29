package dev.sequitur.persistence.postgres;

import dev.sequitur.protocol.id.Utf8;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** What a text of any length and any content is looked up by: in an index, or among locks. */
public final class TextHash {
  private TextHash() {}

  /** SHA-256 of its UTF-8. */
  public static byte[] of(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(Utf8.encode(text));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256.", e);
    }
  }
}
