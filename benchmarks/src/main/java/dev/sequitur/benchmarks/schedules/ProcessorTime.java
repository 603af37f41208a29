package dev.sequitur.benchmarks.schedules;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * What a system has used of the processors: this JVM with everything in it, and the processes of
 * the database. Unlike the time of the clock it hardly depends on what else the machine does.
 */
record ProcessorTime(double seconds) {
  /** Of this JVM alone. */
  static ProcessorTime own() {
    var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return new ProcessorTime(system.getProcessCpuTime() / 1e9);
  }

  /**
   * @param server the database's first process; its others, of which each connection has one, are
   *     counted as long as they live
   */
  static ProcessorTime now(long server) {
    var processes =
        ProcessHandle.of(server)
            .map(first -> Stream.concat(Stream.of(first), first.descendants()))
            .orElseGet(Stream::empty);
    var used =
        processes
            .flatMap(process -> process.info().totalCpuDuration().stream())
            .reduce(Duration.ZERO, Duration::plus);
    return new ProcessorTime(own().seconds() + used.toNanos() / 1e9);
  }

  double since(ProcessorTime earlier) {
    return seconds - earlier.seconds;
  }
}
