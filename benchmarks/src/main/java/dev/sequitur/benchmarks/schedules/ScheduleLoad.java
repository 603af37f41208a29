package dev.sequitur.benchmarks.schedules;

import static dev.sequitur.benchmarks.Benchmarks.print;
import static dev.sequitur.benchmarks.schedules.Notifying.OWNER;
import static dev.sequitur.benchmarks.schedules.Notifying.QUEUE;
import static dev.sequitur.benchmarks.schedules.Notifying.await;

import dev.sequitur.benchmarks.Resources;
import dev.sequitur.laboratory.load.Latencies;
import dev.sequitur.node.process.LogFile;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.scheduler.QueueOverview.FamilyOverview;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.SchedulerSettings;
import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntToLongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * One schedule queue under load, with ticks of 1 ms: many schedules that are due at once, or spread
 * evenly. A run is counted when its outcome is stored, not when it begins. See {@code
 * docs/performance.md}.
 */
@Command(
    name = "schedules",
    description =
        "Measures a burst of schedules that are due at once; with --burst 0, how late those run that"
            + " are spread evenly.")
public final class ScheduleLoad implements Callable<Integer> {
  private static final int READY_LIMIT = 5_000;
  private static final int BODY = Integer.BYTES;
  private static final int FIRST_WARM_UP = 500;
  private static final int MOST_WARM_UP = 100_000;
  private static final int WARM_UP_SECONDS = 30;
  private static final int MOST_WARM_UP_SECONDS = 150;

  /** Of the time of a load; a node that has run for an hour is below it. */
  private static final double COMPILING = 0.05;

  private static final int WARM_UP_SPREAD_SECONDS = 10;
  private static final int MOST_WARM_UP_SPREADS = 6;

  /** Numbers of schedules that are not to run while anybody watches. */
  private static final int NEVER_RUN = 100_000_000;

  private static final double FIRST_STORED_SECONDS = 0.03;
  private static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();

  @Option(names = "--burst", defaultValue = "100000", description = "Due at once.")
  private int burst;

  @Option(names = "--rate", defaultValue = "3000", description = "A second, without a burst.")
  private int rate;

  @Option(names = "--seconds", defaultValue = "20", description = "That the rate lasts.")
  private int seconds;

  @Option(names = "--pending", defaultValue = "100000", description = "That wait meanwhile.")
  private int pending;

  @Option(names = "--postgres", description = "In PostgreSQL; else with the embedded journal.")
  private boolean postgres;

  @Option(
      names = "--most-seconds",
      defaultValue = "120",
      description = "For a load: what is not done by then is left.")
  private int mostSeconds;

  private QueuePlace place;
  private SchedulerNode node;

  @Override
  public Integer call() throws IOException {
    var ticks = new GasPrioritySettings(1, READY_LIMIT, 100_000_000, 200, 1, 10_240);
    var fast = SchedulerSettings.DEFAULT.withBlockInterval(Duration.ofMillis(1));
    try (var created = QueuePlace.create(postgres);
        var system = created.start(Notifying.queues(ticks), fast)) {
      place = created;
      LogFile.under(place.directory());
      node = system.node();
      Notifying.count(node);
      Notifying.fund(node, QUEUE, List.of(OWNER));
      if (burst > 0) {
        report(burst(burst, warmUp()));
      } else {
        report(lateness());
      }
    }
    return 0;
  }

  private void report(Burst done) {
    print(
        "burst of %,d: %,.0f/s (%,d done, stored in %.1f s), %.1f us of processor time each, JIT at"
            + " work for %.3f s, load average %.1f",
        burst,
        done.done() / done.runSeconds(),
        done.done(),
        done.storeSeconds(),
        done.cpuSeconds() * 1e6 / done.done(),
        done.compileSeconds(),
        Resources.loadAverage());
  }

  private void report(Lateness late) {
    print(
        "late at %,d/s for %d s, %,d pending: p50 / p99 / most %.2f / %.2f / %.2f ms (%,d of %,d"
            + " ran), JIT at work for %.2f s, load average %.1f",
        rate,
        seconds,
        pending,
        late.each().millis(50),
        late.each().millis(99),
        late.each().millis(100),
        late.each().count(),
        rate * seconds,
        late.compileSeconds(),
        Resources.loadAverage());
  }

  /**
   * All due at once.
   *
   * @param storeSeconds how long it took to schedule them, durably
   * @param runSeconds from when they were due until all had their durable outcome, or the time was
   *     over
   * @param cpuSeconds of the processors within that time, the database's included
   * @param compileSeconds how long the JIT compiler was at work within that time
   * @param done how many had it
   */
  private record Burst(
      double storeSeconds, double runSeconds, double cpuSeconds, double compileSeconds, int done) {
    boolean isWarm() {
      return compileSeconds < COMPILING * runSeconds;
    }
  }

  /**
   * Bursts, until the JIT compiler has next to nothing left to do; each as large as the one before
   * allows.
   *
   * @return how long it takes to store one, in seconds
   */
  private double warmUp() {
    long start = System.nanoTime();
    int schedules = FIRST_WARM_UP;
    double each = FIRST_STORED_SECONDS;
    boolean warm = false;
    while (seconds(start) < (warm ? WARM_UP_SECONDS : MOST_WARM_UP_SECONDS)) {
      var done = burst(schedules, each);
      warm = done.isWarm();
      each = done.storeSeconds() / schedules;
      double perSecond = done.done() / done.runSeconds();
      schedules = (int) Math.max(FIRST_WARM_UP, Math.min(MOST_WARM_UP, 5 * perSecond));
      print("warm-up: %.0f s, %s", seconds(start), done);
    }
    return each;
  }

  private Burst burst(int schedules, double storeSecondsEach) {
    var runs = Runs.begin(schedules);
    var due = inSeconds((long) (1.5 * storeSecondsEach * schedules) + 3);
    long storing = System.nanoTime();
    store(schedules, 0, number -> due.toEpochMilli());
    double stored = seconds(storing);
    parkUntil(due);
    long start = System.nanoTime();
    double used = place.cpuSeconds();
    long compiled = COMPILER.getTotalCompilationTime();
    while (runs.count() < schedules && seconds(start) < mostSeconds) {
      LockSupport.parkNanos(2_000_000);
    }
    int open = open();
    while (open > 0 && seconds(start) < mostSeconds) {
      LockSupport.parkNanos(5_000_000);
      open = open();
    }
    double took = seconds(start);
    double compiling = (COMPILER.getTotalCompilationTime() - compiled) / 1e3;
    return new Burst(stored, took, place.cpuSeconds() - used, compiling, schedules - open);
  }

  /**
   * One after the other.
   *
   * @param each how late it was
   * @param seconds over which they were spread
   * @param compileSeconds how long the JIT compiler was at work until they were done
   */
  private record Lateness(Latencies each, int seconds, double compileSeconds) {
    boolean isWarm() {
      return compileSeconds < COMPILING * seconds;
    }
  }

  private Lateness lateness() {
    double each = warmUp();
    long future = Instant.now().plus(1, ChronoUnit.HOURS).toEpochMilli();
    store(pending, NEVER_RUN, number -> future + number);
    // Code that only bursts have run is not compiled for one at a time.
    for (int warmUps = 0; warmUps < MOST_WARM_UP_SPREADS; warmUps++) {
      var warmUp = spread(WARM_UP_SPREAD_SECONDS, each);
      print("warm-up: %.2f s compiling", warmUp.compileSeconds());
      if (warmUp.isWarm()) {
        break;
      }
    }
    return spread(seconds, each);
  }

  /**
   * @param each how long it takes to store one, in seconds
   */
  private Lateness spread(int overSeconds, double each) {
    int schedules = rate * overSeconds;
    var runs = Runs.begin(schedules);
    var first = inSeconds((long) (3 * each * schedules) + 5);
    long between = 1_000_000_000L / rate;
    store(schedules, 0, number -> first.plusNanos(between * number).toEpochMilli());
    parkUntil(first);
    long compiled = COMPILER.getTotalCompilationTime();
    var end = first.plusSeconds(overSeconds + mostSeconds);
    while (runs.count() < schedules && Instant.now().isBefore(end)) {
      LockSupport.parkNanos(5_000_000);
    }
    double compiling = (COMPILER.getTotalCompilationTime() - compiled) / 1e3;
    while (open() > pending && Instant.now().isBefore(end)) {
      LockSupport.parkNanos(50_000_000);
    }
    var late = runs.lateness(i -> first.toEpochMilli() + between / 1e6 * i);
    return new Lateness(late, overSeconds, compiling);
  }

  private void store(int count, int from, IntToLongFunction due) {
    Notifying.store(
        node,
        QUEUE,
        count,
        number -> Notifying.propose(OWNER, due.applyAsLong(number), from + number, BODY));
  }

  /** How many have no durable outcome yet, those of the far future included. */
  private int open() {
    var overview = await(node.overview(QUEUE));
    return overview.executing()
        + overview.families().stream().mapToInt(FamilyOverview::waiting).sum();
  }

  private static Instant inSeconds(long ahead) {
    return Instant.now().plusSeconds(ahead).truncatedTo(ChronoUnit.SECONDS);
  }

  private static void parkUntil(Instant due) {
    if (Instant.now().isAfter(due)) {
      throw new IllegalStateException("It took too long to schedule them.");
    }
    LockSupport.parkUntil(due.toEpochMilli());
  }

  private static double seconds(long since) {
    return (System.nanoTime() - since) / 1e9;
  }
}
