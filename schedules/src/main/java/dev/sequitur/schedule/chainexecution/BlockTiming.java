package dev.sequitur.schedule.chainexecution;

/**
 * When to send an execution so that the block that takes it is in its window, and as near to the
 * requested time as it can be (PRV-4). Times are seconds since 1970, as blocks tell them.
 *
 * @param newest the time of the newest block
 * @param elapsed seconds since that block was first seen
 * @param interval seconds between two blocks, as they came lately; at least 1
 */
public record BlockTiming(long newest, long elapsed, long interval) {
  public BlockTiming {
    if (elapsed < 0 || interval < 1) {
      throw new IllegalArgumentException("No timing: " + elapsed + " s, every " + interval + " s");
    }
  }

  /** What is right for an execution now. */
  public enum Verdict {
    /** Its time comes in a later block. */
    WAIT,
    SEND,
    /** No block that is still to come is in its window. */
    OVER
  }

  /** The time of a block that is made at once. */
  long soonest() {
    return newest + Math.max(1, elapsed);
  }

  /** The time that the next block has if it comes when it is due. */
  long expected() {
    return newest + Math.max(interval, elapsed);
  }

  /**
   * Sent as soon as the next block is expected to be no earlier than requested, but never while a
   * block that came at once would be before the window.
   */
  Verdict of(ChainPlan plan, long requested) {
    if (plan.isOver(requested, soonest())) {
      return Verdict.OVER;
    }
    return plan.isTooSoon(requested, soonest()) || expected() < requested
        ? Verdict.WAIT
        : Verdict.SEND;
  }

  /** Requests up to this time may be due. */
  long horizon() {
    return expected();
  }
}
