package dev.sequitur.sequencer.runtime;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.cluster.sharding.ConsistentHashingShardAllocationStrategy;
import akka.cluster.sharding.ShardCoordinator;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Map;
import scala.collection.immutable.Set;
import scala.collection.immutable.Set$;
import scala.concurrent.Future;

/**
 * Gives a shard to the JVM that consistent hashing names, and leaves it there while that JVM lives.
 * Akka's own strategy can only limit how many shards it moves at once, and takes a limit of zero
 * for none.
 */
final class InPlaceAllocation implements ShardCoordinator.ActorSystemDependentAllocationStrategy {
  private final ConsistentHashingShardAllocationStrategy hashing =
      new ConsistentHashingShardAllocationStrategy(1);

  @Override
  public void start(ActorSystem system) {
    hashing.start(system);
  }

  @Override
  public Future<ActorRef> allocateShard(
      ActorRef requester, String shard, Map<ActorRef, IndexedSeq<String>> allocations) {
    return hashing.allocateShard(requester, shard, allocations);
  }

  @Override
  public Future<Set<String>> rebalance(
      Map<ActorRef, IndexedSeq<String>> allocations, Set<String> inProgress) {
    return Future.successful(Set$.MODULE$.empty());
  }
}
