package dev.sequitur.benchmarks.schedules;

import static dev.sequitur.benchmarks.Benchmarks.print;
import static dev.sequitur.benchmarks.schedules.Notifying.QUEUE;

import dev.sequitur.benchmarks.Resources;
import dev.sequitur.laboratory.load.Latencies;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.SchedulerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * So many gas-priority schedules become due with each tick, and as many are scheduled meanwhile:
 * what a queue keeps up with. With the embedded journal.
 */
@Command(
    name = "blocks",
    description = "Measures how late a queue is that runs full blocks and is filled meanwhile.")
public final class SustainedBlocks implements Callable<Integer> {
  private static final int MILLIS_PER_SECOND = 1_000;

  @Option(names = "--block-millis", defaultValue = "100", description = "From tick to tick.")
  private int blockMillis;

  @Option(names = "--per-block", defaultValue = "1000", description = "Due with each tick.")
  private int perBlock;

  @Option(names = "--seconds", defaultValue = "30", description = "That are measured.")
  private int seconds;

  @Option(names = "--warm-up", defaultValue = "15", description = "Seconds before.")
  private int warmUp;

  @Option(names = "--ahead", defaultValue = "3", description = "Seconds from scheduling to due.")
  private int ahead;

  @Option(names = "--owners", defaultValue = "1000", description = "Accounts that schedule.")
  private int owners;

  @Override
  public Integer call() throws IOException {
    var directory = Files.createTempDirectory("sequitur-blocks-");
    var gas = new GasPrioritySettings(blockMillis, perBlock, 1_000_000, 200, 1, 10_240);
    var queues = Notifying.queues(gas);
    // A block when one is due, and one at each tick while any has left something.
    var settings = SchedulerSettings.DEFAULT.withBlockInterval(Duration.ofMillis(blockMillis));
    try (var system = SchedulerSystem.embedded(directory, queues, settings)) {
      Notifying.count(system.node());
      Notifying.fund(
          system.node(), QUEUE, IntStream.range(0, owners).mapToObj(this::owner).toList());
      sustain(system.node(), warmUp);
      sustain(system.node(), seconds);
    }
    return 0;
  }

  private AccountId owner(int number) {
    return new AccountId("owner" + number % owners);
  }

  /** Each tick's schedules are stored so many seconds before, one tick after the other. */
  private void sustain(SchedulerNode node, int forSeconds) {
    int blocks = forSeconds * MILLIS_PER_SECOND / blockMillis;
    var runs = Runs.begin(blocks * perBlock);
    long now = System.currentTimeMillis();
    long first = (now / blockMillis + 1) * blockMillis + (long) ahead * MILLIS_PER_SECOND;
    var before = Resources.now();
    for (int block = 0; block < blocks; block++) {
      long due = first + (long) block * blockMillis;
      LockSupport.parkUntil(due - (long) ahead * MILLIS_PER_SECOND);
      int from = block * perBlock;
      Notifying.store(
          node,
          QUEUE,
          perBlock,
          number -> Notifying.propose(owner(from + number), due, from + number, Integer.BYTES));
    }
    long last = first + (long) blocks * blockMillis;
    while (runs.count() < blocks * perBlock && System.currentTimeMillis() < last + 60_000) {
      LockSupport.parkNanos(5_000_000);
    }
    var late = runs.lateness(index -> first + index / perBlock * (long) blockMillis);
    report(late, Resources.now().since(before));
  }

  private void report(Latencies late, Resources used) {
    print(
        "%s: %,d of %d a block of %d ms ran (%,d blocks); outcome stored and told %.1f / %.1f /"
            + " %.1f ms after the tick (p50, p99, most); %.1f us of processor time each, %.2f busy",
        Instant.now(),
        late.count(),
        perBlock,
        blockMillis,
        late.count() / perBlock,
        late.millis(50),
        late.millis(99),
        late.millis(100),
        used.cpuSeconds() / late.count() * 1e6,
        used.cpuSeconds() / used.seconds());
  }
}
