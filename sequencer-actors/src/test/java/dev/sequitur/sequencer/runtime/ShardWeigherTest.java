package dev.sequitur.sequencer.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.Entity;
import akka.cluster.sharding.typed.javadsl.EntityTypeKey;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Join;
import dev.sequitur.cluster.placement.EvenAllocation;
import dev.sequitur.cluster.placement.RegionStats;
import dev.sequitur.cluster.placement.ShardPlaces;
import dev.sequitur.cluster.placement.ShardWork;
import dev.sequitur.protocol.placement.EvenShares;
import dev.sequitur.sequencer.actor.JvmReport;
import dev.sequitur.sequencer.runtime.JvmGathering.Gathered;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two actor systems of one cluster in this process; what they have counted is told by hand. */
class ShardWeigherTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int SHARDS = 16;
  private static final EntityTypeKey<String> KIND = EntityTypeKey.create(String.class, "kind");

  private final JvmsOfOneNode jvms = new JvmsOfOneNode();

  @AfterEach
  void stop() {
    jvms.stop();
  }

  /**
   * @param asked how often its weigher has had the JVMs asked
   */
  private record Jvm(
      ActorTestKit kit, ActorRef<ShardWeigher.Command> weigher, AtomicInteger asked) {
    String name() {
      return Cluster.get(kit.system()).selfMember().address().toString();
    }

    ShardWork work() {
      return ShardWork.get(kit.system().classicSystem());
    }

    void tell(String entity) {
      ClusterSharding.get(kit.system()).entityRefFor(KIND, entity).tell("work");
    }

    List<Integer> shards() {
      return List.copyOf(
          new TreeSet<>(
              RegionStats.of(kit.system().classicSystem(), KIND.name())
                  .toCompletableFuture()
                  .join()
                  .shards()
                  .keySet()));
    }
  }

  private Jvm jvm() {
    var kit =
        jvms.start(
            """
            akka.coordinated-shutdown.phases.cluster-sharding-shutdown-region.timeout = 2s
            akka.cluster.sharding {
              number-of-shards = %d, rebalance-interval = 200ms, state-store-mode = ddata, remember-entities = off
            }
            """
                .formatted(SHARDS));
    var first = Cluster.get(jvms.first().system());
    Cluster.get(kit.system()).manager().tell(Join.create(first.selfMember().address()));
    ClusterSharding.get(kit.system())
        .init(
            Entity.of(
                    KIND,
                    entity ->
                        ShardWork.get(kit.system().classicSystem())
                            .counting(
                                entity.getEntityId(),
                                Behaviors.receiveMessage(
                                    message ->
                                        message.equals("stop")
                                            ? Behaviors.stopped()
                                            : Behaviors.same())))
                .withStopMessage("stop")
                .withAllocationStrategy(new EvenAllocation(SHARDS)));
    var asked = new AtomicInteger();
    ActorRef<JvmGathering.Command> gathering =
        kit.spawn(
            Behaviors.receiveMessage(
                command -> {
                  var question = (JvmGathering.Gather) command;
                  question.replyTo().tell(gathered(asked.incrementAndGet()));
                  return Behaviors.same();
                }));
    return new Jvm(kit, kit.spawn(ShardWeigher.create(gathering, Duration.ofHours(1))), asked);
  }

  private List<String> names() {
    var names = new ArrayList<String>();
    Cluster.get(jvms.first().system())
        .state()
        .getMembers()
        .forEach(member -> names.add(member.address().toString()));
    return names;
  }

  /** One of the JVMs has done all. */
  private Gathered gathered(int look) {
    var states = new TreeMap<String, String>();
    var reports = new TreeMap<String, JvmReport>();
    var names = names();
    var places = EvenShares.of(SHARDS, names);
    for (var jvm : names) {
      states.put(jvm, "up");
      reports.put(jvm, report(jvm, done(places, jvm, look)));
    }
    return new Gathered(false, states, reports);
  }

  private static List<Long> done(List<String> places, String jvm, int look) {
    var busy = places.getFirst();
    return IntStream.range(0, SHARDS)
        .mapToObj(shard -> places.get(shard).equals(busy) && jvm.equals(busy) ? look * 10_000L : 0L)
        .toList();
  }

  private static JvmReport report(String jvm, List<Long> done) {
    return new JvmReport(1, jvm, Instant.EPOCH, Map.of(), Map.of(), List.of(), 0, 0, 0, done, 0);
  }

  @Test
  void whatTheOldestDecidesHoldsInAllJvmsAndShardsMove() {
    var first = jvm();
    await().atMost(PATIENCE).until(() -> names().size() == 1);
    var second = jvm();
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                Membership.jvms(first.kit().system()) == 2
                    && Membership.jvms(second.kit().system()) == 2);
    var jvmsBefore = List.of(first.name(), second.name());
    var even = EvenShares.of(SHARDS, jvmsBefore);
    for (int i = 0; i < 20 * SHARDS; i++) {
      first.tell("entity" + i);
    }

    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              first.weigher().tell(new ShardWeigher.Look());
              second.weigher().tell(new ShardWeigher.Look());
              return second.work().weights().number() > 0;
            });

    var weights = second.work().weights();
    assertThat(first.work().weights()).isEqualTo(weights);
    assertThat(second.asked()).hasValue(0);
    var places = EvenShares.of(SHARDS, jvmsBefore, weights);
    assertThat(places).isNotEqualTo(even);
    for (var jvm : List.of(first, second)) {
      assertThat(ShardPlaces.of(jvm.kit().system().classicSystem()).now()).isEqualTo(places);
      var its =
          IntStream.range(0, SHARDS).filter(i -> places.get(i).equals(jvm.name())).boxed().toList();
      // A region that is busy does not say what it has.
      await()
          .atMost(PATIENCE)
          .ignoreExceptions()
          .untilAsserted(() -> assertThat(jvm.shards()).isEqualTo(its));
    }
  }

  @Test
  void eachMessageCountsForTheShardOfItsEntity() {
    var first = jvm();
    await().atMost(PATIENCE).until(() -> Membership.jvms(first.kit().system()) == 1);
    first.tell("one");
    first.tell("one");
    first.tell("another");

    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              var done = first.work().done();
              assertThat(done.get(Math.abs("one".hashCode() % SHARDS))).isEqualTo(2);
              assertThat(done.get(Math.abs("another".hashCode() % SHARDS))).isEqualTo(1);
              assertThat(done.stream().mapToLong(each -> each).sum()).isEqualTo(3);
            });
  }
}
