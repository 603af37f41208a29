package dev.sequitur.schedule;

/**
 * A leaky bucket in whole numbers, so that two replays agree: what it holds runs out at so many
 * operations a second (SCH-7).
 *
 * @param opsPerSecond how fast it runs out; how many fit is the same number, so that no second can
 *     take more than twice as many
 * @param usedUnits what it holds, in billionths of an operation
 * @param at when that was so
 */
public record Throttle(long opsPerSecond, long usedUnits, ConsensusTime at) {
  private static final long UNITS_PER_OP = 1_000_000_000;
  private static final long MOST_OPS = 1_000_000_000;

  public Throttle {
    if (opsPerSecond < 1 || opsPerSecond > MOST_OPS || usedUnits < 0) {
      throw new IllegalArgumentException(
          "A throttle passes 1 to 1,000,000,000 operations a second, not " + opsPerSecond + ".");
    }
  }

  public static Throttle empty(long opsPerSecond) {
    return new Throttle(opsPerSecond, 0, ConsensusTime.ZERO);
  }

  /** The same under another limit; of what would not fit it, no more than it takes is left. */
  public Throttle limitedTo(long operations) {
    long used = Math.min(usedUnits, operations * UNITS_PER_OP);
    return operations == opsPerSecond && used == usedUnits
        ? this
        : new Throttle(operations, used, at);
  }

  /** Whether one more operation fits. */
  public boolean allows(ConsensusTime now) {
    return leftAt(now) + UNITS_PER_OP <= opsPerSecond * UNITS_PER_OP;
  }

  /** With one more operation in it. */
  public Throttle use(ConsensusTime now) {
    return new Throttle(opsPerSecond, leftAt(now) + UNITS_PER_OP, now);
  }

  private long leftAt(ConsensusTime now) {
    long elapsed = Math.max(0, now.nanos() - at.nanos());
    // A unit is one operation per second for one nanosecond, so this is exact.
    return elapsed > usedUnits / opsPerSecond ? 0 : usedUnits - elapsed * opsPerSecond;
  }
}
