package dev.sequitur.laboratory.soak;

import dev.sequitur.client.NodeCalls;
import dev.sequitur.console.Console;
import dev.sequitur.console.StopSignal;
import dev.sequitur.console.WrongOption;
import dev.sequitur.laboratory.demo.DemoDirectory;
import dev.sequitur.laboratory.demo.GroupPlan;
import dev.sequitur.laboratory.demo.Intents;
import dev.sequitur.laboratory.demo.NodeOperations.All;
import dev.sequitur.laboratory.demo.Workload;
import dev.sequitur.laboratory.load.Standstill;
import dev.sequitur.laboratory.local.ClusterPlan;
import dev.sequitur.laboratory.local.LocalCluster;
import dev.sequitur.laboratory.report.ReportFile;
import dev.sequitur.node.process.StartFailure;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.text.Counted;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The soak from beginning to end. Blocks the caller; confined to one thread. */
public final class Soak {
  private static final Duration BLOCK_TIME = Duration.ofMillis(500);
  private static final Duration LOOK = Duration.ofMillis(100);

  /** Without another receipt. A JVM that starts on a busy machine may take some of it. */
  private static final Duration STANDSTILL = Duration.ofMinutes(5);

  private static final int GROUPS = 4;
  private static final int TRACED = 5_000;

  private final Console console;
  private final StopSignal stop;

  public Soak(Console console, StopSignal stop) {
    this.console = console;
    this.stop = stop;
  }

  /**
   * @return whether each transaction completed exactly once
   * @throws WrongOption if the data directory is in use
   * @throws StartFailure with a sentence for the person, if the network does not start or a stop is
   *     asked for
   */
  public boolean run(SoakOptions options) {
    options.data().ifPresent(Soak::mustBeEmpty);
    // A PostgreSQL of its own runs as another user if this is root.
    var directory = DemoDirectory.open(options.data()).enterable();
    boolean keep = true;
    try {
      boolean holds = run(options, directory.path());
      keep = !holds;
      return holds;
    } catch (StartFailure e) {
      boolean stopped = stop.hasEndedOthers();
      keep = !stopped || options.data().isPresent();
      throw stopped ? new StartFailure("Stopped before the end: there is no report.", e) : e;
    } finally {
      if (keep) {
        console.err().println("The data, the outputs and the logs stay in " + directory.path());
      } else {
        directory.release();
      }
      console.err().flush();
    }
  }

  private static void mustBeEmpty(Path data) {
    if (Files.isDirectory(data)) {
      try (var files = Files.list(data)) {
        if (files.findAny().isPresent()) {
          throw new WrongOption(
              "The directory " + data + " is not empty: name another one with --data.");
        }
      } catch (IOException e) {
        throw new StartFailure("The directory " + data + " cannot be read.", e);
      }
    }
  }

  private boolean run(SoakOptions options, Path directory) {
    var plan =
        new ClusterPlan(
            options.nodes(),
            options.jvmsPerNode(),
            directory,
            options.port(),
            BLOCK_TIME,
            Optional.empty(),
            settings(options),
            options.mostStart());
    console
        .out()
        .printf(
            "%s of %s, %s a second for %s, a kill every %d s, seed %d; data in %s%n",
            Counted.of(options.nodes(), "node"),
            Counted.of(options.jvmsPerNode(), "JVM"),
            Counted.of(options.rate(), "transaction"),
            Counted.of(options.load().toMinutes(), "minute"),
            options.killEvery().toSeconds(),
            options.seed(),
            directory);
    console.out().flush();
    try (var cluster = new LocalCluster(plan, console)) {
      cluster.start(stop);
      endIfStopped();
      var report = run(options, plan, cluster);
      report.lines().forEach(console.out()::println);
      console.out().flush();
      options.report().ifPresent(file -> ReportFile.write(file, report.written(), console));
      return report.holds();
    }
  }

  private void endIfStopped() {
    if (stop.isRequested()) {
      throw new StartFailure("Stopped.");
    }
  }

  /** Traces are full within a minute, so that what memory goes on growing is seen. */
  private static Map<String, String> settings(SoakOptions options) {
    var settings = new HashMap<>(options.settings());
    settings.put("trace.messages", "" + TRACED);
    return settings;
  }

  private SoakReport run(SoakOptions options, ClusterPlan plan, LocalCluster cluster) {
    var groups = GroupPlan.of(options.nodes(), GROUPS);
    var contracts = new SoakGroups(calls(plan), stop).create(groups);
    var network = new Network(plan, cluster, new Intents(contracts));
    var nobody = new KillPlan(options.killEvery(), Duration.ZERO, options.seed());
    var memory = new MemoryLog();
    var mints = Workload.funding(groups);
    var minting = drive(network, "Minting", new All(mints.size(), mints::get), 0, nobody, memory);
    memory.collect(cluster.processes());
    int size = Math.toIntExact(options.load().toSeconds() * options.rate());
    var load = new All(size, new Workload(groups, 1, options.seed(), size)::operation);
    var kills = new KillPlan(options.killEvery(), options.load(), options.seed());
    var driven = drive(network, "Transactions", load, options.rate(), kills, memory);
    memory.collect(cluster.processes());
    var complaints = new ArrayList<>(minting.complaints);
    complaints.addAll(driven.complaints);
    var ledger = LedgerAccount.read(plan.ledger());
    return new SoakReport(
        options,
        ledger.compare(minting.sent.plus(driven.sent)),
        driven.kills.size(),
        driven.repeated,
        SoakReport.latencies(driven.sent.outcomes(), driven.kills),
        driven.elapsed,
        memory.uses(),
        ledger,
        complaints);
  }

  private record Network(ClusterPlan plan, LocalCluster cluster, Intents intents) {}

  private record Driven(
      RemoteLoad.Sent sent,
      KillLog kills,
      long repeated,
      Duration elapsed,
      List<String> complaints) {}

  private static Map<NodeName, NodeCalls> calls(ClusterPlan plan) {
    var calls = new LinkedHashMap<NodeName, NodeCalls>();
    for (int node = 1; node <= plan.nodes(); node++) {
      var jvms = plan.jvmsOf(node).stream().map(plan::rpc).toList();
      calls.put(new NodeName(plan.jvmsOf(node).get(0).nodeName()), new NodeCalls(jvms));
    }
    return calls;
  }

  private Driven drive(
      Network network, String label, All operations, int rate, KillPlan kills, MemoryLog memory) {
    var cluster = network.cluster;
    var casualties = new Casualties(cluster, network.plan.jvms(), kills);
    var complaints = new ArrayList<String>();
    long start = System.nanoTime();
    try (var progress = console.progress(label, operations.size());
        var load = new RemoteLoad(calls(network.plan), operations, network.intents, rate)) {
      var totals = load.totals();
      var standstill =
          new Standstill(STANDSTILL, () -> CompletableFuture.completedFuture(Optional.empty()));
      while (!load.isDone() && !standstill.reached(totals.finished())) {
        load.step();
        stop.await(LOOK);
        endIfStopped();
        casualties.look(Duration.ofNanos(System.nanoTime() - start));
        memory.look(cluster.processes());
        int inFlight = totals.accepted().size() - totals.finished();
        progress.update(totals.finished(), inFlight + " in flight, " + casualties.detail());
      }
      var elapsed = Duration.ofNanos(System.nanoTime() - start);
      if (!load.isDone()) {
        complaints.add(
            "For %d minutes no receipt came: %s"
                .formatted(STANDSTILL.toMinutes(), totals.lastFailure().orElse("")));
      }
      memory.look(cluster.processes());
      complaints.addAll(casualties.complaints());
      return new Driven(load.sent(), casualties.log(), totals.repeated(), elapsed, complaints);
    }
  }
}
