package dev.sequitur.sequencer.runtime;

import akka.actor.Address;
import akka.actor.AddressFromURIString;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import akka.cluster.Member;
import akka.cluster.MemberStatus;
import akka.cluster.typed.Cluster;
import dev.sequitur.cluster.downing.DeadJvms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A JVM's way into the cluster of its node. */
final class Membership {
  /** Besides the time that Akka takes to find out that nobody answers. */
  private static final Duration LOOK_FOR_OTHERS = Duration.ofSeconds(15);

  private Membership() {}

  /** How many JVMs the node has now, as far as this one knows. */
  static int jvms(ActorSystem<?> system) {
    var members = new ArrayList<Member>();
    Cluster.get(system).state().getMembers().forEach(members::add);
    return (int) members.stream().filter(member -> member.status() == MemberStatus.up()).count();
  }

  /** Whether this JVM is a full member of its node's cluster, neither on its way in nor out. */
  static boolean isMember(ActorSystem<?> system) {
    return Cluster.get(system).selfMember().status() == MemberStatus.up();
  }

  /**
   * Joins the JVMs that the configuration names, or begins a cluster of one. Those that are named
   * to Akka itself it joins by itself.
   *
   * @param others whether other JVMs may be there: then even the first one named, which begins a
   *     cluster when it finds nobody, looks for them for longer, since its beginning ends them
   * @return completes when this JVM is a member; fails with a sentence that says what to do, if it
   *     finds nobody
   */
  static CompletionStage<Void> join(ActorSystem<?> system, boolean others) {
    var cluster = akka.cluster.Cluster.get(Adapter.toClassic(system));
    var joined = new CompletableFuture<Void>();
    cluster.registerOnMemberUp(() -> joined.complete(null));
    var config = system.settings().config();
    var seeds =
        config.getStringList("sequitur.seed-nodes").stream()
            .map(AddressFromURIString::parse)
            .toList();
    if (!seeds.isEmpty()) {
      joinSeeds(new ClusterToJoin(system, cluster), seeds, others);
    } else if (config.getStringList("akka.cluster.seed-nodes").isEmpty()) {
      cluster.join(cluster.selfAddress());
    }
    system
        .getWhenTerminated()
        .whenComplete(
            (done, failure) ->
                joined.completeExceptionally(
                    new IllegalStateException(
                        "It found no other JVM of its node to join: start the first of"
                            + " cluster.seed-nodes, and look into the log of this one.")));
    return joined;
  }

  /**
   * As {@link #join}, of seeds that the configuration names. Where others may be, one that was at
   * the place of this JVM may have died a moment ago: they are joined once they have done with it.
   */
  static void joinSeeds(ToJoin cluster, List<Address> seeds, boolean others) {
    if (others && !seeds.equals(List.of(cluster.self()))) {
      cluster.unreckoned(() -> look(cluster, seeds, true));
    } else {
      look(cluster, seeds, others);
    }
  }

  private static void look(ToJoin cluster, List<Address> seeds, boolean others) {
    var elsewhere = seeds.stream().filter(seed -> !seed.equals(cluster.self())).toList();
    boolean begins = seeds.get(0).equals(cluster.self());
    if (others && begins && !elsewhere.isEmpty()) {
      cluster.join(elsewhere);
      cluster.after(
          LOOK_FOR_OTHERS,
          () -> {
            if (!cluster.isDecided()) {
              cluster.join(seeds);
            }
          });
    } else {
      cluster.join(seeds);
    }
  }

  /** The node's cluster, for a JVM that is no member yet. */
  interface ToJoin {
    Address self();

    /**
     * Looks for these from now on, and for nobody else, and joins whoever answers. If this JVM is
     * the first of them and nobody does, it begins a cluster.
     */
    void join(List<Address> seeds);

    /** Whether it is a member, or has given up. */
    boolean isDecided();

    void after(Duration delay, Runnable then);

    /** As {@link DeadJvms#unreckoned}. */
    void unreckoned(Runnable then);
  }

  private record ClusterToJoin(ActorSystem<?> system, akka.cluster.Cluster cluster)
      implements ToJoin {
    @Override
    public Address self() {
      return cluster.selfAddress();
    }

    @Override
    public void join(List<Address> seeds) {
      cluster.joinSeedNodes(seeds);
    }

    @Override
    public boolean isDecided() {
      return cluster.isTerminated() || cluster.state().getMembers().iterator().hasNext();
    }

    @Override
    public void after(Duration delay, Runnable then) {
      system.scheduler().scheduleOnce(delay, then, system.executionContext());
    }

    @Override
    public void unreckoned(Runnable then) {
      var unused = DeadJvms.get(system).unreckoned().thenRun(then);
    }
  }
}
