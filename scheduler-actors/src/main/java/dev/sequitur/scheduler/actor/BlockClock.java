package dev.sequitur.scheduler.actor;

import dev.sequitur.protocol.schedule.ConsensusTime;
import dev.sequitur.protocol.schedule.queue.BlockPace;
import dev.sequitur.protocol.schedule.queue.QueueState;
import java.time.Duration;
import java.util.function.Consumer;

/** Knows when the next block is to be cut. Confined to its actor. */
final class BlockClock {
  private static final long NANOS_PER_MILLI = 1_000_000;

  /**
   * After which it looks at the wall clock again: that may have been set, timers have a longest
   * delay, and a block that finds nothing to do stores nothing.
   */
  private static final long LONGEST_WAIT = Duration.ofMinutes(1).toNanos();

  private final QueueServices services;
  private final Consumer<Duration> wakeIn;
  private ConsensusTime lastBlock = ConsensusTime.ZERO;
  private BlockPace pace;
  private boolean workLeft;
  private boolean isDue = true;

  /**
   * @param wakeIn has {@link #due} called after so long, and not before; replaces what was asked
   *     before
   */
  BlockClock(QueueServices services, Consumer<Duration> wakeIn) {
    this.services = services;
    this.wakeIn = wakeIn;
    this.pace = new BlockPace(0, services.settings().blockInterval().toNanos());
  }

  void due() {
    isDue = true;
  }

  boolean isDue() {
    return isDue;
  }

  /** Whether a block is to be cut now; then it counts as cut. */
  boolean take() {
    boolean take = isDue;
    if (take) {
      isDue = false;
      lastBlock = now();
      pace = pace.cut(lastBlock.nanos(), workLeft);
    }
    return take;
  }

  /** Whether the last block has left something for the next. */
  boolean workLeft() {
    return workLeft;
  }

  /** After each decision: it may have moved the next block. */
  void plan(QueueState state) {
    var block = services.rules().nextBlock(state, lastBlock);
    workLeft = block.workLeft();
    long at = workLeft ? Math.min(pace.next(), block.at()) : block.at();
    if (at == Long.MAX_VALUE) {
      return;
    }
    // The queue's own clock may be ahead of the wall's; what is due by it is due.
    long wait = at - Math.max(now().nanos(), state.clock().last().nanos());
    if (wait <= 0) {
      isDue = true;
    } else {
      long next = Math.min(wait, LONGEST_WAIT);
      wakeIn.accept(Duration.ofMillis((next + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI));
    }
  }

  private ConsensusTime now() {
    return ConsensusTime.of(services.clock().instant());
  }
}
