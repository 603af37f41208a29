package dev.sequitur.cluster.placement;

import akka.actor.ActorSystem;
import akka.cluster.sharding.ClusterSharding;
import akka.cluster.sharding.ShardRegion;
import akka.cluster.sharding.ShardRegion.CurrentRegions;
import akka.pattern.Patterns;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Whether somebody deals out the shards of each kind of entity. Where nobody does, what is sent to
 * an entity whose shard has no place yet waits, and nothing tells of it. Thread-safe, never blocks.
 */
public final class RegionCoordinators {
  private static final Duration ANSWER = Duration.ofSeconds(2);

  /** When a JVM leaves or dies, another one deals out its shards within this time. */
  public static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Supplier<Map<String, CompletionStage<Boolean>>> dealt;
  private final LongSupplier nanos;
  private final Map<String, Long> missing = new HashMap<>();

  /**
   * @param dealt for each kind, whether its shards are dealt out; the stages end soon
   * @param nanos a clock that only runs forward
   */
  RegionCoordinators(Supplier<Map<String, CompletionStage<Boolean>>> dealt, LongSupplier nanos) {
    this.dealt = dealt;
    this.nanos = nanos;
  }

  /**
   * Of all kinds that a JVM has, those too that are registered later.
   *
   * @param nanos a clock that only runs forward
   */
  public static RegionCoordinators of(ActorSystem system, LongSupplier nanos) {
    return new RegionCoordinators(() -> asked(system), nanos);
  }

  private static Map<String, CompletionStage<Boolean>> asked(ActorSystem system) {
    var sharding = ClusterSharding.get(system);
    var answers = new TreeMap<String, CompletionStage<Boolean>>();
    for (var kind : sharding.getShardTypeNames()) {
      // A region passes this on to who deals out its shards, and says itself if it knows nobody.
      answers.put(
          kind,
          Patterns.ask(sharding.shardRegion(kind), ShardRegion.getCurrentRegionsInstance(), ANSWER)
              .thenApply(answer -> !((CurrentRegions) answer).getRegions().isEmpty()));
    }
    return answers;
  }

  /**
   * Why entities cannot be found: a sentence for the operator. What is missing since a short time
   * only is not told, since each leaving of a JVM has such a time.
   */
  public CompletionStage<Optional<String>> trouble() {
    var kinds = dealt.get();
    CompletionStage<Set<String>> without = CompletableFuture.completedFuture(Set.of());
    for (var kind : kinds.entrySet()) {
      without =
          without.thenCombine(
              kind.getValue().exceptionally(failure -> false),
              (sofar, isDealt) -> isDealt ? sofar : with(sofar, kind.getKey()));
    }
    return without.thenApply(this::trouble);
  }

  private static Set<String> with(Set<String> kinds, String kind) {
    var more = new TreeSet<>(kinds);
    more.add(kind);
    return more;
  }

  private synchronized Optional<String> trouble(Set<String> without) {
    long now = nanos.getAsLong();
    missing.keySet().retainAll(without);
    without.forEach(kind -> missing.putIfAbsent(kind, now));
    var late = new TreeSet<String>();
    missing.forEach(
        (kind, since) -> {
          if (now - since >= PATIENCE.toNanos()) {
            late.add(kind);
          }
        });
    return late.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "No JVM of the node deals out the shards of %s: what is for them waits and is not done. Look into the logs of the node's JVMs, and start again the one that says why; all must run the same Sequitur."
                .formatted(String.join(", ", late)));
  }
}
