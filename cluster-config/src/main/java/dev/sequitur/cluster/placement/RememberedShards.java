package dev.sequitur.cluster.placement;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.actor.ExtendedActorSystem;
import akka.actor.Props;
import akka.cluster.sharding.ClusterShardingSettings;
import akka.cluster.sharding.internal.EventSourcedRememberEntitiesCoordinatorStore;
import akka.cluster.sharding.internal.EventSourcedRememberEntitiesShardStore;
import akka.cluster.sharding.internal.RememberEntitiesCoordinatorStore;
import akka.cluster.sharding.internal.RememberEntitiesShardStore;
import akka.pattern.Patterns;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.cluster.TrustedPaths;
import dev.sequitur.persistence.journal.StoredShards;
import dev.sequitur.protocol.placement.Redealt;
import dev.sequitur.protocol.port.Answers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The lists of which entities are to be started again: one for each shard of a kind, and one of the
 * shards that have any. Where the node has got another number of shards, they are dealt anew before
 * any shard is there ({@link Redealt}). Akka's own actors that keep the lists do it, so that what
 * they find later is what they have written.
 */
public final class RememberedShards {
  private static final Logger LOG = LoggerFactory.getLogger(RememberedShards.class);
  private static final String NUMBER = "akka.cluster.sharding.number-of-shards";

  /** A list is read before it is answered. */
  private static final Duration ANSWER = Duration.ofSeconds(30);

  private final ExtendedActorSystem system;
  private final ClusterShardingSettings settings;
  private final StoredShards stored;
  private final int shards;

  private RememberedShards(ActorSystem system) {
    this.system = (ExtendedActorSystem) system;
    var config = system.settings().config();
    this.settings = ClusterShardingSettings.apply(config.getConfig("sequitur.sharding.remembered"));
    this.stored = StoredShards.of(system);
    this.shards = number(system);
  }

  /** Of a JVM with so many shards of each kind. */
  public static Config configured(int shards) {
    return ConfigFactory.parseMap(Map.of(NUMBER, shards));
  }

  /** How many shards the JVM of a system is configured with. */
  public static int number(ActorSystem system) {
    return system.settings().config().getInt(NUMBER);
  }

  /**
   * Has entities remembered by the number of shards that the system is configured with. To be
   * called before any kind of entity is registered, by one JVM of a node at a time, while none has
   * another number.
   */
  public static CompletionStage<Void> agree(ActorSystem system) {
    return new RememberedShards(system).agree();
  }

  private CompletionStage<Void> agree() {
    return stored
        .number()
        .thenCompose(
            number ->
                number.isPresent() && number.getAsInt() == shards
                    ? CompletableFuture.completedFuture(null)
                    : deal());
  }

  private CompletionStage<Void> deal() {
    LOG.info("Entities of this node are dealt to {} shards of each kind.", shards);
    return stored
        .begin()
        .thenCompose(
            begun ->
                Answers.inTurn(
                    TrustedPaths.sharded(system.settings().config()),
                    kind -> new Kind(kind).deal()))
        .thenCompose(dealt -> stored.done(shards));
  }

  /** The lists of one kind. */
  private final class Kind {
    private final String name;
    private final ActorRef register;
    private final Map<Integer, ActorRef> lists = new HashMap<>();

    Kind(String name) {
      this.name = name;
      this.register =
          start("register", EventSourcedRememberEntitiesCoordinatorStore.props(name, settings));
    }

    private ActorRef start(String what, Props props) {
      return system.systemActorOf(props, "remembered-" + name + "-" + what);
    }

    private synchronized ActorRef list(int shard) {
      return lists.computeIfAbsent(
          shard,
          any -> {
            var id = Integer.toString(shard);
            return start(id, EventSourcedRememberEntitiesShardStore.props(name, id, settings));
          });
    }

    CompletionStage<Void> deal() {
      return registered()
          .thenCompose(
              registered ->
                  read(registered)
                      .thenApply(before -> Redealt.of(before, shards))
                      .thenCompose(
                          redealt ->
                              register(redealt, registered)
                                  .thenCompose(done -> change(redealt.added(), true))
                                  .thenCompose(done -> change(redealt.removed(), false))))
          .handle((done, failure) -> ended().thenApply(ended -> failure))
          .thenCompose(ended -> ended)
          .thenCompose(
              failure ->
                  failure == null
                      ? CompletableFuture.completedFuture(null)
                      : CompletableFuture.failedFuture(Answers.cause(failure)));
    }

    private CompletionStage<Set<Integer>> registered() {
      return Patterns.ask(register, RememberEntitiesCoordinatorStore.GetShards$.MODULE$, ANSWER)
          .thenApply(RememberEntitiesCoordinatorStore.RememberedShards.class::cast)
          .thenApply(
              answer ->
                  CollectionConverters.asJava(answer.entities()).stream()
                      .map(Integer::valueOf)
                      .collect(Collectors.toUnmodifiableSet()));
    }

    private CompletionStage<Map<Integer, Set<String>>> read(Set<Integer> registered) {
      return Answers.all(registered.stream().map(this::read).toList())
          .thenApply(
              all ->
                  all.stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    private CompletionStage<Map.Entry<Integer, Set<String>>> read(int shard) {
      return Patterns.ask(list(shard), RememberEntitiesShardStore.GetEntities$.MODULE$, ANSWER)
          .thenApply(RememberEntitiesShardStore.RememberedEntities.class::cast)
          .thenApply(
              answer ->
                  Map.entry(shard, Set.copyOf(CollectionConverters.asJava(answer.entities()))));
    }

    /** First: a list that is on no register is read by nobody. */
    private CompletionStage<?> register(Redealt redealt, Set<Integer> registered) {
      return Answers.all(
          redealt.added().keySet().stream()
              .filter(shard -> !registered.contains(shard))
              .map(
                  shard ->
                      Patterns.ask(
                              register,
                              new RememberEntitiesCoordinatorStore.AddShard(shard.toString()),
                              ANSWER)
                          .thenApply(RememberEntitiesCoordinatorStore.UpdateDone.class::cast))
              .toList());
    }

    private CompletionStage<?> change(Map<Integer, Set<String>> changes, boolean isAdded) {
      return Answers.all(
          changes.entrySet().stream()
              .map(each -> change(each.getKey(), each.getValue(), isAdded))
              .toList());
    }

    private CompletionStage<?> change(int shard, Set<String> entities, boolean isAdded) {
      var changed = CollectionConverters.asScala(entities).<String>toSet();
      var none = CollectionConverters.asScala(Set.<String>of()).<String>toSet();
      return Patterns.ask(
              list(shard),
              new RememberEntitiesShardStore.Update(
                  isAdded ? changed : none, isAdded ? none : changed),
              ANSWER)
          .thenApply(RememberEntitiesShardStore.UpdateDone.class::cast);
    }

    /** Those of the shards themselves begin after these. */
    private synchronized CompletionStage<?> ended() {
      return Answers.all(
          Stream.concat(Stream.of(register), lists.values().stream())
              .map(each -> Patterns.gracefulStop(each, ANSWER))
              .toList());
    }
  }
}
