package dev.sequitur.laboratory.simulate;

import dev.sequitur.console.Console;
import dev.sequitur.console.StopSignal;
import dev.sequitur.simulation.RandomRun;
import dev.sequitur.simulation.RunPlan;
import dev.sequitur.simulation.RunReport;
import dev.sequitur.simulation.SimulationFailure;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Runs a series of networks until one fails, all are done or somebody stops it. */
public final class Simulate {
  private static final long LOOK_MILLIS = 200;

  private final Console console;
  private final StopSignal stop;
  private final int threads = Math.max(1, Runtime.getRuntime().availableProcessors());

  /** Of one network: the report, or what failed. */
  private record Outcome(RunReport report, Optional<SimulationFailure> failure, String trace) {}

  public Simulate(Console console, StopSignal stop) {
    this.console = console;
    this.stop = stop;
  }

  /**
   * @param trace whether to print every step of a network; only for a single one
   * @return whether everything held, to the end
   */
  public boolean run(SeedSeries series, boolean trace) {
    long started = System.nanoTime();
    var total = RunReport.none();
    long done = 0;
    Optional<SimulationFailure> failure = Optional.empty();
    var workers = Executors.newFixedThreadPool(threads);
    try (var progress = console.progress("Networks", series.seeds())) {
      var outcomes = new ExecutorCompletionService<Outcome>(workers);
      long begun = 0;
      // Never more than are being run, so that a failure ends it soon.
      while (done < series.seeds() && failure.isEmpty() && !stop.isRequested()) {
        while (begun < Math.min(series.seeds(), done + threads)) {
          outcomes.submit(task(series.plan(begun++), trace));
        }
        var next = poll(outcomes);
        if (next.isPresent()) {
          done++;
          total = total.plus(next.get().report());
          failure = next.get().failure();
          printTrace(next.get());
        }
        progress.update(done, String.format(Locale.ROOT, "%,d transactions", total.transactions()));
      }
    } finally {
      workers.shutdownNow();
    }
    var took = Duration.ofNanos(System.nanoTime() - started);
    if (failure.isPresent()) {
      tell(series, failure.get());
      return false;
    }
    new SimulateSummary(series, done, total, took, threads).lines().forEach(console.out()::println);
    console.out().flush();
    return done == series.seeds();
  }

  private static Callable<Outcome> task(RunPlan plan, boolean trace) {
    return () -> {
      var run = new RandomRun(plan);
      try {
        var report = run.run();
        return new Outcome(report, Optional.empty(), trace ? run.trace() : "");
      } catch (SimulationFailure failure) {
        return new Outcome(RunReport.none(), Optional.of(failure), trace ? run.trace() : "");
      }
    };
  }

  private static Optional<Outcome> poll(CompletionService<Outcome> outcomes) {
    try {
      var next = outcomes.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      return next == null ? Optional.empty() : Optional.of(next.get());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("The simulation was interrupted.", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("A simulated network could not be run.", e.getCause());
    }
  }

  private void printTrace(Outcome outcome) {
    if (!outcome.trace().isEmpty()) {
      console.out().println(outcome.trace());
      console.out().flush();
    }
  }

  private void tell(SeedSeries series, SimulationFailure failure) {
    console.err().println("Seed " + failure.seed() + " fails " + failure.what());
    console.err().println("See how: " + series.replay(failure.seed()));
    console.err().flush();
  }
}
