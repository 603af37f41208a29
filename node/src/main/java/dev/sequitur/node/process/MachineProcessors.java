package dev.sequitur.node.process;

import com.sun.management.OperatingSystemMXBean;
import dev.sequitur.persistence.backup.SparingPace.Processors;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** This machine's, or the container's that the process is in. */
final class MachineProcessors implements Processors {
  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

  @Override
  public int count() {
    return system.getAvailableProcessors();
  }

  @Override
  public long processNanos() {
    return system.getProcessCpuTime();
  }

  @Override
  public long usedNanos() {
    return threads.getCurrentThreadCpuTime();
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }
}
