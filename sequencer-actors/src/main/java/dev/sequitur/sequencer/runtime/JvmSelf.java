package dev.sequitur.sequencer.runtime;

import akka.actor.ActorSystem;
import akka.cluster.Cluster;
import akka.cluster.sharding.ClusterSharding;
import dev.sequitur.cluster.placement.AwakeEntities;
import dev.sequitur.cluster.placement.RegionStats;
import dev.sequitur.cluster.placement.ShardWork;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.sequencer.actor.JvmReport;
import dev.sequitur.sequencer.setup.SequencerMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** What this JVM can tell of itself. Thread-safe; never blocks. */
final class JvmSelf {
  private static final Duration PRESENT = Duration.ofSeconds(1);
  private static final String ENVELOPES = "sequitur_transport_envelopes";
  private static final String COMMITS = "sequitur_store_commit_duration_seconds";
  private static final Set<String> FIGURES =
      Set.of(ENVELOPES, COMMITS, SequencerMetrics.MESSAGES_REACHED);

  private final ActorSystem system;
  private final PrometheusRegistry registry;
  private final Instant joined;
  private final List<String> singletons;

  /**
   * @param joined when this JVM became a member
   * @param singletons the names of those that the node may have
   */
  JvmSelf(
      ActorSystem system, PrometheusRegistry registry, Instant joined, List<String> singletons) {
    this.system = system;
    this.registry = registry;
    this.joined = joined;
    this.singletons = List.copyOf(singletons);
  }

  String name() {
    return Cluster.get(system).selfMember().address().toString();
  }

  CompletionStage<JvmReport> report(JvmReport.Question question) {
    var figures = registry.scrape(FIGURES::contains);
    return shards()
        .thenCombine(
            present(),
            (shards, here) ->
                new JvmReport(
                    question.number(),
                    name(),
                    joined,
                    shards,
                    awake(question.sought()),
                    here,
                    counted(figures, "direction", "received"),
                    counted(figures, "direction", "sent"),
                    commitNanos(figures),
                    ShardWork.get(system).done(),
                    counted(figures, "where", "elsewhere")));
  }

  /** Without kinds that do not answer. */
  private CompletionStage<Map<String, Map<Integer, Integer>>> shards() {
    var shards = new ConcurrentHashMap<String, Map<Integer, Integer>>();
    var asked = new ArrayList<CompletionStage<Void>>();
    for (var kind : ClusterSharding.get(system).getShardTypeNames()) {
      asked.add(
          RegionStats.of(system, kind)
              .thenAccept(stats -> shards.put(kind, stats.shards()))
              .exceptionally(failure -> null));
    }
    return Answers.all(asked).thenApply(all -> shards);
  }

  private Map<String, Instant> awake(Optional<String> sought) {
    var awake = new TreeMap<String, Instant>();
    sought.ifPresent(
        entity ->
            ClusterSharding.get(system)
                .getShardTypeNames()
                .forEach(
                    kind ->
                        AwakeEntities.get(system)
                            .since(kind, entity)
                            .ifPresent(since -> awake.put(kind, since))));
    return awake;
  }

  /** Where a singleton lives can be seen only by its actor's being there. */
  private CompletionStage<List<String>> present() {
    CompletionStage<List<String>> here = CompletableFuture.completedFuture(List.of());
    for (var name : singletons) {
      var found =
          system
              .actorSelection("/system/singletonManager" + name + "/" + name)
              .resolveOne(PRESENT)
              .thenApply(actor -> true)
              .exceptionally(failure -> false);
      here = here.thenCombine(found, (sofar, isHere) -> isHere ? with(sofar, name) : sofar);
    }
    return here;
  }

  private static List<String> with(List<String> names, String name) {
    var more = new ArrayList<>(names);
    more.add(name);
    return more;
  }

  private static long counted(MetricSnapshots figures, String label, String value) {
    return figures.stream()
        .filter(CounterSnapshot.class::isInstance)
        .map(CounterSnapshot.class::cast)
        .flatMap(counter -> counter.getDataPoints().stream())
        .filter(point -> value.equals(point.getLabels().get(label)))
        .mapToLong(point -> (long) point.getValue())
        .sum();
  }

  private static long commitNanos(MetricSnapshots figures) {
    double seconds =
        figures.stream()
            .filter(HistogramSnapshot.class::isInstance)
            .map(HistogramSnapshot.class::cast)
            .flatMap(histogram -> histogram.getDataPoints().stream())
            .mapToDouble(HistogramSnapshot.HistogramDataPointSnapshot::getSum)
            .sum();
    return (long) (seconds * Duration.ofSeconds(1).toNanos());
  }
}
