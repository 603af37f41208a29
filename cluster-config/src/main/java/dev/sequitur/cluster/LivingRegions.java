package dev.sequitur.cluster;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.actor.Address;
import akka.cluster.sharding.ShardCoordinator$Internal$RegionStopped;
import akka.cluster.sharding.ShardCoordinator.ActorSystemDependentAllocationStrategy;
import akka.cluster.sharding.ShardRegion;
import akka.pattern.Patterns;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Map;
import scala.concurrent.Future;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Places shards as another strategy does, and sees to it that no region of a dead JVM keeps its
 * shards.
 *
 * <p>A coordinator that begins when a JVM has died and is back already watches the region of
 * before, since it compares addresses only. In untrusted mode nobody tells it that this region has
 * ended. It would send to it for ever, and wait for it whenever a shard is to move. So where a JVM
 * has two regions of one kind, both are asked for a sign of life, as often as Akka thinks of moving
 * shards.
 *
 * <p>Called by the coordinator of one kind; blocks nobody.
 */
public final class LivingRegions implements ActorSystemDependentAllocationStrategy {
  private static final Logger LOG = LoggerFactory.getLogger(LivingRegions.class);
  private static final Duration ANSWER = Duration.ofSeconds(5);

  private final String kind;
  private final ActorSystemDependentAllocationStrategy placing;
  private final Set<ActorRef> asked = ConcurrentHashMap.newKeySet();
  private volatile ActorSystem system;

  /**
   * @param kind of entities, as it is named to sharding
   */
  public LivingRegions(String kind, ActorSystemDependentAllocationStrategy placing) {
    this.kind = kind;
    this.placing = placing;
  }

  @Override
  public void start(ActorSystem started) {
    system = started;
    placing.start(started);
  }

  @Override
  public Future<ActorRef> allocateShard(
      ActorRef requester, String shard, Map<ActorRef, IndexedSeq<String>> allocations) {
    return placing.allocateShard(requester, shard, allocations);
  }

  @Override
  public Future<scala.collection.immutable.Set<String>> rebalance(
      Map<ActorRef, IndexedSeq<String>> allocations,
      scala.collection.immutable.Set<String> inProgress) {
    ofOneJvm(CollectionConverters.asJava(allocations.keySet())).forEach(this::ask);
    return placing.rebalance(allocations, inProgress);
  }

  /** Those that share their place with others. */
  private static Collection<List<ActorRef>> ofOneJvm(Set<ActorRef> regions) {
    java.util.Map<Address, List<ActorRef>> places =
        regions.stream().collect(Collectors.groupingBy(region -> region.path().address()));
    places.values().removeIf(together -> together.size() < 2);
    return places.values();
  }

  private void ask(List<ActorRef> together) {
    if (together.stream().anyMatch(asked::contains)) {
      return;
    }
    asked.addAll(together);
    var answers = together.stream().map(this::lives).toList();
    CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .thenRun(
            () -> {
              together.forEach(asked::remove);
              // Where none answers its JVM may stand still: the cluster finds that out.
              if (answers.stream().anyMatch(CompletableFuture::join)) {
                for (int i = 0; i < together.size(); i++) {
                  if (!answers.get(i).join()) {
                    forget(together.get(i));
                  }
                }
              }
            });
  }

  private CompletableFuture<Boolean> lives(ActorRef region) {
    return Patterns.ask(region, ShardRegion.GetShardRegionState$.MODULE$, ANSWER)
        .handle((state, failure) -> failure == null)
        .toCompletableFuture();
  }

  private void forget(ActorRef region) {
    LOG.info("The coordinator of {} forgets {}, whose JVM was started anew", kind, region);
    system
        .actorSelection("/system/sharding/" + kind + "Coordinator/singleton/coordinator")
        .tell(new ShardCoordinator$Internal$RegionStopped(region), ActorRef.noSender());
  }
}
