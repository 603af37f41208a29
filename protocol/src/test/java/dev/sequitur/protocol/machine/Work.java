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

  /** In bytes. */
  public static long of(Runnable step) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    step.run();
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }
}
