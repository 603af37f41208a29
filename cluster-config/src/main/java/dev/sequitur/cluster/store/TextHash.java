package dev.sequitur.cluster.store;

import dev.sequitur.protocol.id.Utf8;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** What a text of any length and any content is looked up by in an index. */
final class TextHash {
  private TextHash() {}

  static byte[] of(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(Utf8.encode(text));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256.", e);
    }
  }
}
