package dev.sequitur.cluster.placement;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.cluster.sharding.ClusterSharding;
import akka.cluster.sharding.ShardCoordinator.AbstractShardAllocationStrategy;
import akka.cluster.sharding.ShardCoordinator.ActorSystemDependentAllocationStrategy;
import akka.cluster.sharding.ShardRegion.ClusterShardingStats;
import akka.cluster.sharding.ShardRegion.GetClusterShardingStats;
import akka.cluster.sharding.ShardRegion.ShardRegionStats;
import akka.pattern.Patterns;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import scala.collection.immutable.IndexedSeq;
import scala.concurrent.Future;
import scala.concurrent.duration.FiniteDuration;
import scala.jdk.javaapi.FutureConverters;

/**
 * Of a kind whose entities forget what they know when they move: {@link EvenAllocation}, that moves
 * a shard when that costs least ({@link PatientMoves}). Which shards have entities in memory is
 * asked of all JVMs, and only while some are where they don't belong.
 */
public final class PatientAllocation extends AbstractShardAllocationStrategy
    implements ActorSystemDependentAllocationStrategy {
  /** One JVM asks all others; who has not answered has them all in memory. */
  private static final Duration ANSWER = Duration.ofSeconds(3);

  private final EvenAllocation even;
  private final String kind;
  private final LongSupplier range;
  private final LongSupplier nanos;
  private final PatientMoves moves;
  private ActorSystem system;

  /**
   * @param even says where shards belong
   * @param kind the name of the kind
   * @param longest that a shard waits whose entities are in memory
   * @param range of blocks in which the ledger is
   * @param nanos a clock that only runs forward
   */
  public PatientAllocation(
      EvenAllocation even, String kind, Duration longest, LongSupplier range, LongSupplier nanos) {
    this.even = even;
    this.kind = kind;
    this.range = range;
    this.nanos = nanos;
    this.moves = new PatientMoves(longest);
  }

  @Override
  public void start(ActorSystem actorSystem) {
    system = actorSystem;
    even.start(actorSystem);
  }

  @Override
  public Future<ActorRef> allocateShard(
      ActorRef requester, String shard, Map<ActorRef, IndexedSeq<String>> allocations) {
    return even.allocateShard(requester, shard, allocations);
  }

  @Override
  public Future<Set<String>> rebalance(
      Map<ActorRef, IndexedSeq<String>> allocations, Set<String> inProgress) {
    var misplaced =
        even.misplaced(allocations).stream().filter(shard -> !inProgress.contains(shard)).toList();
    var due = moves.look(misplaced, range.getAsLong(), nanos.getAsLong());
    int atOnce = EvenAllocation.MOVED_AT_ONCE - inProgress.size();
    if (misplaced.isEmpty() || even.isUnsettled()) {
      return Future.successful(Set.of());
    }
    return FutureConverters.asScala(
        occupied(misplaced).thenApply(occupied -> due.moves(occupied, atOnce)));
  }

  private CompletionStage<Set<String>> occupied(List<String> misplaced) {
    var question = new GetClusterShardingStats(FiniteDuration.fromNanos(ANSWER.toNanos()));
    return Patterns.ask(
            ClusterSharding.get(system).shardRegion(kind), question, ANSWER.multipliedBy(2))
        .thenApply(ClusterShardingStats.class::cast)
        .thenApply(stats -> occupied(misplaced, stats))
        .exceptionally(failure -> Set.copyOf(misplaced));
  }

  private static Set<String> occupied(List<String> misplaced, ClusterShardingStats stats) {
    var occupied = new HashSet<>(misplaced);
    for (ShardRegionStats region : stats.getRegions().values()) {
      region
          .getStats()
          .forEach(
              (shard, entities) -> {
                if (Integer.valueOf(0).equals(entities)) {
                  occupied.remove(shard);
                }
              });
    }
    return occupied;
  }
}
