package dev.sequitur.laboratory.demo;

import dev.sequitur.console.Console;
import dev.sequitur.console.StopSignal;
import dev.sequitur.node.process.RunningNetwork;
import dev.sequitur.protocol.id.TransactionId;
import java.util.Locale;
import java.util.Set;
import java.util.function.IntFunction;

/** Submits operations through all nodes at once and waits until each has its receipt. */
final class Driver {
  private final RunningNetwork network;
  private final Console console;
  private final StopSignal stop;

  Driver(RunningNetwork network, Console console, StopSignal stop) {
    this.network = network;
    this.console = console;
    this.stop = stop;
  }

  /**
   * What came of it.
   *
   * @param nanos from the first submission to the last receipt
   * @param stuck whether some never got a receipt
   */
  record Outcome(DriverTotals totals, long nanos, boolean stuck) {}

  /**
   * @throws DemoStopped if a person asks for an end meanwhile
   */
  Outcome run(Work work) {
    var totals = new DriverTotals();
    var drivers =
        network.nodes().stream()
            .map(running -> new NodeDriver(running.sequencer(), work, totals))
            .toList();
    long started = System.nanoTime();
    var standstill = new Standstill(drivers, started);
    int finished = 0;
    try (var progress = console.progress(work.label(), work.size())) {
      while (!drivers.stream().allMatch(NodeDriver::isDone)) {
        if (stop.isRequested()) {
          throw new DemoStopped(
              "Stopped with " + (work.size() - finished) + " transactions unfinished.");
        }
        drivers.forEach(NodeDriver::step);
        long now = System.nanoTime();
        if (totals.finished() > finished) {
          finished = totals.finished();
          standstill.moved(now);
        } else if (standstill.isFinal(now)) {
          return new Outcome(totals, now - started, true);
        }
        progress.update(finished, detail(totals, now - started) + standstill.reason(now));
        Await.tick();
      }
      return new Outcome(totals, standstill.movedAt() - started, false);
    }
  }

  private static String detail(DriverTotals totals, long nanos) {
    double perSecond = totals.confirmedNow() / Math.max(nanos / 1e9, 0.001);
    var text = String.format(Locale.ROOT, "%,.0f/s", perSecond);
    return totals.reverted() == 0 ? text : text + ", " + totals.reverted() + " reverted";
  }

  /**
   * Operations to be driven to their receipts.
   *
   * @param label beside the progress bar
   * @param operations by index, from 0 to {@code size}, exclusive
   * @param acceptedBefore by an earlier start: they are waited for, but not timed
   */
  record Work(
      String label,
      IntFunction<Operation> operations,
      int size,
      Intents intents,
      Set<TransactionId> acceptedBefore) {}
}
