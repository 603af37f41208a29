package dev.sequitur.persistence.store;

import dev.sequitur.persistence.serialization.ProtocolFormat;
import java.util.Arrays;

/**
 * The values on disk: one byte for the version of their form, then what {@link ProtocolFormat}
 * makes of them. What only adds an optional field at the end needs no new version.
 */
record StoredValues(ProtocolFormat format) {
  private static final byte VERSION = 2;

  byte[] encode(Object value) {
    var content = format.encode(value);
    var bytes = new byte[content.length + 1];
    bytes[0] = VERSION;
    System.arraycopy(content, 0, bytes, 1, content.length);
    return bytes;
  }

  /**
   * @throws IllegalStateException if a newer version wrote it
   */
  <T> T decode(byte[] bytes, Class<T> type) {
    if (bytes.length == 0 || bytes[0] != VERSION) {
      throw new IllegalStateException(
          "A stored %s has a form this Sequitur does not know: run the version that wrote it."
              .formatted(type.getSimpleName()));
    }
    return format.decode(Arrays.copyOfRange(bytes, 1, bytes.length), type);
  }
}
