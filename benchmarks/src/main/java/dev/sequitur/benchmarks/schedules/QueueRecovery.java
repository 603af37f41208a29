package dev.sequitur.benchmarks.schedules;

import static dev.sequitur.benchmarks.Benchmarks.print;
import static dev.sequitur.benchmarks.schedules.Notifying.QUEUE;

import dev.sequitur.benchmarks.Resources;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.SchedulerSettings;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * How long a queue that is full takes to come back: from the start of its actor system until it
 * answers.
 */
@Command(
    name = "recovery",
    description = "Fills a queue, stops it and measures how long it takes to come back.")
public final class QueueRecovery implements Callable<Integer> {
  private static final long PATIENCE_MINUTES = 10;

  @Option(names = "--pending", defaultValue = "1000000", description = "Schedules that wait.")
  private int pending;

  @Option(names = "--body", defaultValue = "256", description = "Bytes of each.")
  private int body;

  @Option(names = "--postgres", description = "In PostgreSQL; else with the embedded journal.")
  private boolean postgres;

  @Override
  public Integer call() throws IOException {
    try (var place = QueuePlace.create(postgres)) {
      var queues = Notifying.queues(GasPrioritySettings.DEFAULT);
      measure(() -> place.start(queues, SchedulerSettings.DEFAULT));
    }
    return 0;
  }

  private void measure(Supplier<SchedulerSystem> start) {
    long storing = System.nanoTime();
    try (var system = start.get()) {
      Notifying.fill(system.node(), QUEUE, pending, body);
      tell("stored", storing);
    }
    long recovering = System.nanoTime();
    try (var system = start.get()) {
      int found = waiting(system.node());
      tell("recovered", recovering);
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

  private void tell(String what, long since) {
    print(
        "%,d with bodies of %d bytes %s in %.1f s, heap at most %,d MiB, load average %.1f",
        pending,
        body,
        what,
        (System.nanoTime() - since) / 1e9,
        Runtime.getRuntime().maxMemory() >> 20,
        Resources.loadAverage());
  }
}
