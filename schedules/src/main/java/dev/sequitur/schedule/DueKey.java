package dev.sequitur.schedule;

import dev.sequitur.protocol.id.Hash;
import java.util.Optional;

/**
 * Where a schedule stands in its family's due order. As bytes it would be its three parts one after
 * the other, compared from the left, unsigned; kept as numbers, since a queue may hold a million.
 *
 * @param time the time or tick it becomes due at, in the family's own unit
 * @param order among those of the same time
 * @param id among those of the same order; zero where the order alone tells them apart
 */
public record DueKey(long time, long order, Hash id) implements Comparable<DueKey> {
  private static final Hash NO_ID = new Hash(0, 0, 0, 0);

  /** After all times. Each cause has its own place from here on, before the end of the order. */
  private static final long PARKED = Long.MAX_VALUE - 1_000;

  /** Before every other key that becomes due at {@code time} or later. */
  public static DueKey from(long time) {
    return new DueKey(time, 0, NO_ID);
  }

  public static DueKey of(long time, long order) {
    return new DueKey(time, order, NO_ID);
  }

  public static DueKey of(long time, long order, Hash id) {
    return new DueKey(time, order, id);
  }

  /** Never due by itself, and among the last to be shut down. */
  public static DueKey parked(long order, ParkedFor cause) {
    return of(PARKED + cause.ordinal(), order);
  }

  /** Before all that are parked for this cause, and after all others that come before them. */
  public static DueKey fromParked(ParkedFor cause) {
    return from(PARKED + cause.ordinal());
  }

  public boolean isParked() {
    return parkedFor().isPresent();
  }

  /** Why it is parked; empty if it is not. */
  public Optional<ParkedFor> parkedFor() {
    long cause = time - PARKED;
    return time >= PARKED && cause < ParkedFor.values().length
        ? Optional.of(ParkedFor.values()[(int) cause])
        : Optional.empty();
  }

  /** With {@code same} in the place of an equal id, so that the two are one object. */
  public DueKey sharing(Hash same) {
    return id.equals(same) ? new DueKey(time, order, same) : this;
  }

  @Override
  public int compareTo(DueKey other) {
    int compared = Long.compareUnsigned(time, other.time);
    if (compared == 0) {
      compared = Long.compareUnsigned(order, other.order);
    }
    return compared == 0 ? id.compareTo(other.id) : compared;
  }

  @Override
  public String toString() {
    return Long.toUnsignedString(time) + "/" + Long.toUnsignedString(order) + "/" + id;
  }
}
