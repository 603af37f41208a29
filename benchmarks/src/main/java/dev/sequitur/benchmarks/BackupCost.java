package dev.sequitur.benchmarks;

import static dev.sequitur.benchmarks.Benchmarks.print;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.client.NodeCalls;
import dev.sequitur.node.configuration.BackupSettings;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.configuration.TracingSettings;
import dev.sequitur.node.process.LogFile;
import dev.sequitur.node.process.StoreRestore;
import dev.sequitur.persistence.backup.BackupContent;
import dev.sequitur.persistence.backup.BackupDirectory;
import dev.sequitur.protocol.id.NodeName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;

/**
 * What backups cost a network under full load, how long a backup of one hour more takes, and how
 * long a restore. Over LevelDB; the transactions of the stores that are filled are copies of those
 * that the load has left there.
 */
@Command(
    name = "backup",
    description =
        "Measures full load with backups and without, turn by turn; a backup after some hours of"
            + " transactions, and one after another hour; and a restore of that.")
public final class BackupCost implements Callable<Integer> {
  private static final double MEBIBYTE = 1 << 20;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  @Option(names = "--seconds", defaultValue = "60", description = "Measured, each time.")
  private int seconds;

  @Option(names = "--warm-up", defaultValue = "20", description = "Seconds before the first.")
  private int warmUp;

  @Option(names = "--rounds", defaultValue = "3", description = "Of load without and with.")
  private int rounds;

  @Option(names = "--outstanding", defaultValue = "750", description = "At most, on each node.")
  private int outstanding;

  @Option(names = "--members", defaultValue = "4", description = "Of the group; each has a node.")
  private int members;

  @Option(
      names = "--stored",
      defaultValue = "100000",
      description = "Transactions in the store of each node before the load is measured.")
  private int stored;

  @Option(
      names = "--transactions",
      defaultValue = "1000000",
      description = "In the store of the first node when its first backup is made; all restored.")
  private int transactions;

  @Option(
      names = "--more",
      defaultValue = "360000",
      description = "Until the backup after that: an hour of 100 each second.")
  private int more;

  @Option(
      names = "--bytes-per-second",
      defaultValue = "134217728",
      description = "That a backup reads at the most, as by default.")
  private long bytesPerSecond;

  @Option(
      names = "--data",
      showDefaultValue = Visibility.NEVER,
      description = "New directory for all of it; else a temporary one.")
  private Optional<Path> data = Optional.empty();

  /** Backups of a turn, or one. */
  private record Made(int backups, long bytes, long written) {
    private static final Made NONE = new Made(0, 0, 0);

    private Made and(JsonNode status) {
      return new Made(
          backups + 1,
          bytes + status.path("bytes").longValue(),
          written + status.path("written").longValue());
    }
  }

  @Override
  public Integer call() throws IOException {
    var directory =
        data.isPresent()
            ? Files.createDirectories(data.get())
            : Files.createTempDirectory("sequitur-benchmark-");
    LogFile.under(directory);
    print(
        "%s, load average %.1f%ndata in %s",
        Resources.machine(), Resources.loadAverage(), directory);
    try (var network =
        BenchmarkNetwork.start(
            directory,
            members,
            node ->
                node.withTracing(TracingSettings.OFF)
                    .withBackup(new BackupSettings(Optional.of(backups(node)), bytesPerSecond)))) {
      load(network);
      measureHours(network);
    }
    restore(directory);
    return 0;
  }

  private static Path backups(NodeConfiguration node) {
    return node.directory().resolveSibling("backup-of-" + node.name());
  }

  /** Turn by turn, so that what else the machine does falls upon both alike. */
  private void load(BenchmarkNetwork network) {
    var load = new Load(network, network.createGroups("token", 1), outstanding);
    load.fund(1);
    Load.Kind payments = (groups, owner) -> NodeWorkload.payments(groups, owner, 1);
    // With backups, whose code would be compiled within the first turn else.
    var first = new Backing(network.addresses());
    load.measureBlocks(payments, Duration.ofSeconds(warmUp), Duration.ofSeconds(1));
    load.drain();
    first.end();
    for (var node : network.nodes()) {
      CopiedTransactions.of(node.store()).putInto(node.store(), stored);
    }
    print(
        "%nfull load on %d nodes with %,d transactions stored on each before, %d s each",
        members, stored, seconds);
    double[] confirmed = new double[2];
    double[] time = new double[2];
    double[] processor = new double[2];
    for (int turn = 0; turn < 2 * rounds; turn++) {
      // Without and with, then with and without: what grows falls upon both alike.
      int with = (turn + 1) / 2 % 2;
      var backing = with == 1 ? new Backing(network.addresses()) : null;
      var measured =
          load.measureBlocks(payments, Duration.ofSeconds(5), Duration.ofSeconds(seconds));
      var made = backing == null ? Made.NONE : backing.end();
      confirmed[with] += measured.totals().confirmed();
      time[with] += measured.used().seconds();
      processor[with] += measured.used().cpuSeconds();
      print(
          "  %-7s %,6.0f/s, %.3f ms of processor time each; %d backups, %.1f MiB read and %.1f written",
          with == 1 ? "with" : "without",
          measured.rate(),
          measured.cpuMillis(),
          made.backups(),
          made.bytes() / MEBIBYTE,
          made.written() / MEBIBYTE);
    }
    load.drain();
    print(
        "  backups cost %.1f %% of the rate, and %.1f %% more processor time for a transaction",
        100 * (1 - confirmed[1] / time[1] / (confirmed[0] / time[0])),
        100 * (processor[1] / confirmed[1] / (processor[0] / confirmed[0]) - 1));
  }

  /** Backups of all nodes, one after the other on each, until it is told to end. */
  private static final class Backing {
    private final List<URI> nodes;
    private final Thread thread = new Thread(this::run, "backing");
    private final Set<URI> begun = new HashSet<>();
    private volatile boolean ends;
    private volatile Made made = Made.NONE;
    private volatile Optional<RuntimeException> failure = Optional.empty();

    Backing(List<URI> nodes) {
      this.nodes = nodes;
      thread.start();
    }

    private void run() {
      try {
        while (!ends) {
          nodes.forEach(this::look);
          LockSupport.parkNanos(LOOK_NANOS);
        }
      } catch (RuntimeException e) {
        failure = Optional.of(e);
      }
    }

    /** What an earlier turn has begun is not this one's. */
    private void look(URI node) {
      var last = BackupCost.call(node, "node_backupStatus");
      if (!isRunning(last)) {
        if (begun.contains(node) && last.path("state").asText().equals("done")) {
          made = made.and(last);
        }
        BackupCost.call(node, "node_backup");
        begun.add(node);
      }
    }

    /** Those that have ended meanwhile; what still runs is waited for. */
    Made end() {
      ends = true;
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException("It was interrupted.", e);
      }
      failure.ifPresent(
          why -> {
            throw why;
          });
      var counted = made;
      for (var node : begun) {
        counted = counted.and(awaited(node));
      }
      return counted;
    }
  }

  private static boolean isRunning(JsonNode status) {
    return status.path("state").asText().equals("running");
  }

  private static JsonNode awaited(URI node) {
    var status = call(node, "node_backupStatus");
    while (isRunning(status)) {
      LockSupport.parkNanos(LOOK_NANOS);
      status = call(node, "node_backupStatus");
    }
    if (!status.path("state").asText().equals("done")) {
      throw new IllegalStateException("A backup has failed: " + status);
    }
    return status;
  }

  private static JsonNode call(URI node, String method) {
    try {
      var answer =
          new NodeCalls(List.of(node))
              .batch(method, List.of(NodeCalls.JSON.createArrayNode()))
              .getFirst();
      if (answer.has("error")) {
        throw new IllegalStateException(method + " came to " + answer);
      }
      return answer.path("result");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void measureHours(BenchmarkNetwork network) {
    var store = network.nodes().getFirst().store();
    var node = network.addresses().getFirst();
    var copies = CopiedTransactions.of(store);
    var begun = Resources.now();
    copies.putInto(store, transactions - stored);
    print(
        "%n%,d transactions are stored on the first node, some of them in %.0f s",
        transactions, Resources.now().since(begun).seconds());
    measure("a backup of all of it", node);
    copies.putInto(store, more);
    measure("a backup after %,d more".formatted(more), node);
    measure("a backup after nothing more", node);
  }

  private static void measure(String what, URI node) {
    var before = Resources.now();
    call(node, "node_backup");
    var status = awaited(node);
    var used = Resources.now().since(before);
    print(
        "  %-32s %6.1f s, %.1f s of processor time, %,d entries, %,.0f MiB read and %,.0f written",
        what,
        used.seconds(),
        used.cpuSeconds(),
        status.path("entries").longValue(),
        status.path("bytes").longValue() / MEBIBYTE,
        status.path("written").longValue() / MEBIBYTE);
  }

  private void restore(Path directory) {
    var node = NodeConfiguration.embedded(new NodeName("node1"), directory.resolve("node1"));
    var before = Resources.now();
    var backup = BackupContent.of(new BackupDirectory(backups(node)));
    StoreRestore.into(
        node.withDirectory(directory.resolve("restored")).withKeyDirectory(node.directory()),
        backup);
    var used = Resources.now().since(before);
    print(
        "  %-32s %6.1f s, %.1f s of processor time, %,d entries, %,.0f MiB",
        "a restore of %,d transactions".formatted(transactions + more),
        used.seconds(),
        used.cpuSeconds(),
        backup.manifest().entries(),
        backup.manifest().bytes() / MEBIBYTE);
    print("load average %.1f", Resources.loadAverage());
  }
}
