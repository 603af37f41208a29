package dev.sequitur.protocol.machine;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * How much work a step was, whatever else the machine does meanwhile: what this thread has
 * allocated for it. Nothing here decides without allocating.
 */
public final class Work {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Work() {}

  /**
   * Of something that goes past much and allocates nothing: in nanoseconds that this thread was at
   * work, the least of so many times.
   */
  public static long nanosOf(int times, Runnable step) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < times; i++) {
      long before = THREADS.getCurrentThreadCpuTime();
      step.run();
      least = Math.min(least, THREADS.getCurrentThreadCpuTime() - before);
    }
    return least;
  }

  /** In bytes. */
  public static long of(Runnable step) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    step.run();
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }
}
