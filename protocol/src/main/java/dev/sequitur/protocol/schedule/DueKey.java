package dev.sequitur.protocol.schedule;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import java.nio.ByteBuffer;

/**
 * Where a schedule stands in its family's due order: bytes, compared from the left, unsigned. Its
 * first eight are the time or tick it becomes due at.
 */
public record DueKey(Bytes value) implements Comparable<DueKey> {
  private static final long PARKED = Long.MAX_VALUE - 1;

  /** Before every key that becomes due at {@code time} or later. */
  public static DueKey from(long time) {
    return new DueKey(Bytes.of(ByteBuffer.allocate(Long.BYTES).putLong(time).array()));
  }

  public static DueKey of(long time, long order) {
    return new DueKey(
        Bytes.of(ByteBuffer.allocate(2 * Long.BYTES).putLong(time).putLong(order).array()));
  }

  public static DueKey of(long time, long order, Hash id) {
    var buffer = ByteBuffer.allocate(2 * Long.BYTES + 32);
    buffer.putLong(time).putLong(order).put(id.toByteArray());
    return new DueKey(Bytes.of(buffer.array()));
  }

  /** Never due by itself, and among the last to be shut down. */
  public static DueKey parked(long order) {
    return of(PARKED, order);
  }

  public boolean isParked() {
    return time() == PARKED;
  }

  /** The time or tick it becomes due at, in the family's own unit. */
  public long time() {
    return ByteBuffer.wrap(value.toByteArray()).getLong();
  }

  @Override
  public int compareTo(DueKey other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value.toHex();
  }
}
