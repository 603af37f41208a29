package dev.sequitur.schedule;

import dev.sequitur.protocol.id.Hash;
import java.math.BigInteger;
import java.util.Optional;

/**
 * The ids of schedules in ranges: 4,096 of each family whose ids are digests, and one for each
 * 1,024 numbers. A range has an end whether or not anything stands in it, so its end says of no
 * schedule whether there is one. In a queue that is too long for one look almost every range has
 * some.
 */
public final class IdRanges {
  /** Of a digest, those that tell its range. */
  private static final long LEADING = 0xfffL << (Long.SIZE - 12);

  /** Of a number, those that tell its place within its range. */
  private static final long TRAILING = 0x3ff;

  private IdRanges() {}

  /** The last id of the range in which one stands. */
  public static ScheduleId end(ScheduleId id) {
    var value = id.value();
    return new ScheduleId(
        id.family(),
        id.family().isNumbered()
            ? new Hash(0, 0, 0, value.word3() | TRAILING)
            : new Hash(value.word0() | ~LEADING, -1, -1, -1));
  }

  /** Behind which the first range begins of which something stands behind an id. */
  public static ScheduleId before(ScheduleId id) {
    if (id.equals(end(id))) {
      return id;
    }
    var value = id.value();
    if (id.family().isNumbered()) {
      long first = value.word3() & ~TRAILING;
      return new ScheduleId(id.family(), new Hash(0, 0, 0, Math.max(0, first - 1)));
    }
    long first = value.word0() & LEADING;
    return new ScheduleId(
        id.family(), first == 0 ? new Hash(0, 0, 0, 0) : new Hash(first - 1, -1, -1, -1));
  }

  /**
   * An end within a range that has too many for one look: of all places between two, the one that
   * the fewest other ids lie so near to.
   *
   * @param after behind which it is looked; empty from the first of the family on
   * @param looked the last that was looked at, behind {@code after}
   * @return behind {@code after}, and not behind {@code looked}
   */
  public static ScheduleId within(Optional<ScheduleId> after, ScheduleId looked) {
    var from =
        after
            .filter(it -> it.family() == looked.family())
            .map(it -> number(it).add(BigInteger.ONE))
            .orElse(BigInteger.ZERO);
    var to = number(looked).add(BigInteger.ONE);
    int shared = from.xor(to).bitLength() - 1;
    var last = to.shiftRight(shared).shiftLeft(shared).subtract(BigInteger.ONE);
    return new ScheduleId(looked.family(), Hash.hex("%064x".formatted(last)));
  }

  private static BigInteger number(ScheduleId id) {
    return new BigInteger(1, id.value().toByteArray());
  }
}
