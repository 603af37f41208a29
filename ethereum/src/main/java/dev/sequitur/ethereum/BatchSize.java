package dev.sequitur.ethereum;

/**
 * How many calls go into one request: half as many where a node took no more, down to one, and
 * slowly more again, since what was refused once is refused again. Thread-safe.
 */
final class BatchSize {
  /** Requests in a row that were taken, before more is tried. */
  private static final int TAKEN = 64;

  private final int most;
  // By this.
  private int now;
  private int taken;

  BatchSize(int most) {
    this.most = most;
    this.now = most;
  }

  synchronized int now() {
    return now;
  }

  synchronized void taken() {
    taken++;
    if (taken == TAKEN) {
      taken = 0;
      now = Math.min(most, 2 * now);
    }
  }

  /**
   * @param calls so many were too many
   */
  synchronized void refused(int calls) {
    taken = 0;
    now = Math.min(now, Math.max(1, calls / 2));
  }
}
