package dev.sequitur.schedule.queue;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.Schedule;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * Where a schedule stands in the order in which a queue's schedules are due, those of all families
 * and partitions together. It stays a place in that order when its schedule has run or is gone.
 *
 * @param nanos when it is due, since 1970; {@code Long.MAX_VALUE} if no time makes it so
 * @param key within its family
 */
public record DuePlace(long nanos, DueKey key, ScheduleId id) implements Comparable<DuePlace> {
  private static final int PARTS = 6;
  private static final Comparator<DuePlace> ORDER =
      Comparator.comparingLong(DuePlace::nanos)
          .thenComparing(DuePlace::family)
          .thenComparing(DuePlace::key)
          .thenComparing(DuePlace::id);

  /**
   * @param setup by whose rules it is due
   */
  public static DuePlace of(Schedule schedule, QueueSetup setup) {
    return of(schedule.id(), schedule.due(), setup);
  }

  /** The same of its two parts. */
  public static DuePlace of(ScheduleId id, DueKey key, QueueSetup setup) {
    long nanos = key.isParked() ? Long.MAX_VALUE : setup.family(id.family()).dueNanos(key);
    return new DuePlace(nanos, key, id);
  }

  /**
   * As {@link #toString} writes it.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static DuePlace parse(String text) {
    var parts = text.split("/", -1);
    if (parts.length != PARTS) {
      throw new IllegalArgumentException("It is no place in the order of due times.");
    }
    var family =
        Stream.of(FamilyKind.values())
            .filter(kind -> kind.word().equals(parts[1]))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("There is no such family."));
    var key =
        DueKey.of(
            Long.parseUnsignedLong(parts[2]), Long.parseUnsignedLong(parts[3]), Hash.hex(parts[4]));
    var id = new ScheduleId(family, Hash.hex(parts[5]));
    return new DuePlace(Long.parseLong(parts[0]), key, id);
  }

  public FamilyKind family() {
    return id.family();
  }

  @Override
  public int compareTo(DuePlace other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return nanos + "/" + family().word() + "/" + key + "/" + id.value();
  }
}
