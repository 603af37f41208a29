package dev.sequitur.benchmarks.schedules;

import dev.sequitur.protocol.schedule.queue.QueueSetup;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.SchedulerSettings;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * How long a queue that is full takes to come back: from the start of its actor system until it
 * answers.
 */
@Command(
    name = "recovery",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = "Fills a queue, stops it and measures how long it takes to come back.")
public final class QueueRecovery implements Callable<Integer> {
  private static final QueueName QUEUE = new QueueName("benchmark");
  private static final long PATIENCE_MINUTES = 10;

  @Option(names = "--pending", defaultValue = "1000000", description = "Schedules that wait.")
  private int pending;

  @Option(names = "--body", defaultValue = "256", description = "Bytes of each.")
  private int body;

  @Option(names = "--postgres", description = "In PostgreSQL; else with the embedded journal.")
  private boolean postgres;

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new QueueRecovery()).execute(arguments));
  }

  @Override
  public Integer call() throws IOException {
    QueueSetup queues = PendingSchedules.queues();
    if (postgres) {
      try (var database = LocalDatabase.start()) {
        measure(
            () ->
                SchedulerSystem.onPostgres(
                    database.database(),
                    LocalDatabase.freePort(),
                    queues,
                    SchedulerSettings.DEFAULT));
      }
    } else {
      Path directory = Files.createTempDirectory("sequitur-recovery-");
      measure(() -> SchedulerSystem.embedded(directory, queues, SchedulerSettings.DEFAULT));
    }
    return 0;
  }

  private void measure(Supplier<SchedulerSystem> start) {
    long storing = System.nanoTime();
    try (var system = start.get()) {
      new PendingSchedules(pending, body).store(system.node(), QUEUE);
      print("stored", storing);
    }
    long recovering = System.nanoTime();
    try (var system = start.get()) {
      int found = waiting(system.node());
      print("recovered", recovering);
      if (found != pending) {
        throw new IllegalStateException("Of " + pending + " schedules there are " + found + ".");
      }
    }
  }

  /** An answer takes as long as the recovery, and a question gives up before that. */
  private static int waiting(SchedulerNode node) {
    long start = System.nanoTime();
    while (true) {
      try {
        var overview = node.overview(QUEUE).toCompletableFuture();
        return overview.get(PATIENCE_MINUTES, TimeUnit.MINUTES).schedules();
      } catch (Exception e) {
        if (System.nanoTime() - start > TimeUnit.MINUTES.toNanos(PATIENCE_MINUTES)) {
          throw new IllegalStateException("The queue did not come back.", e);
        }
      }
    }
  }

  private void print(String what, long since) {
    System.out.printf(
        Locale.ROOT,
        "%,d with bodies of %d bytes %s in %.1f s, heap at most %,d MiB, load average %.1f%n",
        pending,
        body,
        what,
        (System.nanoTime() - since) / 1e9,
        Runtime.getRuntime().maxMemory() >> 20,
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
  }
}
