package dev.sequitur.cluster.placement;

import akka.actor.ActorSystem;
import akka.cluster.Cluster;
import akka.cluster.Member;
import akka.cluster.MemberStatus;
import dev.sequitur.protocol.placement.EvenShares;
import dev.sequitur.protocol.placement.ShardWeights;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Where the shards of this JVM's node belong, as {@link EvenAllocation} deals them out: each JVM
 * can tell by itself. A shard that is still to move is elsewhere. Thread-safe.
 */
public final class ShardPlaces {
  private final Cluster cluster;
  private final ShardWork work;
  private volatile Known known = new Known(Set.of(), ShardWeights.NONE, List.of());

  private record Known(Set<String> jvms, ShardWeights weights, List<String> places) {}

  private ShardPlaces(Cluster cluster, ShardWork work) {
    this.cluster = cluster;
    this.work = work;
  }

  public static ShardPlaces of(ActorSystem system) {
    return new ShardPlaces(Cluster.get(system), ShardWork.get(system));
  }

  /** The name of this JVM. */
  public String self() {
    return cluster.selfMember().address().toString();
  }

  /** The JVM of each shard, at its number; empty while no JVM takes any. */
  public List<String> now() {
    var jvms =
        StreamSupport.stream(cluster.state().getMembers().spliterator(), false)
            .filter(member -> member.status().equals(MemberStatus.up()))
            .map(Member::address)
            .map(Object::toString)
            .collect(Collectors.toUnmodifiableSet());
    var weights = work.weights();
    var latest = known;
    if (!latest.jvms.equals(jvms) || latest.weights.number() != weights.number()) {
      var places = jvms.isEmpty() ? List.<String>of() : EvenShares.of(work.shards(), jvms, weights);
      latest = new Known(jvms, weights, places);
      known = latest;
    }
    return latest.places;
  }
}
