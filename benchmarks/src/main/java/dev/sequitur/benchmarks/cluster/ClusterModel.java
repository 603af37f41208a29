package dev.sequitur.benchmarks.cluster;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What a transaction takes of nodes of more JVMs, and of more nodes, than were measured. Of a node
 * of n JVMs what is told has to go to another JVM in (n - 1) of n cases, if entities and callers
 * are spread evenly. So each figure is that of one JVM, and a part that grows with (n - 1) / n,
 * taken from the measurement of two. What an idle JVM uses grows with each other JVM of its node,
 * as it has up to the most that were measured: over few JVMs the difference is small, and chance is
 * not.
 *
 * @param alone a node of one JVM, without other nodes
 * @param spread a node of two JVMs, without other nodes
 * @param widest that of the most JVMs, without other nodes; the same one, if two are the most
 * @param together two nodes of one JVM; empty if not measured
 * @param togetherSpread two nodes of two JVMs; empty if not measured
 */
record ClusterModel(
    ClusterRun alone,
    ClusterRun spread,
    ClusterRun widest,
    Optional<ClusterRun> together,
    Optional<ClusterRun> togetherSpread) {

  /** Empty if one JVM or two were not measured. */
  static Optional<ClusterModel> of(List<ClusterRun> runs) {
    return find(runs, 1, 1)
        .flatMap(
            alone ->
                find(runs, 1, 2)
                    .map(
                        spread ->
                            new ClusterModel(
                                alone, spread, widest(runs), find(runs, 2, 1), find(runs, 2, 2))));
  }

  private static Optional<ClusterRun> find(List<ClusterRun> runs, int nodes, int jvms) {
    return runs.stream().filter(run -> run.nodes() == nodes && run.jvms() == jvms).findFirst();
  }

  private static ClusterRun widest(List<ClusterRun> runs) {
    return runs.stream()
        .filter(run -> run.nodes() == 1)
        .max(Comparator.comparingInt(ClusterRun::jvms))
        .orElseThrow();
  }

  /** Of a node without others, beyond what its JVMs use when idle. */
  Used transaction(int jvms) {
    return grown(alone.beyondIdle(1), spread.beyondIdle(1), jvms);
  }

  /**
   * Of each JVM of a node, in a second. Much of what is asked of the database one JVM asks for all,
   * so that it falls with their number; it is taken as it is where the most were measured.
   */
  Used idle(int jvms) {
    double others = widest.jvms() - 1;
    var most = widest.idle();
    var grown = alone.idle().plus(most.minus(alone.idle()).times((jvms - 1) / others));
    return new Used(
        grown.processor(),
        most.roundTrips(),
        most.asked(),
        most.answered(),
        grown.messages(),
        grown.messageBytes(),
        grown.envelopesOut(),
        grown.envelopesIn());
  }

  /** Of the database, in seconds of the processor. */
  double database(int jvms) {
    return alone.database() + (spread.database() - alone.database()) * 2 * (jvms - 1) / jvms;
  }

  /**
   * What a transaction of a group of so many members, each on a node of its own, takes of all of
   * them; empty if two nodes were not measured. The sender's node does for each further member what
   * it has done for one, and each further member's node does the same.
   */
  Optional<Used> network(int members, int jvms) {
    return together.flatMap(
        one ->
            togetherSpread.map(
                two -> {
                  var own = transaction(jvms);
                  var sender = grown(one.beyondIdle(1), two.beyondIdle(1), jvms);
                  var other = grown(one.beyondIdle(2), two.beyondIdle(2), jvms);
                  return own.plus(sender.minus(own).plus(other).times(members - 1));
                }));
  }

  private static Used grown(Used one, Used two, int jvms) {
    return one.plus(two.minus(one).times(2.0 * (jvms - 1) / jvms));
  }
}
