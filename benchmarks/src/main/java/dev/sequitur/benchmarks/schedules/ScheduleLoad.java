package dev.sequitur.benchmarks.schedules;

import dev.sequitur.benchmarks.schedules.ScheduledSystem.Due;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/** The loads, the same for every system. */
final class ScheduleLoad {
  private static final int BATCH = 1_000;
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

  private final ScheduledSystem system;
  private final Duration most;
  private final long server;

  /**
   * @param server the database's first process
   * @param most how long a load may take; what is not done then is left
   */
  ScheduleLoad(ScheduledSystem system, long server, Duration most) {
    this.system = system;
    this.server = server;
    this.most = most;
  }

  /**
   * All due at once.
   *
   * @param storeSeconds how long it took to schedule them, durably
   * @param runSeconds from the release until all had their durable outcome, or the time was over
   * @param cpuSeconds of the processors within that time, the database's included
   * @param compileSeconds how long the JIT compiler was at work within that time
   * @param done how many had it
   */
  record Burst(
      double storeSeconds, double runSeconds, double cpuSeconds, double compileSeconds, int done) {
    private boolean isWarm() {
      return compileSeconds < COMPILING * runSeconds;
    }
  }

  Burst burst(int schedules) {
    return measureBurst(schedules, warmUp());
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
      var done = measureBurst(schedules, each);
      warm = done.isWarm();
      each = done.storeSeconds() / schedules;
      double rate = done.done() / done.runSeconds();
      schedules = (int) Math.max(FIRST_WARM_UP, Math.min(MOST_WARM_UP, 5 * rate));
      System.out.printf(Locale.ROOT, "warm-up: %.0f s, %s%n", seconds(start), done);
    }
    return each;
  }

  private Burst measureBurst(int schedules, double storeSecondsEach) {
    system.hold();
    var runs = Runs.begin(schedules);
    long lead = (long) (1.5 * storeSecondsEach * schedules) + 3;
    var due = Instant.now().plusSeconds(lead).truncatedTo(ChronoUnit.SECONDS);
    long storing = System.nanoTime();
    store(schedules, number -> new Due(number, due));
    double stored = seconds(storing);
    if (Instant.now().isAfter(due)) {
      throw new IllegalStateException("It took too long to schedule them: " + stored + " s.");
    }
    LockSupport.parkUntil(due.toEpochMilli());
    long start = System.nanoTime();
    var used = ProcessorTime.now(server);
    long compiled = COMPILER.getTotalCompilationTime();
    system.release();
    while (runs.count() < schedules && seconds(start) < most.toSeconds()) {
      LockSupport.parkNanos(2_000_000);
    }
    int open = system.open();
    while (open > 0 && seconds(start) < most.toSeconds()) {
      LockSupport.parkNanos(5_000_000);
      open = system.open();
    }
    double took = seconds(start);
    double compiling = (COMPILER.getTotalCompilationTime() - compiled) / 1e3;
    var processors = ProcessorTime.now(server).since(used);
    return new Burst(stored, took, processors, compiling, schedules - open);
  }

  /**
   * One after the other.
   *
   * @param millis how late each was, ascending
   * @param scheduled how many there were
   * @param seconds over which they were spread
   * @param compileSeconds how long the JIT compiler was at work until they were done
   */
  record Lateness(double[] millis, int scheduled, int seconds, double compileSeconds) {
    private boolean isWarm() {
      return compileSeconds < COMPILING * seconds;
    }

    double percentile(double percent) {
      return Runs.percentile(millis, percent);
    }
  }

  /**
   * @param pending how many more wait for the far future
   */
  Lateness lateness(int perSecond, int seconds, int pending) {
    double each = warmUp();
    var future = Instant.now().plus(1, ChronoUnit.HOURS);
    store(pending, number -> new Due(NEVER_RUN + number, future.plusMillis(number)));
    // Code that only bursts have run is not compiled for one at a time.
    for (int warmUps = 0; warmUps < MOST_WARM_UP_SPREADS; warmUps++) {
      var warmUp = spread(perSecond, WARM_UP_SPREAD_SECONDS, each, pending);
      System.out.printf(Locale.ROOT, "warm-up: %.2f s compiling%n", warmUp.compileSeconds());
      if (warmUp.isWarm()) {
        break;
      }
    }
    return spread(perSecond, seconds, each, pending);
  }

  /**
   * @param each how long it takes to store one, in seconds
   * @param pending how many more wait
   */
  private Lateness spread(int perSecond, int seconds, double each, int pending) {
    int schedules = perSecond * seconds;
    var runs = Runs.begin(schedules);
    long lead = (long) (3 * each * schedules) + 5;
    var first = Instant.now().plusSeconds(lead).truncatedTo(ChronoUnit.SECONDS);
    var between = Duration.ofNanos(1_000_000_000L / perSecond);
    store(schedules, number -> new Due(number, first.plus(between.multipliedBy(number))));
    if (Instant.now().isAfter(first)) {
      throw new IllegalStateException("It took too long to schedule them.");
    }
    LockSupport.parkUntil(first.toEpochMilli());
    long compiled = COMPILER.getTotalCompilationTime();
    var end = first.plusSeconds(seconds).plus(most);
    while (runs.count() < schedules && Instant.now().isBefore(end)) {
      LockSupport.parkNanos(5_000_000);
    }
    double compiling = (COMPILER.getTotalCompilationTime() - compiled) / 1e3;
    // Where a run counts when it begins, its number is taken until it is stored that it ended.
    while (system.open() > pending && Instant.now().isBefore(end)) {
      LockSupport.parkNanos(50_000_000);
    }
    return new Lateness(
        runs.lateness(i -> first.toEpochMilli() + between.toNanos() / 1e6 * i),
        schedules,
        seconds,
        compiling);
  }

  private void store(int schedules, IntFunction<Due> made) {
    List<Due> batch = new ArrayList<>(BATCH);
    for (int number = 0; number < schedules; number++) {
      batch.add(made.apply(number));
      if (batch.size() == BATCH || number + 1 == schedules) {
        system.schedule(List.copyOf(batch));
        batch.clear();
      }
    }
  }

  private static double seconds(long since) {
    return (System.nanoTime() - since) / 1e9;
  }
}
