package dev.sequitur.benchmarks.cluster;

import static dev.sequitur.benchmarks.Benchmarks.print;

import dev.sequitur.benchmarks.Resources;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What a transaction takes of a node, by its number of JVMs: each a process, all over one
 * PostgreSQL, everything on this machine.
 */
@Command(
    name = "cluster",
    description =
        "Measures what a transaction takes of each JVM of a node: processor time, round trips and"
            + " bytes to the database, messages and bytes to the other JVMs, envelopes to other"
            + " nodes. Then computes it for ten nodes of ten JVMs.")
public final class ClusterCost implements Callable<Integer> {
  private static final int PORTS_EACH = 3;
  private static final int PORTS_BEFORE = 2;
  private static final int MODELLED = 10;

  /** Above those that tests beside it take, below those that a system hands out by itself. */
  private static final int LOWEST_PORT = 30_000;

  private static final int HIGHEST_PORT = 32_000;

  @Option(names = "--jvms", split = ",", defaultValue = "1,2,4", description = "Of each node.")
  private List<Integer> jvms;

  @Option(
      names = "--nodes",
      split = ",",
      defaultValue = "1",
      description =
          "With 2 also those of --jvms up to 2, with a member of each group on each node; the model"
              + " needs that for more than one node.")
  private List<Integer> nodes;

  @Option(names = "--contracts", defaultValue = "24", description = "Groups, used in turn.")
  private int contracts;

  @Option(names = "--transactions", defaultValue = "6000", description = "Of each measurement.")
  private int transactions;

  @Option(names = "--warm-up", defaultValue = "4000", description = "Transactions for each JVM.")
  private int warmUp;

  @Option(
      names = "--rate",
      defaultValue = "200",
      description = "Of transactions a second, the same for any number of JVMs.")
  private double rate;

  @Option(
      names = "--outstanding",
      defaultValue = "1000",
      description = "Without a receipt, at most.")
  private int outstanding;

  @Option(
      names = "--idle",
      defaultValue = "10",
      description = "Seconds in which nothing is asked, measured before.")
  private int idle;

  @Option(
      names = "--settle",
      defaultValue = "5",
      description = "Seconds before that, in which what is left of the warm-up ends.")
  private int settle;

  @Option(names = "--members", defaultValue = "4", description = "Of each group, in the model.")
  private int members;

  @Option(
      names = "--model-rate",
      defaultValue = "3000",
      description = "Transactions a second of the whole network, in the model.")
  private double modelRate;

  @Override
  public Integer call() throws Exception {
    print(
        "%s, load average %.1f%n%d contracts, %,.0f transactions a second, %,d of them measured",
        Resources.machine(), Resources.loadAverage(), contracts, rate, transactions);
    var runs = new ArrayList<ClusterRun>();
    for (int ofNodes : nodes) {
      for (int ofJvms : jvms) {
        if (ofNodes == 1 || ofJvms <= 2) {
          var run = measure(ofNodes, ofJvms);
          report(run);
          runs.add(run);
        }
      }
    }
    ClusterModel.of(runs).ifPresent(model -> report(model, runs));
    return 0;
  }

  private ClusterRun measure(int ofNodes, int ofJvms) throws Exception {
    var directory = Files.createTempDirectory("sequitur-cluster-");
    try (var load = new ClusterUnderLoad(ofNodes, ofJvms, directory, ports(ofNodes * ofJvms))) {
      load.start(contracts);
      load.complete(warmUp * ofJvms, Double.POSITIVE_INFINITY, outstanding);
      TimeUnit.SECONDS.sleep(settle);
      var first = load.now();
      TimeUnit.SECONDS.sleep(idle);
      var second = load.now();
      load.complete(transactions, rate, outstanding);
      var third = load.now();
      return ClusterRun.of(ofNodes, ofJvms, transactions, second.since(first), third.since(second));
    } finally {
      remove(directory);
    }
  }

  private static void remove(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    }
  }

  /** The first of so many free ones in a row. */
  private static int ports(int jvmsInAll) throws IOException {
    int number = PORTS_BEFORE + PORTS_EACH * jvmsInAll;
    var random = new SplittableRandom();
    for (int tries = 0; tries < 100; tries++) {
      int first = random.nextInt(LOWEST_PORT, HIGHEST_PORT);
      if (areFree(first, number)) {
        return first;
      }
    }
    throw new IOException("There are not enough free ports in a row.");
  }

  private static boolean areFree(int first, int number) {
    for (int port = first; port < first + number; port++) {
      try (var socket = new ServerSocket(port)) {
        socket.getLocalPort();
      } catch (IOException e) {
        return false;
      }
    }
    return true;
  }

  private static void report(ClusterRun run) {
    print(
        "%n%s of %s, %,.0f confirmed a second, load average %.1f; for each transaction:",
        counted(run.nodes(), "node"),
        counted(run.jvms(), "JVM"),
        run.rate(),
        Resources.loadAverage());
    print(
        "%-16s %10s | database: %6s %8s %8s | JVMs: %8s %8s | envelopes: %5s %6s",
        "", "processor", "trips", "kB to", "kB from", "messages", "kB", "out", "in");
    run.each().forEach((jvm, used) -> line(jvm.nodeName() + " JVM " + jvm.number(), used));
    for (int node = 1; node <= run.nodes(); node++) {
      line("node" + node, run.of(node));
      line("  beyond idle", run.beyondIdle(node));
    }
    print("%-16s %7.3f ms", "the database", 1e3 * run.database());
    print("%-16s", "a JVM that is idle, in a second:");
    line("", run.idle());
  }

  private static void line(String what, Used used) {
    print(
        "%-16s %7.3f ms | %16.3f %8.2f %8.2f | %14.3f %8.2f | %16.2f %6.2f",
        what,
        1e3 * used.processor(),
        used.roundTrips(),
        used.asked() / 1e3,
        used.answered() / 1e3,
        used.messages(),
        used.messageBytes() / 1e3,
        used.envelopesOut(),
        used.envelopesIn());
  }

  private static String counted(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  private void report(ClusterModel model, List<ClusterRun> runs) {
    print(
        """

        The model. It assumes: callers and entities are spread evenly over the JVMs of a node, so
        that of n JVMs n - 1 of n messages between entities leave their JVM; what a transaction
        takes is what it takes of one JVM, and a part in proportion to (n - 1) / n, which the
        measurement of two JVMs gives; batches are as long as in these measurements; a JVM has an
        address, links and heartbeats with each other one of its node, and uses for them when idle
        what each JVM has added up to the most that were measured, but of the database no more than
        each of those; nodes do not share a database; the ledger, its
        blocks and the indexer's reading are not in it.""");
    for (var run : runs) {
      if (run.nodes() == 1 && run.jvms() > 2) {
        print("%ncomputed for %d JVMs, and measured:", run.jvms());
        line("computed", model.transaction(run.jvms()));
        line("measured", run.beyondIdle(1));
        print(
            "database         %7.3f ms computed, %.3f measured",
            1e3 * model.database(run.jvms()), 1e3 * run.database());
      }
    }
    print("%n1 node of %d JVMs, for each transaction:", MODELLED);
    line("computed", model.transaction(MODELLED));
    print(
        "%.2f times the processor time of one JVM",
        model.transaction(MODELLED).processor() / model.transaction(1).processor());
    print("a JVM that is idle, in a second:");
    line("computed", model.idle(MODELLED));
    model.network(members, MODELLED).ifPresent(all -> reportNetwork(model, all));
  }

  private void reportNetwork(ClusterModel model, Used all) {
    print(
        "%n%d nodes of %d JVMs, groups of %d members, for each transaction, all nodes together:",
        MODELLED, MODELLED, members);
    line("computed", all);
    int jvmsInAll = MODELLED * MODELLED;
    var each = all.times(modelRate / jvmsInAll).plus(model.idle(MODELLED));
    print("%nEach JVM in a second, at %,.0f transactions a second of the network:", modelRate);
    line("computed", each);
    print(
        "%.2f of a processor, of which %.2f when idle; the database of a node %.2f of one",
        each.processor(),
        model.idle(MODELLED).processor(),
        model.database(MODELLED) * modelRate * members / MODELLED);
  }
}
