package dev.sequitur.cluster.placement;

import akka.actor.ActorSystem;
import akka.cluster.sharding.ClusterSharding;
import dev.sequitur.cluster.metrics.Gauges;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

/**
 * Shows how many shards, and entities in memory, of each kind a JVM has. Whoever looks has them
 * counted anew, and is shown what was counted for the one before: nothing is counted while nobody
 * looks, and nobody waits.
 */
public final class ShareGauges {
  /** For those who look more often. */
  private static final Duration BETWEEN = Duration.ofSeconds(1);

  private final ActorSystem system;
  private final LongSupplier nanos;
  private final Map<String, RegionStats> shares = new ConcurrentHashMap<>();
  private final AtomicLong counted;

  private ShareGauges(ActorSystem system, LongSupplier nanos) {
    this.system = system;
    this.nanos = nanos;
    this.counted = new AtomicLong(nanos.getAsLong() - BETWEEN.toNanos());
  }

  /**
   * @param system whose kinds of entities are shown, those too that are registered later
   * @param nanos a clock that only runs forward
   */
  public static void show(ActorSystem system, PrometheusRegistry registry, LongSupplier nanos) {
    var gauges = new ShareGauges(system, nanos);
    Gauges.showNamed(
        registry,
        "sequitur_shards",
        "Shards that this JVM has, by the kind of their entities.",
        "kind",
        () -> gauges.by(stats -> stats.shards().size()));
    Gauges.showNamed(
        registry,
        "sequitur_entities",
        "Entities that this JVM has in memory, by their kind.",
        "kind",
        () -> gauges.by(RegionStats::entities));
  }

  private Map<String, Double> by(ToDoubleFunction<RegionStats> figure) {
    count();
    var figures = new TreeMap<String, Double>();
    shares.forEach((kind, share) -> figures.put(kind, figure.applyAsDouble(share)));
    return figures;
  }

  private void count() {
    long now = nanos.getAsLong();
    long before = counted.get();
    if (now - before < BETWEEN.toNanos() || !counted.compareAndSet(before, now)) {
      return;
    }
    var sharding = ClusterSharding.get(system);
    for (var kind : sharding.getShardTypeNames()) {
      RegionStats.of(system, kind)
          .thenAccept(stats -> shares.put(kind, stats))
          .exceptionally(failure -> null);
    }
  }
}
