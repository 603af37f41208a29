package dev.sequitur.benchmarks.schedules;

import dev.sequitur.protocol.schedule.AccountId;
import dev.sequitur.protocol.schedule.Amount;
import dev.sequitur.protocol.schedule.gaspriority.GasPriority;
import dev.sequitur.protocol.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.protocol.schedule.queue.QueueInput.Command;
import dev.sequitur.protocol.schedule.queue.QueueInput.Operation;
import dev.sequitur.protocol.schedule.queue.QueueSetup;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.SchedulerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/**
 * So many gas-priority schedules become due with each tick, and as many are scheduled meanwhile:
 * what a queue keeps up with. With the embedded journal.
 */
@CommandLine.Command(
    name = "blocks",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
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

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new SustainedBlocks()).execute(arguments));
  }

  @Override
  public Integer call() throws IOException {
    var directory = Files.createTempDirectory("sequitur-blocks-");
    var gas = new GasPrioritySettings(blockMillis, perBlock, 1_000_000, 200, 1, 10_240);
    var queues = QueueSetup.of(SequiturQueue.OPERATOR, new GasPriority(gas));
    try (var system = SchedulerSystem.embedded(directory, queues, settings())) {
      system
          .node()
          .subscribe(
              SequiturQueue.QUEUE,
              (queue, notices) -> notices.forEach(told -> SequiturQueue.onNotice(told.notice())));
      fund(system.node());
      sustain(system.node(), warmUp);
      sustain(system.node(), seconds);
    }
    return 0;
  }

  /** A block when one is due, and one at each tick while any has left something. */
  private SchedulerSettings settings() {
    return SchedulerSettings.DEFAULT.withBlockInterval(Duration.ofMillis(blockMillis));
  }

  private void fund(SchedulerNode node) {
    var commands = new ArrayList<Command>();
    for (int owner = 0; owner < owners; owner++) {
      var fund = new Operation.Fund(owner(owner), new Amount(Long.MAX_VALUE / 4 / owners));
      commands.add(new Command("fund" + owner, SequiturQueue.OPERATOR, fund));
    }
    SequiturQueue.submit(node, commands);
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
    var used = ProcessorTime.own();
    long start = System.nanoTime();
    for (int block = 0; block < blocks; block++) {
      long due = first + (long) block * blockMillis;
      LockSupport.parkUntil(due - (long) ahead * MILLIS_PER_SECOND);
      schedule(node, due, block * perBlock);
    }
    long last = first + (long) blocks * blockMillis;
    while (runs.count() < blocks * perBlock && System.currentTimeMillis() < last + 60_000) {
      LockSupport.parkNanos(5_000_000);
    }
    double took = (System.nanoTime() - start) / 1e9;
    print(runs.lateness(index -> first + index / perBlock * (long) blockMillis), took, used);
  }

  private void schedule(SchedulerNode node, long due, int from) {
    var commands = new ArrayList<Command>(perBlock);
    for (int number = from; number < from + perBlock; number++) {
      commands.add(SequiturQueue.propose(owner(number), due, number));
    }
    SequiturQueue.submit(node, commands);
  }

  private void print(double[] late, double took, ProcessorTime used) {
    double cpu = ProcessorTime.own().since(used);
    int blocks = (int) (late.length / (double) perBlock);
    System.out.printf(
        Locale.ROOT,
        "%s: %,d of %d a block of %d ms ran (%,d blocks); outcome stored and told %.1f / %.1f /"
            + " %.1f ms after the tick (p50, p99, most); %.1f us of processor time each, %.2f"
            + " busy%n",
        Instant.now(),
        late.length,
        perBlock,
        blockMillis,
        blocks,
        Runs.percentile(late, 50),
        Runs.percentile(late, 99),
        Runs.percentile(late, 100),
        cpu / late.length * 1e6,
        cpu / took);
  }
}
