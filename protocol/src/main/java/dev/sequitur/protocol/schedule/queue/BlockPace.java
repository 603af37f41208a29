package dev.sequitur.protocol.schedule.queue;

/**
 * At which times the blocks of a queue are cut that go on with what earlier ones left: one in each
 * interval, so that a limit per block is a limit per time. One that begins late does not move those
 * after it, and the intervals that a queue could not serve, up to {@value #MOST_MISSED} of them,
 * are made up for: else a queue that gets as much as it can serve would stay late for ever.
 *
 * @param slot the time for which the last block counts, in nanoseconds since 1970; zero if none was
 *     cut
 * @param interval in nanoseconds
 */
public record BlockPace(long slot, long interval) {
  private static final int MOST_MISSED = 10;

  public BlockPace {
    if (slot < 0 || interval < 1) {
      throw new IllegalArgumentException("A slot is not negative, and an interval is positive.");
    }
  }

  /** When the next block goes on with what is left. */
  public long next() {
    return slot + interval;
  }

  /**
   * A block was cut.
   *
   * @param now when, in nanoseconds since 1970
   * @param workLeft whether one was waited for at this pace: who had nothing to do missed nothing
   */
  public BlockPace cut(long now, boolean workLeft) {
    boolean kept = workLeft && now - slot <= (MOST_MISSED + 1) * interval;
    return new BlockPace(kept ? Math.min(now, next()) : now, interval);
  }
}
