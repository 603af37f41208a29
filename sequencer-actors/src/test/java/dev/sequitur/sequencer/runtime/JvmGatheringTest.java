package dev.sequitur.sequencer.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.Adapter;
import akka.actor.typed.javadsl.AskPattern;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.Entity;
import akka.cluster.sharding.typed.javadsl.EntityTypeKey;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Join;
import dev.sequitur.cluster.placement.AwakeEntities;
import dev.sequitur.cluster.placement.EvenAllocation;
import dev.sequitur.protocol.placement.EvenShares;
import dev.sequitur.sequencer.runtime.JvmGathering.Gathered;
import dev.sequitur.sequencer.view.Whereabouts;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two actor systems of one cluster in this process, that ask each other how they are. */
class JvmGatheringTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Instant JOINED = Instant.parse("2026-01-02T03:04:05Z");
  private static final Instant WOKE = Instant.parse("2026-01-02T03:05:00Z");
  private static final int SHARDS = 16;
  private static final Function<Set<String>, List<String>> BELONGING =
      jvms -> EvenShares.of(SHARDS, jvms);
  private static final EntityTypeKey<String> KIND = EntityTypeKey.create(String.class, "kind");

  private final JvmsOfOneNode jvms = new JvmsOfOneNode();

  /** One JVM with what it tells. */
  private record Jvm(ActorTestKit kit, JvmSelf self, ActorRef<JvmGathering.Command> gathering) {
    Gathered ask(Optional<String> sought) {
      return AskPattern.<JvmGathering.Command, Gathered>ask(
              gathering,
              replyTo -> new JvmGathering.Gather(sought, replyTo),
              PATIENCE,
              kit.scheduler())
          .toCompletableFuture()
          .join();
    }

    void wake(String entity) {
      ClusterSharding.get(kit.system()).entityRefFor(KIND, entity).tell("wake");
    }
  }

  private Jvm jvm(boolean answers) {
    var kit =
        jvms.start(
            """
            # Nobody takes the shards over in the end.
            akka.coordinated-shutdown.phases.cluster-sharding-shutdown-region.timeout = 2s
            akka.cluster.sharding {
              number-of-shards = %d, rebalance-interval = 200ms, state-store-mode = ddata, remember-entities = off
            }
            """
                .formatted(SHARDS));
    var first = Cluster.get(jvms.first().system());
    Cluster.get(kit.system()).manager().tell(Join.create(first.selfMember().address()));
    var registry = new PrometheusRegistry();
    Counter.builder()
        .name("sequitur_transport_envelopes")
        .labelNames("direction")
        .register(registry)
        .labelValues("received")
        .inc(7);
    Histogram.builder()
        .name("sequitur_store_commit_duration_seconds")
        .labelNames("store")
        .register(registry)
        .labelValues("database")
        .observe(0.25);
    ClusterSharding.get(kit.system())
        .init(
            Entity.of(
                    KIND,
                    entity ->
                        Behaviors.setup(
                            context -> {
                              AwakeEntities.get(context.getSystem().classicSystem())
                                  .woke(
                                      KIND.name(),
                                      entity.getEntityId(),
                                      Adapter.toClassic(context.getSelf()),
                                      WOKE);
                              return Behaviors.receiveMessage(
                                  message ->
                                      message.equals("stop")
                                          ? Behaviors.stopped()
                                          : Behaviors.same());
                            }))
                .withStopMessage("stop")
                .withAllocationStrategy(new EvenAllocation(SHARDS)));
    var self = new JvmSelf(kit.system().classicSystem(), registry, JOINED, List.of("indexer"));
    return new Jvm(kit, self, answers ? kit.spawn(JvmGathering.create(self)) : null);
  }

  private static void awaitMembers(Jvm jvm, int number) {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              var states = jvm.ask(Optional.empty()).states().values();
              return states.size() == number && states.stream().allMatch("up"::equals);
            });
  }

  /** The shards of all names are somewhere then. */
  private static void wakeMany(Jvm jvm) {
    for (int i = 0; i < 20 * SHARDS; i++) {
      jvm.wake("entity" + i);
    }
  }

  @AfterEach
  void stop() {
    jvms.stop();
  }

  @Test
  void eachTellsWhatItHasAndWhatMoves() {
    var first = jvm(true);
    awaitMembers(first, 1);
    wakeMany(first);
    var second = jvm(true);
    awaitMembers(first, 2);

    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              var views = JvmViews.of(first.ask(Optional.empty()), first.self().name(), BELONGING);
              assertThat(views).hasSize(2);
              assertThat(views)
                  .filteredOn(view -> view.asked())
                  .singleElement()
                  .satisfies(view -> assertThat(view.jvm()).isEqualTo(first.self().name()));
              for (var view : views) {
                var told = view.told().orElseThrow();
                var share = told.kinds().get(KIND.name());
                assertThat(share.shards()).isEqualTo(SHARDS / 2);
                assertThat(share.moves().toGo() + share.moves().toCome()).isZero();
                assertThat(told.joined()).isEqualTo(JOINED);
                assertThat(told.received()).isEqualTo(7);
                assertThat(told.writing()).isEqualTo(Duration.ofMillis(250));
                assertThat(told.singletons()).isEmpty();
              }
            });
    assertThat(second.ask(Optional.empty()).reports()).hasSize(2);
  }

  @Test
  void anEntityIsFoundFromEachJvmAndNotAfterItsEnd() {
    var first = jvm(true);
    var second = jvm(true);
    awaitMembers(first, 2);
    awaitMembers(second, 2);
    first.wake("one");

    for (var jvm : List.of(first, second)) {
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(where(jvm).awake())
                      .singleElement()
                      .satisfies(
                          awake -> {
                            assertThat(awake.kind()).isEqualTo(KIND.name());
                            assertThat(awake.since()).isEqualTo(WOKE);
                          }));
    }
    assertThat(JvmViews.where(first.ask(Optional.of("one")), Set.of("another")).awake()).isEmpty();
    ClusterSharding.get(first.kit().system()).entityRefFor(KIND, "one").tell("stop");
    await().atMost(PATIENCE).until(() -> where(second).awake().isEmpty());
  }

  private static Whereabouts where(Jvm jvm) {
    return JvmViews.where(jvm.ask(Optional.of("one")), Set.of(KIND.name()));
  }

  @Test
  void whoDoesNotAnswerIsThereAndSilent() {
    var first = jvm(true);
    var second = jvm(false);
    awaitMembers(first, 2);

    var gathered = first.ask(Optional.of("one"));

    assertThat(JvmViews.of(gathered, first.self().name(), BELONGING))
        .filteredOn(view -> view.told().isEmpty())
        .singleElement()
        .satisfies(view -> assertThat(view.jvm()).isEqualTo(second.self().name()));
    assertThat(where(first).silent()).containsExactly(second.self().name());
  }

  @Test
  void noMoreAreAskedAtOnceThanIsGood() {
    var first = jvm(true);
    jvm(false);
    awaitMembers(first, 2);
    var answers = first.kit().<Gathered>createTestProbe();
    for (int i = 0; i < JvmGathering.OPEN_LIMIT; i++) {
      first.gathering().tell(new JvmGathering.Gather(Optional.empty(), answers.ref()));
    }

    assertThat(first.ask(Optional.empty()).tooMany()).isTrue();
  }
}
