package dev.sequitur.persistence.journal;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * What a persistent actor's stream has behind it; it outlives the events themselves.
 *
 * <p>Layout: version 1, one byte; the three numbers, eight bytes each, big-endian.
 *
 * @param highest the highest sequence number ever used, 0 before the first
 * @param deletedTo events up to this one are deleted, 0 if none is; at most {@code highest}
 * @param removedTo events up to this one are also gone from the disk; at most {@code deletedTo}
 */
record StreamBounds(long highest, long deletedTo, long removedTo) {
  static final StreamBounds EMPTY = new StreamBounds(0, 0, 0);
  private static final byte VERSION = 1;

  StreamBounds {
    if (removedTo < 0 || deletedTo < removedTo || highest < deletedTo) {
      throw new IllegalArgumentException(
          "Not 0 <= removed %d <= deleted %d <= highest %d"
              .formatted(removedTo, deletedTo, highest));
    }
  }

  StreamBounds withHighest(long newHighest) {
    return new StreamBounds(newHighest, deletedTo, removedTo);
  }

  /** Deletes no more than there is, and never brings back what was deleted. */
  StreamBounds withDeletedTo(long sequenceNr) {
    return new StreamBounds(highest, Math.max(deletedTo, Math.min(sequenceNr, highest)), removedTo);
  }

  StreamBounds withRemovedTo(long sequenceNr) {
    return new StreamBounds(highest, deletedTo, Math.max(removedTo, sequenceNr));
  }

  byte[] encode() {
    return ByteBuffer.allocate(1 + 3 * Long.BYTES)
        .put(VERSION)
        .putLong(highest)
        .putLong(deletedTo)
        .putLong(removedTo)
        .array();
  }

  static StreamBounds decode(Optional<byte[]> stored) {
    return stored.map(StreamBounds::decode).orElse(EMPTY);
  }

  private static StreamBounds decode(byte[] bytes) {
    ByteBuffer from = ByteBuffer.wrap(bytes);
    byte version = from.get();
    if (version != VERSION) {
      throw new IllegalStateException(
          "A stream record has version %d, and this version of Sequitur reads version %d"
              .formatted(version, VERSION));
    }
    return new StreamBounds(from.getLong(), from.getLong(), from.getLong());
  }
}
