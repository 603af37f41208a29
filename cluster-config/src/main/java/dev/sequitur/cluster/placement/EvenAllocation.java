package dev.sequitur.cluster.placement;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.actor.Address;
import akka.cluster.Cluster;
import akka.cluster.Member;
import akka.cluster.MemberStatus;
import akka.cluster.sharding.ShardCoordinator.AbstractShardAllocationStrategy;
import akka.cluster.sharding.ShardCoordinator.ActorSystemDependentAllocationStrategy;
import dev.sequitur.protocol.placement.EvenShares;
import dev.sequitur.protocol.placement.ShardWeights;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import scala.collection.immutable.IndexedSeq;
import scala.concurrent.Future;

/**
 * Gives each shard to the JVM that it belongs to by {@link EvenShares}, and moves it there, some at
 * a time, when JVMs have come or gone or shards have got other weights ({@link ShardWork}).
 *
 * <p>Of one kind of entity; used by the JVM that deals out its shards, in that actor alone.
 */
public final class EvenAllocation extends AbstractShardAllocationStrategy
    implements ActorSystemDependentAllocationStrategy {
  /** Shards of one kind that are on their way at once. */
  static final int MOVED_AT_ONCE = 8;

  private static final Set<MemberStatus> GOING =
      Set.of(
          MemberStatus.leaving(),
          MemberStatus.exiting(),
          MemberStatus.down(),
          MemberStatus.removed());

  private final int shards;
  private Cluster cluster;
  private ShardWork work;
  private Known known = new Known(Set.of(), ShardWeights.NONE, List.of());

  private record Known(Set<String> jvms, ShardWeights weights, List<String> belong) {}

  /**
   * @param shards how many there are of the kind, numbered from 0
   */
  public EvenAllocation(int shards) {
    this.shards = shards;
  }

  @Override
  public void start(ActorSystem system) {
    cluster = Cluster.get(system);
    work = ShardWork.get(system);
  }

  @Override
  public Future<ActorRef> allocateShard(
      ActorRef requester, String shard, Map<ActorRef, IndexedSeq<String>> allocations) {
    var regions = regions(allocations);
    var home = EvenShares.home(Integer.parseInt(shard), belong(regions.keySet()));
    var there = regions.get(home);
    return Future.successful(there);
  }

  @Override
  public Future<Set<String>> rebalance(
      Map<ActorRef, IndexedSeq<String>> allocations, Set<String> inProgress) {
    int most = MOVED_AT_ONCE - inProgress.size();
    if (most <= 0 || isUnsettled()) {
      return Future.successful(Set.of());
    }
    return Future.successful(
        misplaced(allocations).stream()
            .filter(shard -> !inProgress.contains(shard))
            .limit(most)
            .collect(Collectors.toSet()));
  }

  /** In order. */
  List<String> misplaced(Map<ActorRef, IndexedSeq<String>> allocations) {
    var at = new HashMap<String, String>();
    allocations.forEach(
        (region, its) -> {
          var jvm = address(region).toString();
          its.foreach(shard -> at.put(shard, jvm));
        });
    return EvenShares.misplaced(at, belong(regions(allocations).keySet()));
  }

  /** A shard is handed over once each JVM has said so; one that cannot be reached says nothing. */
  boolean isUnsettled() {
    return !cluster.state().getUnreachable().isEmpty();
  }

  private List<String> belong(Set<String> jvms) {
    var weights = work.weights();
    if (!jvms.equals(known.jvms) || weights.number() != known.weights.number()) {
      known = new Known(Set.copyOf(jvms), weights, EvenShares.of(shards, jvms, weights));
    }
    return known.belong;
  }

  /** Those that take shards, by the names of their JVMs: all, where all are going. */
  private Map<String, ActorRef> regions(Map<ActorRef, IndexedSeq<String>> allocations) {
    var going = going();
    var all = new HashMap<String, ActorRef>();
    var staying = new HashMap<String, ActorRef>();
    for (var region : allocations.keySet()) {
      var address = address(region);
      all.put(address.toString(), region);
      if (!going.contains(address)) {
        staying.put(address.toString(), region);
      }
    }
    return staying.isEmpty() ? all : staying;
  }

  private Set<Address> going() {
    var addresses = new HashSet<Address>();
    StreamSupport.stream(cluster.state().getMembers().spliterator(), false)
        .filter(member -> GOING.contains(member.status()))
        .map(Member::address)
        .forEach(addresses::add);
    return addresses;
  }

  /** That of the own JVM is not in the paths of its actors. */
  private Address address(ActorRef region) {
    var address = region.path().address();
    return address.hasLocalScope() ? cluster.selfMember().address() : address;
  }
}
