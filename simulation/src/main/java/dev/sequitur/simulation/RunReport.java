package dev.sequitur.simulation;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * What happened in a run in which everything held.
 *
 * @param transactions accepted ones, those submitted after the faults included
 * @param troubled those accepted while faults struck; 0 in a run without faults
 * @param confirmed on the ledger
 * @param scheduled occurrences of schedules that have run
 * @param forgotten how often a node forgot messages of another member's node
 * @param faults how often each has happened
 * @param messages sent for the troubled ones until all had ended, without heartbeats
 * @param load the largest share of {@link RandomRun#mostMessages} that a faulty run has used
 * @param simulated how long it took by the clock of the simulation
 * @param steps things that happened one after another
 */
public record RunReport(
    int nodes,
    int transactions,
    int troubled,
    int confirmed,
    long scheduled,
    long forgotten,
    Map<Fault, Long> faults,
    long messages,
    double load,
    Duration simulated,
    long steps) {
  public RunReport {
    faults = Map.copyOf(faults);
  }

  /** Nothing happened yet. */
  public static RunReport none() {
    return new RunReport(0, 0, 0, 0, 0, 0, Map.of(), 0, 0.0, Duration.ZERO, 0);
  }

  /** Both runs together. */
  public RunReport plus(RunReport other) {
    var all = new EnumMap<Fault, Long>(Fault.class);
    all.putAll(faults);
    other.faults.forEach((fault, count) -> all.merge(fault, count, Long::sum));
    return new RunReport(
        nodes + other.nodes,
        transactions + other.transactions,
        troubled + other.troubled,
        confirmed + other.confirmed,
        scheduled + other.scheduled,
        forgotten + other.forgotten,
        all,
        messages + other.messages,
        Math.max(load, other.load),
        simulated.plus(other.simulated),
        steps + other.steps);
  }
}
