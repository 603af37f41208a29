package dev.sequitur.multijvm;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.Address;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.AskPattern;
import akka.cluster.sharding.ShardRegion.ClusterShardingStats;
import akka.cluster.sharding.ShardRegion.CurrentShardRegionState;
import akka.cluster.sharding.typed.ClusterShardingQuery;
import akka.cluster.sharding.typed.GetClusterShardingStats;
import akka.cluster.sharding.typed.GetShardRegionState;
import akka.cluster.sharding.typed.HashCodeMessageExtractor;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import dev.sequitur.node.network.Group;
import dev.sequitur.node.network.Intents;
import dev.sequitur.node.network.Parties;
import dev.sequitur.sequencer.actor.SenderActor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * In which JVM of a node the senders of its contracts are: that of a test must be where the test
 * needs it, which hashes of ports and of contracts decide.
 */
record SenderPlaces(ActorSystem<?> system) {
  private static final Duration ASK = Duration.ofSeconds(60);

  /** Each has a chance of about one in three. */
  private static final int MOST_TRIED = 60;

  /** Of these, those whose sender is awake in a JVM. */
  List<Group> at(Address jvm, List<Group> groups) throws Exception {
    var shards = shardsAt(jvm);
    var hashes =
        new HashCodeMessageExtractor<Object>(
            system.settings().config().getInt("akka.cluster.sharding.number-of-shards"));
    return groups.stream()
        .filter(group -> shards.contains(hashes.shardId(group.contract())))
        .toList();
  }

  private Set<String> shardsAt(Address jvm) throws Exception {
    var stats =
        AskPattern.<ClusterShardingQuery, ClusterShardingStats>ask(
                ClusterSharding.get(system).shardState(),
                replyTo -> new GetClusterShardingStats(SenderActor.KEY, ASK, replyTo),
                ASK,
                system.scheduler())
            .toCompletableFuture()
            .get(ASK.toSeconds(), TimeUnit.SECONDS);
    var region = stats.getRegions().get(jvm);
    return region == null ? Set.of() : region.getStats().keySet();
  }

  /** The contracts whose sender is awake in this JVM; answered even if it is cut off. */
  List<String> here() throws Exception {
    var state =
        AskPattern.<ClusterShardingQuery, CurrentShardRegionState>ask(
                ClusterSharding.get(system).shardState(),
                replyTo -> new GetShardRegionState(SenderActor.KEY, replyTo),
                ASK,
                system.scheduler())
            .toCompletableFuture()
            .get(ASK.toSeconds(), TimeUnit.SECONDS);
    var contracts = new ArrayList<String>();
    state.getShards().forEach(shard -> contracts.addAll(shard.getEntityIds()));
    return contracts;
  }

  /**
   * Makes groups until so many of them, each with one intent completed, have their sender in a JVM.
   *
   * @return as many groups as are wished, those among them
   */
  List<Group> groups(Parties parties, Intents intents, Wish wish) throws Exception {
    var made = new ArrayList<Group>();
    while (made.size() < wish.groups() || at(wish.jvm(), made).size() < wish.there()) {
      assertThat(made).as("groups made").hasSizeLessThan(MOST_TRIED);
      var group = Group.create(parties, 1);
      intents.send(1, group);
      intents.awaitSuccess();
      made.add(group);
    }
    var there = at(wish.jvm(), made);
    made.removeAll(there);
    made.addAll(0, there);
    return List.copyOf(made.subList(0, wish.groups()));
  }

  /**
   * @param there how many of the groups are to be in the JVM, at least
   */
  record Wish(int groups, int there, Address jvm) {}
}
