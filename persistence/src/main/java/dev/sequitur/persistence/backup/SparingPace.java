package dev.sequitur.persistence.backup;

import java.util.concurrent.TimeUnit;

/**
 * Has a backup work with the processors that the rest of its process leaves. Where that wants them
 * all, a backup still takes {@link #LEAST} of them, so that it ends. One backup's, and for its
 * thread alone.
 */
public final class SparingPace {
  /**
   * Of all processors, in any case: a node under full load is to lose less than a tenth of its
   * rate.
   */
  static final double LEAST = 0.02;

  /** So much of the processors is for the process, what it uses of that or not. */
  static final double BUSY = 0.7;

  /** Within less than this what is used says little. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final Processors processors;
  private double share;
  private long looked;
  private long processThen;
  private long usedThen;
  private long usedBefore;

  /**
   * What a machine tells of its processors: sums that grow, so that nobody else who asks makes a
   * difference. The JDK's load of the machine is counted from whoever asked last.
   */
  public interface Processors {
    /** So many are there for this process. */
    int count();

    /** Processor time that the process has used so far; negative if nobody knows. */
    long processNanos();

    /** Processor time that the asking thread has used so far. */
    long usedNanos();

    /** A clock that only goes forward. */
    long nanoTime();
  }

  SparingPace(Processors processors) {
    this.processors = processors;
    this.share = least(processors.count());
    this.looked = processors.nanoTime();
    this.processThen = processors.processNanos();
    this.usedThen = processors.usedNanos();
    this.usedBefore = usedThen;
  }

  /** How long to wait now, for what was worked since this was asked last. */
  long pauseNanos() {
    long used = processors.usedNanos();
    long now = processors.nanoTime();
    if (now - looked >= LOOK_NANOS) {
      long process = processors.processNanos();
      double others =
          process < 0
              ? processors.count()
              : (double) (process - processThen - (used - usedThen)) / (now - looked);
      share = share(others, processors.count());
      looked = now;
      processThen = process;
      usedThen = used;
    }
    long worked = used - usedBefore;
    usedBefore = used;
    return Math.round(worked * (1 / share - 1));
  }

  /**
   * How much of one processor a backup may use.
   *
   * @param others how many processors the rest of the process uses
   * @param count of processors
   * @return at most 1
   */
  static double share(double others, int count) {
    return Math.clamp(BUSY * count - others, Math.min(1, least(count)), 1);
  }

  private static double least(int count) {
    return LEAST * count;
  }
}
