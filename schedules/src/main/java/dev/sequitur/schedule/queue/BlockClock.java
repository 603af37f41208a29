package dev.sequitur.schedule.queue;

import dev.sequitur.schedule.ConsensusTime;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Knows when the next block is to be cut. Confined to one thread.
 *
 * <p>It goes by two clocks. What is due is so by the queue's own, which never goes back and is
 * ahead of the wall's after that was set back. But only the wall's goes on: the pace of blocks, and
 * how long to wait for what is not due, are counted by that.
 */
public final class BlockClock {
  /**
   * At which times the blocks of a queue are cut that go on with what earlier ones left: one in
   * each interval, so that a limit per block is a limit per time. One that begins late does not
   * move those after it, and the intervals that a queue could not serve, up to {@value
   * #MOST_MISSED} of them, are made up for: else a queue that gets as much as it can serve would
   * stay late for ever.
   *
   * @param slot the time for which the last block counts, in nanoseconds since 1970; zero if none
   *     was cut
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

  private static final long NANOS_PER_MILLI = 1_000_000;

  /**
   * After which it looks at the time again: the clocks may have been set, and what is due since
   * then must not wait. No block is cut for it if there is nothing to do.
   */
  private static final long LONGEST_WAIT = Duration.ofSeconds(1).toNanos();

  private final ScheduleQueue rules;
  private final Supplier<ConsensusTime> now;
  private final Consumer<Duration> wakeIn;
  private ConsensusTime lastBlock = ConsensusTime.ZERO;

  /** The queue's own time, as of the last decision. */
  private ConsensusTime own = ConsensusTime.ZERO;

  /** As of the last decision; null before the first, when a block is due anyway. */
  private QueueState planned;

  private BlockPace pace;
  private boolean workLeft;
  private boolean isDue = true;

  /**
   * @param interval between two blocks while one has left something to do
   * @param now the time that the rules make of the node's clock
   * @param wakeIn has {@link #due} called after so long, and not before; replaces what was asked
   *     before
   */
  public BlockClock(
      ScheduleQueue rules,
      Duration interval,
      Supplier<ConsensusTime> now,
      Consumer<Duration> wakeIn) {
    this.rules = rules;
    this.now = now;
    this.wakeIn = wakeIn;
    this.pace = new BlockPace(0, interval.toNanos());
  }

  /** The time that was asked for is there: a block is due, unless the clocks were set meanwhile. */
  public void due() {
    if (planned != null) {
      plan(planned);
    }
  }

  /** Whether a block is to be cut now. */
  public boolean isDue() {
    return isDue;
  }

  /** Whether a block is to be cut now; then it counts as cut. */
  public boolean take() {
    boolean take = isDue;
    if (take) {
      isDue = false;
      var wall = now.get();
      lastBlock = later(wall, own);
      pace = pace.cut(wall.nanos(), workLeft);
    }
    return take;
  }

  /** Whether the last block has left something for the next. */
  public boolean workLeft() {
    return workLeft;
  }

  /** After each decision: it may have moved the next block. */
  public void plan(QueueState state) {
    planned = state;
    var wall = now.get();
    own = state.clock().last();
    setBack(wall);
    var block = rules.nextBlock(state, lastBlock);
    workLeft = block.workLeft();
    long wait = untilDue(block.at(), wall);
    if (workLeft) {
      wait = Math.min(wait, pace.next() - wall.nanos());
    }
    if (wait <= 0) {
      isDue = true;
    } else if (wait < Long.MAX_VALUE) {
      long next = Math.min(wait, LONGEST_WAIT);
      wakeIn.accept(Duration.ofMillis((next + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI));
    }
  }

  /** {@code Long.MAX_VALUE} if nothing is known to become due. */
  private long untilDue(long at, ConsensusTime wall) {
    if (at == Long.MAX_VALUE) {
      return at;
    }
    return at <= own.nanos() ? 0 : at - wall.nanos();
  }

  /**
   * No block counts as cut at a time that is yet to come: what becomes due until then would wait,
   * and what is left would wait for its pace.
   */
  private void setBack(ConsensusTime wall) {
    if (later(wall, own).isBefore(lastBlock)) {
      lastBlock = later(wall, own);
    }
    if (wall.nanos() < pace.slot()) {
      pace = pace.cut(wall.nanos(), false);
    }
  }

  private static ConsensusTime later(ConsensusTime one, ConsensusTime other) {
    return one.isBefore(other) ? other : one;
  }
}
