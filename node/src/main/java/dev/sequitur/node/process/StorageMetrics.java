package dev.sequitur.node.process;

import dev.sequitur.cluster.metrics.Gauges;
import dev.sequitur.cluster.metrics.LabelledCounter;
import dev.sequitur.persistence.map.StoreObserver;
import dev.sequitur.persistence.postgres.PostgresDatabase.Connections;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What a node shows of its disk and its database: each figure from the start, and 0 for what its
 * way of keeping data does not have. Thread-safe.
 */
final class StorageMetrics {
  private static final double NANOS = 1e9;

  /** What is written to. */
  enum Store {
    /** A node of one JVM: journal, snapshots and the node's records. */
    JOURNAL,
    /** A node of one JVM: checkpoints of schedule queues. */
    CHECKPOINTS,
    /** A node of several JVMs: the node's records. Akka's plugin writes the journal there. */
    DATABASE
  }

  private enum Use {
    ACTIVE,
    IDLE,
    WAITING
  }

  private final LabelledCounter<Store> writes;
  private final LabelledCounter<Store> bytes;
  private final LabelledCounter<Store> failures;
  private final LabelledCounter<Store> unread;
  private final Map<Store, DistributionDataPoint> seconds = new EnumMap<>(Store.class);
  private volatile Supplier<Connections> connections = () -> Connections.NONE;

  /**
   * @param registry of the node; it has none of these names yet
   * @param directory of the node's data
   */
  StorageMetrics(PrometheusRegistry registry, Path directory) {
    writes =
        new LabelledCounter<>(
            registry, "sequitur_store_writes", "Writes that were stored.", "store", Store.class);
    bytes =
        new LabelledCounter<>(
            registry,
            "sequitur_store_written_bytes",
            "Bytes of keys and values that were stored; 0 for a database, which does not tell.",
            "store",
            Store.class);
    failures =
        new LabelledCounter<>(
            registry,
            "sequitur_store_write_failures",
            "Writes that were not stored; the log says why.",
            "store",
            Store.class);
    unread =
        new LabelledCounter<>(
            registry,
            "sequitur_store_read_failures",
            "Reads that found something damaged, or no answer; health and the log say what.",
            "store",
            Store.class);
    var duration =
        Histogram.builder()
            .name("sequitur_store_commit_duration_seconds")
            .help("How long it took to store a group of writes, to the disk or the database.")
            .labelNames("store")
            .classicOnly()
            .classicUpperBounds(
                0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5)
            .register(registry);
    for (var store : Store.values()) {
      seconds.put(store, duration.labelValues(LabelledCounter.word(store)));
    }
    var disk = directory.toFile();
    Gauges.show(
        registry,
        "sequitur_data_disk_free_bytes",
        "What is free on the disk of the node's data directory.",
        disk::getUsableSpace);
    Gauges.show(
        registry,
        "sequitur_data_disk_size_bytes",
        "How large the disk of the node's data directory is.",
        disk::getTotalSpace);
    Gauges.show(
        registry,
        "sequitur_database_connections",
        "This JVM's connections to the node's database, those of the journal left out: in use, idle,"
            + " and threads that wait for one.",
        "state",
        this::connectionsByUse);
    Gauges.show(
        registry,
        "sequitur_database_connections_max",
        "How many of these connections there may be.",
        () -> connections.get().most());
  }

  private Map<Use, Double> connectionsByUse() {
    var now = connections.get();
    return Map.of(
        Use.ACTIVE, (double) now.active(),
        Use.IDLE, (double) now.idle(),
        Use.WAITING, (double) now.waiting());
  }

  /** The node has a database. */
  void database(Supplier<Connections> now) {
    connections = now;
  }

  /** To be given to who writes there. */
  StoreObserver of(Store store) {
    var took = seconds.get(store);
    return new StoreObserver() {
      @Override
      public void stored(int number, long size, long nanos) {
        writes.add(store, number);
        bytes.add(store, size);
        took.observe(nanos / NANOS);
      }

      @Override
      public void failed(int number) {
        failures.add(store, number);
      }

      @Override
      public void unread() {
        unread.increment(store);
      }
    };
  }
}
