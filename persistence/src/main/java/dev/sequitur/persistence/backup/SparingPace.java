package dev.sequitur.persistence.backup;

import java.util.concurrent.TimeUnit;

/**
 * Has a backup work with the processors that nobody else wants. Where others want them all it still
 * takes {@link #LEAST} of them, so that it ends. One backup's, and for its thread alone.
 */
public final class SparingPace {
  /**
   * Of all processors, in any case: a node under full load is to lose less than a tenth of its
   * rate.
   */
  static final double LEAST = 0.02;

  /** What others use beyond so much of the processors, they want more of. */
  static final double BUSY = 0.7;

  /** Shorter than this says little of who uses a processor. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final Processors processors;
  private double share;
  private long looked;
  private long usedThen;
  private long usedBefore;

  /** What a machine tells of its processors. */
  public interface Processors {
    /** So many are there for this process. */
    int count();

    /** How much of them was used since this was asked last, 0 to 1; negative if nobody knows. */
    double load();

    /** Processor time that the asking thread has used so far. */
    long usedNanos();

    /** A clock that only goes forward. */
    long nanoTime();
  }

  SparingPace(Processors processors) {
    this.processors = processors;
    this.share = least(processors.count());
    this.looked = processors.nanoTime();
    this.usedThen = processors.usedNanos();
    this.usedBefore = usedThen;
    // From now on.
    var unused = processors.load();
  }

  /** How long to wait now, for what was worked since this was asked last. */
  long pauseNanos() {
    long used = processors.usedNanos();
    long now = processors.nanoTime();
    if (now - looked >= LOOK_NANOS) {
      double own = (double) (used - usedThen) / (now - looked);
      share = share(processors.load(), own, processors.count());
      looked = now;
      usedThen = used;
    }
    long worked = used - usedBefore;
    usedBefore = used;
    return Math.round(worked * (1 / share - 1));
  }

  /**
   * How much of one processor a backup may use.
   *
   * @param load how much of all processors was used, 0 to 1; if nobody knows, negative: then others
   *     are taken to want them all
   * @param own how much of one processor the backup itself has used in that time
   * @param count of processors
   * @return at most 1
   */
  static double share(double load, double own, int count) {
    double others = load < 0 ? count : Math.max(0, load * count - own);
    return Math.clamp(BUSY * count - others, Math.min(1, least(count)), 1);
  }

  private static double least(int count) {
    return LEAST * count;
  }
}
