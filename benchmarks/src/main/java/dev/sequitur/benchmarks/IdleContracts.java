package dev.sequitur.benchmarks;

import static dev.sequitur.benchmarks.Benchmarks.print;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** What contracts cost that exist and do nothing. */
final class IdleContracts {
  private static final double MEBIBYTE = 1 << 20;

  /** Until what their making has woken is out of memory again. */
  private static final Duration SETTLE = Duration.ofSeconds(45);

  private static final Duration WATCH = Duration.ofSeconds(20);

  private IdleContracts() {}

  static void measure(BenchmarkNetwork network, int contracts) {
    pause(Duration.ofSeconds(5));
    long before = Resources.usedHeap();
    long start = System.nanoTime();
    network.createGroups("token", contracts);
    print("%n%,d contracts made in %.0f s", contracts, (System.nanoTime() - start) / 1e9);
    pause(SETTLE);
    long heap = Resources.usedHeap() - before;
    var used = Resources.now();
    var messages = network.counts();
    pause(WATCH);
    var during = Resources.now().since(used);
    double sent = network.counts().since(messages).messagesToPeers();
    print(
        "  heap after collection    %.1f MiB more on %d nodes, %.2f kB a contract and node",
        heap / MEBIBYTE,
        network.nodes().size(),
        heap / 1000.0 / contracts / network.nodes().size());
    print("  messages while idle      %.1f/s", sent / during.seconds());
    print("  processors busy          %.3f", during.cpuSeconds() / during.seconds());
  }

  private static void pause(Duration time) {
    long until = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < until) {
      LockSupport.parkNanos(until - System.nanoTime());
    }
  }
}
