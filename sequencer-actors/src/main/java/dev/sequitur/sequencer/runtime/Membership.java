package dev.sequitur.sequencer.runtime;

import akka.actor.AddressFromURIString;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import akka.cluster.Member;
import akka.cluster.MemberStatus;
import akka.cluster.typed.Cluster;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A JVM's way into the cluster of its node. */
final class Membership {
  private Membership() {}

  /** How many JVMs the node has now, as far as this one knows. */
  static int jvms(ActorSystem<?> system) {
    var members = new ArrayList<Member>();
    Cluster.get(system).state().getMembers().forEach(members::add);
    return (int) members.stream().filter(member -> member.status() == MemberStatus.up()).count();
  }

  /**
   * Joins the JVMs that the configuration names, or begins a cluster of one. Those that are named
   * to Akka itself it joins by itself.
   *
   * @return completes when this JVM is a member; fails with a sentence that says what to do, if it
   *     finds nobody
   */
  static CompletionStage<Void> join(ActorSystem<?> system) {
    var cluster = akka.cluster.Cluster.get(Adapter.toClassic(system));
    var joined = new CompletableFuture<Void>();
    cluster.registerOnMemberUp(() -> joined.complete(null));
    var config = system.settings().config();
    var seeds =
        config.getStringList("sequitur.seed-nodes").stream()
            .map(AddressFromURIString::parse)
            .toList();
    if (!seeds.isEmpty()) {
      cluster.joinSeedNodes(seeds);
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
}
