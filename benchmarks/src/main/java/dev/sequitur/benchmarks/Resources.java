package dev.sequitur.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * What this process has used so far.
 *
 * @param nanos of the wall clock
 * @param cpuNanos of all threads
 * @param collections of garbage
 */
public record Resources(long nanos, long cpuNanos, long collections, long collectionMillis) {

  public static Resources now() {
    var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    long collections = 0;
    long millis = 0;
    for (var collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      collections += collector.getCollectionCount();
      millis += collector.getCollectionTime();
    }
    return new Resources(System.nanoTime(), system.getProcessCpuTime(), collections, millis);
  }

  public Resources since(Resources earlier) {
    return new Resources(
        nanos - earlier.nanos,
        cpuNanos - earlier.cpuNanos,
        collections - earlier.collections,
        collectionMillis - earlier.collectionMillis);
  }

  public double seconds() {
    return nanos / 1e9;
  }

  public double cpuSeconds() {
    return cpuNanos / 1e9;
  }

  /** Bytes in use once garbage is gone. */
  public static long usedHeap() {
    var memory = ManagementFactory.getMemoryMXBean();
    for (int i = 0; i < 3; i++) {
      memory.gc();
    }
    return memory.getHeapMemoryUsage().getUsed();
  }

  /** What this runs on. */
  public static String machine() {
    return "%s %s, JDK %s, %d processors"
        .formatted(
            System.getProperty("os.name"),
            System.getProperty("os.arch"),
            Runtime.version(),
            Runtime.getRuntime().availableProcessors());
  }

  public static double loadAverage() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }
}
