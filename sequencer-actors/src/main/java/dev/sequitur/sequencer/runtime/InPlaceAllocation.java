package dev.sequitur.sequencer.runtime;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.cluster.sharding.ShardCoordinator;
import dev.sequitur.cluster.placement.EvenAllocation;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Map;
import scala.collection.immutable.Set;
import scala.collection.immutable.Set$;
import scala.concurrent.Future;

/** Gives a shard to the JVM that it belongs to, and leaves it there while that JVM lives. */
final class InPlaceAllocation implements ShardCoordinator.ActorSystemDependentAllocationStrategy {
  private final EvenAllocation even;

  InPlaceAllocation(int shards) {
    this.even = new EvenAllocation(shards);
  }

  @Override
  public void start(ActorSystem system) {
    even.start(system);
  }

  @Override
  public Future<ActorRef> allocateShard(
      ActorRef requester, String shard, Map<ActorRef, IndexedSeq<String>> allocations) {
    return even.allocateShard(requester, shard, allocations);
  }

  @Override
  public Future<Set<String>> rebalance(
      Map<ActorRef, IndexedSeq<String>> allocations, Set<String> inProgress) {
    return Future.successful(Set$.MODULE$.empty());
  }
}
