package dev.sequitur.benchmarks.cluster;

import dev.sequitur.benchmarks.cluster.ClusterUnderLoad.Moment;
import dev.sequitur.laboratory.local.ClusterPlan.Jvm;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One measurement.
 *
 * @param nodes of which the first is given all transactions
 * @param jvms of each node
 * @param rate at which they were confirmed, a second
 * @param each JVM's share of what one transaction takes
 * @param database seconds of the processor for one transaction
 * @param idle what each JVM uses in a second in which nothing is asked of it, on average
 */
record ClusterRun(
    int nodes, int jvms, double rate, Map<Jvm, Used> each, double database, Used idle) {

  /**
   * @param loaded of so many transactions, from the first to the last receipt
   */
  static ClusterRun of(int nodes, int jvms, int transactions, Moment idle, Moment loaded) {
    double idleSeconds = idle.nanos() / 1e9;
    var each = new LinkedHashMap<Jvm, Used>();
    loaded.jvms().forEach((jvm, used) -> each.put(jvm, used.times(1.0 / transactions)));
    return new ClusterRun(
        nodes,
        jvms,
        transactions / (loaded.nanos() / 1e9),
        each,
        loaded.database() / transactions,
        sum(idle.jvms()).times(1 / idleSeconds / (nodes * jvms)));
  }

  private static Used sum(Map<Jvm, Used> used) {
    return used.values().stream().reduce(Used.NOTHING, Used::plus);
  }

  /** What one transaction takes of all JVMs of a node, what they use when idle included. */
  Used of(int node) {
    return each.entrySet().stream()
        .filter(entry -> entry.getKey().node() == node)
        .map(Map.Entry::getValue)
        .reduce(Used.NOTHING, Used::plus);
  }

  /** As {@link #of}, without what the JVMs would have used anyway meanwhile. */
  Used beyondIdle(int node) {
    return of(node).minus(idle.times(jvms / rate));
  }
}
