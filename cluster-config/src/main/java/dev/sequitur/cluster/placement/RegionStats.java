package dev.sequitur.cluster.placement;

import akka.actor.ActorSystem;
import akka.cluster.sharding.ClusterSharding;
import akka.cluster.sharding.ShardRegion;
import akka.cluster.sharding.ShardRegion.ShardRegionStats;
import akka.pattern.Patterns;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;

/**
 * What a JVM has of one kind of entities.
 *
 * @param shards how many entities each of its shards has in memory, by the number of the shard
 */
public record RegionStats(Map<Integer, Integer> shards) {
  private static final Duration ANSWER = Duration.ofSeconds(1);

  public RegionStats {
    shards = Map.copyOf(shards);
  }

  /** Fails if the JVM does not have the kind, or is too busy to say. */
  public static CompletionStage<RegionStats> of(ActorSystem system, String kind) {
    return Patterns.ask(
            ClusterSharding.get(system).shardRegion(kind),
            ShardRegion.getRegionStatsInstance(),
            ANSWER)
        .thenApply(stats -> of((ShardRegionStats) stats));
  }

  /** A shard that does not answer is there all the same. */
  private static RegionStats of(ShardRegionStats stats) {
    var shards = new TreeMap<Integer, Integer>();
    stats
        .getStats()
        .forEach(
            (shard, entities) ->
                shards.put(Integer.parseInt(shard), ((Number) entities).intValue()));
    stats.getFailed().forEach(shard -> shards.putIfAbsent(Integer.parseInt(shard), 0));
    return new RegionStats(shards);
  }

  /** In memory. */
  public int entities() {
    return shards.values().stream().mapToInt(Integer::intValue).sum();
  }
}
