package dev.sequitur.cluster.placement;

import akka.actor.ActorSystem;
import akka.cluster.Cluster;
import akka.cluster.Member;
import akka.cluster.MemberStatus;
import dev.sequitur.protocol.placement.EvenShares;
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
  private final int shards;
  private volatile Known known = new Known(Set.of(), List.of());

  private record Known(Set<String> jvms, List<String> places) {}

  private ShardPlaces(Cluster cluster, int shards) {
    this.cluster = cluster;
    this.shards = shards;
  }

  public static ShardPlaces of(ActorSystem system) {
    int shards = system.settings().config().getInt("akka.cluster.sharding.number-of-shards");
    return new ShardPlaces(Cluster.get(system), shards);
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
    var latest = known;
    if (!latest.jvms.equals(jvms)) {
      latest = new Known(jvms, jvms.isEmpty() ? List.of() : EvenShares.of(shards, jvms));
      known = latest;
    }
    return latest.places;
  }
}
