package dev.sequitur.persistence.postgres;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Utf8;

/** What a text of any length and any content is looked up by: in an index, or among locks. */
public final class TextHash {
  private TextHash() {}

  /** SHA-256 of its UTF-8. */
  public static byte[] of(String text) {
    return Hash.sha256(Utf8.encode(text)).toByteArray();
  }
}
