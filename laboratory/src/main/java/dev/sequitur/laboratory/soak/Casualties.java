package dev.sequitur.laboratory.soak;

import dev.sequitur.laboratory.local.ClusterPlan.Jvm;
import dev.sequitur.laboratory.local.LocalCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Kills JVMs of a network by its plan and starts them again. Confined to one thread, that of the
 * network.
 */
final class Casualties {
  /** JVMs that end by themselves are started again so many times in all. */
  private static final int MOST_REVIVED = 10;

  private final LocalCluster cluster;
  private final List<Jvm> jvms;
  private final KillPlan plan;
  private final KillLog log = new KillLog();

  /** With the time of the kill. */
  private final Map<Jvm, Long> starting = new LinkedHashMap<>();

  private final List<String> complaints = new ArrayList<>();

  Casualties(LocalCluster cluster, List<Jvm> jvms, KillPlan plan) {
    this.cluster = cluster;
    this.jvms = List.copyOf(jvms);
    this.plan = plan;
  }

  /** Kills what is due, and looks after what was killed. */
  void look(Duration elapsed) {
    settle();
    jvms.stream().filter(jvm -> !cluster.isAlive(jvm)).forEach(this::revive);
    var up = jvms.stream().filter(jvm -> !starting.containsKey(jvm)).toList();
    plan.victim(elapsed, up).ifPresent(this::kill);
  }

  private void kill(Jvm jvm) {
    long now = System.nanoTime();
    log.add(now);
    cluster.kill(jvm);
    cluster.startAgain(jvm);
    starting.put(jvm, now);
  }

  private void settle() {
    for (var jvm : List.copyOf(starting.keySet())) {
      if (cluster.isUp(jvm)) {
        log.recovered(starting.remove(jvm), System.nanoTime());
      }
    }
  }

  private void revive(Jvm jvm) {
    if (complaints.size() < MOST_REVIVED) {
      complaints.add(jvm.fileName() + " ended without having been killed: see its output and log.");
      cluster.startAgain(jvm);
      starting.put(jvm, System.nanoTime());
    }
  }

  KillLog log() {
    return log;
  }

  /** Sentences about JVMs that ended by themselves. */
  List<String> complaints() {
    return List.copyOf(complaints);
  }

  /** A few words for the progress. */
  String detail() {
    var killed = log.size() == 1 ? "1 kill" : log.size() + " kills";
    return starting.isEmpty()
        ? killed
        : killed
            + ", starting again: "
            + String.join(" ", starting.keySet().stream().map(Jvm::fileName).toList());
  }
}
