package dev.sequitur.cluster.downing;

import akka.actor.Address;
import akka.actor.ExtendedActorSystem;
import akka.cluster.Cluster;
import akka.cluster.sharding.ClusterSharding;
import akka.cluster.sharding.ShardRegion;
import akka.pattern.Patterns;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * At which addresses the cluster of this JVM reckons with others: where its members are, and where
 * one that was removed was until no coordinator of shards has a region of it any more. A
 * coordinator that begins tells regions of before by the address alone. In untrusted mode nobody
 * answers that an actor has ended, so it would keep those of a JVM that died and is back, and what
 * is sent to them is lost. Used by one thread at a time.
 */
final class Reckoned {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final Supplier<CompletionStage<Optional<Set<Address>>>> regions;
  private Set<Address> addresses = Set.of();
  private Set<Address> asked = Set.of();
  private CompletableFuture<Optional<Set<Address>>> answer =
      CompletableFuture.completedFuture(Optional.empty());

  /**
   * @param regions asks where all coordinators together have regions; empty if one of them is not
   *     there yet, or does not count this JVM either
   */
  Reckoned(Supplier<CompletionStage<Optional<Set<Address>>>> regions) {
    this.regions = regions;
  }

  /**
   * As of now. Asks the coordinators where somebody was removed, and goes by what they have
   * answered when it is called again.
   */
  Set<Address> with(Set<Address> members) {
    var all = new HashSet<>(addresses);
    if (answer.isDone()) {
      answer
          .join()
          .ifPresent(known -> all.removeIf(at -> asked.contains(at) && !known.contains(at)));
      asked = Set.of();
    }
    all.addAll(members);
    addresses = Set.copyOf(all);
    if (answer.isDone() && hasRemoved(members)) {
      asked =
          addresses.stream()
              .filter(address -> !members.contains(address))
              .collect(Collectors.toUnmodifiableSet());
      answer = regions.get().exceptionally(failure -> Optional.empty()).toCompletableFuture();
    } else if (answer.isDone()) {
      answer = CompletableFuture.completedFuture(Optional.empty());
    }
    return addresses;
  }

  /** Whether somebody is reckoned with who is no member. */
  boolean hasRemoved(Set<Address> members) {
    return !members.containsAll(addresses);
  }

  /** Asks the coordinator of each kind of entities that runs in this JVM. */
  static CompletionStage<Optional<Set<Address>>> regions(ExtendedActorSystem system) {
    var sharding = ClusterSharding.get(system);
    var self = Cluster.get(system).selfAddress();
    CompletionStage<Optional<Set<Address>>> all =
        CompletableFuture.completedFuture(Optional.of(Set.of()));
    for (var kind : sharding.getShardTypeNames()) {
      var one =
          Patterns.ask(
                  sharding.shardRegion(kind), ShardRegion.getCurrentRegionsInstance(), PATIENCE)
              .thenApply(reply -> ((ShardRegion.CurrentRegions) reply).getRegions());
      all = all.thenCombine(one, (before, at) -> joined(before, at, self));
    }
    return all;
  }

  /**
   * What the answers of several kinds of entities come to. A region that knows no coordinator
   * answers, too: that nobody has any. So an answer without this JVM, which has a region of each
   * kind, is none, and neither is all of which it is a part.
   *
   * @param before what those before it came to
   * @param answer where there are regions of one more kind
   */
  static Optional<Set<Address>> joined(
      Optional<Set<Address>> before, Set<Address> answer, Address self) {
    return before
        .filter(any -> answer.contains(self))
        .map(
            known -> {
              var both = new HashSet<>(known);
              both.addAll(answer);
              return Set.copyOf(both);
            });
  }
}
