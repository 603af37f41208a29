package dev.sequitur.benchmarks;

import static dev.sequitur.benchmarks.Benchmarks.print;

import dev.sequitur.benchmarks.schedules.LocalDatabase;
import dev.sequitur.persistence.postgres.PostgresDatabase;
import dev.sequitur.persistence.postgres.PostgresSettings;
import dev.sequitur.persistence.serialization.ProtocolFormat;
import dev.sequitur.persistence.store.JvmName;
import dev.sequitur.persistence.store.NodeIdentity;
import dev.sequitur.persistence.store.PostgresNodeStore;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeWriters.ClusterView;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What a node of several JVMs stores in a database that is some way away: each caller accepts a
 * transaction at one JVM, ends it at the next one, and begins anew.
 */
@Command(
    name = "store",
    description =
        "Measures how many transactions the stores of a node's JVMs accept and end in a PostgreSQL"
            + " some milliseconds away.")
public final class DistantStore implements Callable<Integer> {
  @Option(names = "--jvms", defaultValue = "3", description = "Of the node, all in this process.")
  private int jvms;

  @Option(names = "--callers", defaultValue = "300", description = "Of all JVMs together.")
  private int callers;

  @Option(names = "--seconds", defaultValue = "8", description = "Each; a third is not counted.")
  private int seconds;

  @Option(
      names = "--round-trips",
      split = ",",
      defaultValue = "0,5,30",
      description = "To the database, in milliseconds.")
  private List<Integer> roundTrips;

  private final AtomicInteger numbers = new AtomicInteger();

  @Override
  public Integer call() throws Exception {
    print("%s, load average %.1f", Resources.machine(), Resources.loadAverage());
    try (var database = LocalDatabase.start()) {
      for (int millis : roundTrips) {
        int port = URI.create(database.server().url().substring("jdbc:".length())).getPort();
        try (var wire = new DelayedPort(port, Duration.ofMillis(millis))) {
          var url = database.server().url().replace(":" + port + "/", ":" + wire.port() + "/");
          measure(millis, url, database);
        }
      }
    }
    return 0;
  }

  private void measure(int millis, String url, LocalDatabase database) throws Exception {
    var settings =
        new PostgresSettings(
            url, database.server().user(), database.server().password(), "away_" + millis);
    var open = new ArrayList<AutoCloseable>();
    var executors = new ArrayList<ExecutorService>();
    try {
      var names = new ArrayList<String>();
      var stores = new ArrayList<NodeStore>();
      for (int i = 0; i < jvms; i++) {
        var executor = Executors.newFixedThreadPool(4);
        executors.add(executor);
        var pool = PostgresDatabase.open(settings, 4, Duration.ofSeconds(60));
        open.addFirst(pool);
        var jvm = new JvmName("akka://node1@jvm" + i, i);
        names.add(jvm.toString());
        var store =
            new PostgresNodeStore(
                pool,
                new ProtocolFormat(),
                executor,
                new NodeIdentity(new NodeName("node1"), Bytes.utf8("keys"), jvm));
        open.addFirst(store);
        var all = Set.copyOf(names);
        if (!store
            .writers()
            .enter(new ClusterView(i == 0, all, all))
            .toCompletableFuture()
            .join()) {
          throw new IllegalStateException("Not let in.");
        }
        stores.add(store);
      }
      measure(millis, stores, database);
    } finally {
      for (var each : open) {
        each.close();
      }
      executors.forEach(ExecutorService::shutdown);
    }
  }

  private void measure(int millis, List<NodeStore> stores, LocalDatabase database) {
    var used = Resources.now();
    double usedByDatabase = database.cpuSeconds();
    int before = numbers.get();
    long begin = System.nanoTime();
    long counted = begin + seconds * 1_000_000_000L / 3;
    long end = begin + seconds * 1_000_000_000L;
    var done = new AtomicInteger();
    var all = new ArrayList<CompletableFuture<Void>>();
    for (int i = 0; i < callers; i++) {
      all.add(call(stores, i, counted, end, done).toCompletableFuture());
    }
    all.forEach(CompletableFuture::join);
    double each = (numbers.get() - before) / 1e3;
    print(
        "%d JVMs, %3d ms away, %d callers: %,9.0f accepted and ended a second,"
            + " %.2f ms of processor time here and %.2f in the database",
        stores.size(),
        millis,
        callers,
        done.get() / ((end - counted) / 1e9),
        Resources.now().since(used).cpuSeconds() / each,
        (database.cpuSeconds() - usedByDatabase) / each);
  }

  private CompletionStage<Void> call(
      List<NodeStore> stores, int caller, long counted, long end, AtomicInteger done) {
    if (System.nanoTime() > end) {
      return CompletableFuture.completedFuture(null);
    }
    int number = numbers.incrementAndGet();
    var at = stores.get(caller % stores.size());
    var next = stores.get((caller + 1) % stores.size());
    return at.accept(List.of(QueryLatency.intent(number)))
        .thenCompose(any -> next.complete(List.of(QueryLatency.receipt(number))))
        .thenCompose(
            any -> {
              long now = System.nanoTime();
              if (now > counted && now < end) {
                done.incrementAndGet();
              }
              return call(stores, caller, counted, end, done);
            });
  }
}
