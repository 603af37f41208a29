package dev.sequitur.sequencer.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.testkit.typed.javadsl.FishingOutcomes;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Adapter;
import akka.cluster.sharding.ShardRegion;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import dev.sequitur.protocol.coordinator.CoordinatorInput;
import dev.sequitur.protocol.coordinator.CoordinatorState;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.indexing.BlockNotice;
import dev.sequitur.protocol.sender.SenderState;
import dev.sequitur.sequencer.runtime.ActorFixture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** How the sharded entities stop, leave memory and come back. */
@Execution(ExecutionMode.CONCURRENT)
class EntityLifeTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final int MANY = 20_000;

  @TempDir private Path directory;

  private final ScriptedPorts ports = new ScriptedPorts();
  private PrivacyGroup group;
  private ActorFixture actors;
  private NodeServices services;
  private TestProbe<BlockFeedCommand> feed;
  private TestProbe<ClusterSharding.ShardCommand> shard;

  @BeforeEach
  void start() {
    group = ports.newGroup();
    start("");
  }

  private void start(String changes) {
    actors = new ActorFixture(directory, changes);
    feed = actors.testKit().createTestProbe();
    services = actors.services(ports.setup(0), feed.ref());
    services.groups().add(group);
    shard = actors.testKit().createTestProbe();
    actors.initEntities(services);
  }

  @AfterEach
  void stop() {
    actors.close();
  }

  @Test
  void eachEntityStopsWhileItRecoversAndWhileItPersists() {
    var contract = group.contract();
    stops(SenderActor.create(services, contract, shard.ref()), new SenderActor.Stop());
    stops(SubmitterActor.create(services, contract, shard.ref()), new SubmitterActor.Stop());
    stops(StateStoreActor.create(services, contract, shard.ref()), new StateStoreActor.Stop());
    stops(CoordinatorActor.create(services, contract, shard.ref()), new CoordinatorActor.Stop());
    stops(EndorserActor.create(services, contract, shard.ref()), new EndorserActor.Stop());
    var persisting =
        actors.testKit().spawn(StateStoreActor.create(services, contract, shard.ref()));
    persisting.tell(
        new StateStoreActor.BlockIndexed(
            notice(3),
            BlockHeight.ZERO,
            actors.testKit().<LedgerIndexer.Ack>createTestProbe().ref()));
    persisting.tell(new StateStoreActor.Stop());
    actors.testKit().createTestProbe().expectTerminated(persisting);
  }

  private <C> void stops(Behavior<C> entity, C stop) {
    ActorRef<C> ref = actors.testKit().spawn(entity);
    ref.tell(stop);
    actors.testKit().createTestProbe().expectTerminated(ref);
  }

  @Test
  void aSenderTakesNoBlockBeforeItsIntentsAreLoaded() {
    TestProbe<LedgerIndexer.Ack> acks = actors.testKit().createTestProbe();
    TestProbe<SenderState> states = actors.testKit().createTestProbe();
    var sender = services.entities().sender(group.contract());
    sender.tell(new SenderActor.BlockIndexed(notice(7), acks.ref()));
    sender.tell(new SenderActor.GetState(states.ref()));
    assertThat(states.receiveMessage().height()).isEqualTo(BlockHeight.ZERO);
    acks.expectNoMessage(Duration.ofMillis(200));

    ports.pending().complete(List.of());

    assertThat(acks.receiveMessage().height()).isEqualTo(new BlockHeight(7));
    sender.tell(new SenderActor.GetState(states.ref()));
    assertThat(states.receiveMessage().height()).isEqualTo(new BlockHeight(7));
  }

  /** Akka's stash would let them in one on top of the other, until the stack ends. */
  @Test
  void manyQuestionsThatComeWhileAnEntityIsRecoveredOrStoresAreAllAnswered() {
    ports.pending().complete(List.of());
    TestProbe<SenderState> states = actors.testKit().createTestProbe();
    TestProbe<LedgerIndexer.Ack> acks = actors.testKit().createTestProbe();
    TestProbe<SubmitterActor.Paid> paid = actors.testKit().createTestProbe();

    var sender =
        actors.testKit().spawn(SenderActor.create(services, group.contract(), shard.ref()));
    sender.tell(new SenderActor.BlockIndexed(notice(1), acks.ref()));
    for (int i = 0; i < MANY; i++) {
      sender.tell(new SenderActor.GetState(states.ref()));
    }
    var submitter =
        actors.testKit().spawn(SubmitterActor.create(services, group.contract(), shard.ref()));
    for (int i = 0; i < MANY; i++) {
      submitter.tell(new SubmitterActor.GetPaid(paid.ref()));
    }

    states.receiveSeveralMessages(MANY, PATIENCE);
    paid.receiveSeveralMessages(MANY, PATIENCE);
    acks.receiveMessage();
  }

  @Test
  void manyQuestionsThatComeWhileAStateStoreReadsAreAllAnswered() {
    var readable = new CompletableFuture<Void>();
    ports.read(readable);
    TestProbe<StateStoreActor.Lacked> answers = actors.testKit().createTestProbe();
    var store =
        actors.testKit().spawn(StateStoreActor.create(services, group.contract(), shard.ref()));
    for (int i = 0; i < MANY; i++) {
      store.tell(new StateStoreActor.Lack(answers.ref()));
    }
    answers.expectNoMessage(Duration.ofMillis(200));

    readable.complete(null);

    answers.receiveSeveralMessages(MANY, PATIENCE);
  }

  @Test
  void whatComesWhileAnEntityStopsIsDoneByTheNextOne() {
    ports.pending().complete(List.of());
    TestProbe<LedgerIndexer.Ack> acks = actors.testKit().createTestProbe();
    var sender = services.entities().sender(group.contract());
    var store = services.entities().stateStore(group.contract());
    for (long height = 1; height <= 20; height++) {
      sender.tell(new SenderActor.BlockIndexed(notice(height), acks.ref()));
      store.tell(new StateStoreActor.BlockIndexed(notice(height), BlockHeight.ZERO, acks.ref()));
      acks.receiveSeveralMessages(2);
      passivate("sender", new SenderActor.Stop());
      passivate("state-store", new StateStoreActor.Stop());
      sender.tell(new SenderActor.BlockIndexed(notice(height), acks.ref()));
      store.tell(new StateStoreActor.BlockIndexed(notice(height), BlockHeight.ZERO, acks.ref()));
      acks.receiveSeveralMessages(2);
    }
  }

  private void passivate(String kind, Object stop) {
    var path =
        actors.testKit().system().path().toString().replaceAll("/user.*", "")
            + "/system/sharding/"
            + kind
            + "/*/"
            + group.contract();
    var system = Adapter.toClassic(actors.testKit().system());
    var entity =
        system.actorSelection(path).resolveOne(Duration.ofSeconds(10)).toCompletableFuture().join();
    system.actorSelection(entity.path().parent()).tell(new ShardRegion.Passivate(stop), entity);
  }

  @Test
  void aWholeRegionStopsInTimeWithItsEntities() {
    ports.pending().complete(List.of());
    var contract = group.contract();
    var entities = services.entities();
    TestProbe<LedgerIndexer.Ack> acks = actors.testKit().createTestProbe();
    entities
        .coordinator(contract)
        .tell(new CoordinatorActor.Told(new CoordinatorInput.ActivitySeen()));
    entities.endorser(contract).tell(new EndorserActor.Deliver(List.of()));
    entities.submitter(contract).tell(new SubmitterActor.Deliver(List.of()));
    entities.sender(contract).tell(new SenderActor.BlockIndexed(notice(1), acks.ref()));
    entities
        .stateStore(contract)
        .tell(new StateStoreActor.BlockIndexed(notice(1), BlockHeight.ZERO, acks.ref()));
    acks.receiveSeveralMessages(2);

    var system = Adapter.toClassic(actors.testKit().system());
    var sharding = akka.cluster.sharding.ClusterSharding.get(system);
    var probe = actors.testKit().createTestProbe();
    for (var kind : List.of("sender", "submitter", "state-store", "coordinator", "endorser")) {
      var region = sharding.shardRegion(kind);
      region.tell(ShardRegion.gracefulShutdownInstance(), akka.actor.ActorRef.noSender());
      probe.expectTerminated(Adapter.toTyped(region), Duration.ofSeconds(15));
    }
  }

  @Test
  void anIdleSenderLeavesMemoryThoughBlocksGoOn() {
    ports.pending().complete(List.of());
    TestProbe<SenderState> states = actors.testKit().createTestProbe();
    var sender =
        actors.testKit().spawn(SenderActor.create(services, group.contract(), shard.ref()));
    for (int i = 1; i <= 10; i++) {
      ports.advance(Duration.ofSeconds(5));
      sender.tell(
          new SenderActor.HeightReached(
              BlockNotice.heightOnly(new BlockHeight(i), services.now())));
      sender.tell(new SenderActor.GetState(states.ref()));
      states.receiveMessage();
    }

    shard.expectMessageClass(ClusterSharding.Passivate.class);
  }

  @Test
  void anIdleCoordinatorLeavesMemoryThoughBlocksGoOn() {
    var coordinator =
        actors.testKit().spawn(CoordinatorActor.create(services, group.contract(), shard.ref()));
    TestProbe<CoordinatorState> states = actors.testKit().createTestProbe();
    for (int i = 1; i <= 10; i++) {
      ports.advance(Duration.ofSeconds(5));
      coordinator.tell(
          new CoordinatorActor.BlockIndexed(
              BlockNotice.heightOnly(new BlockHeight(i), services.now())));
      coordinator.tell(new CoordinatorActor.GetState(states.ref()));
      states.receiveMessage();
    }

    shard.expectMessageClass(ClusterSharding.Passivate.class);
  }

  /** Each tells itself to wake when it has recovered, and may hear it when time has gone on. */
  @Test
  void beingWokenKeepsNoEntityInMemory() {
    ports.pending().complete(List.of());
    var contract = group.contract();
    TestProbe<LedgerIndexer.Ack> acks = actors.testKit().createTestProbe();
    var sender = actors.testKit().spawn(SenderActor.create(services, contract, shard.ref()));
    sender.tell(new SenderActor.BlockIndexed(notice(1), acks.ref()));
    leavesMemoryThoughWoken(sender, new SenderActor.Wake(), acks);
    var store = actors.testKit().spawn(StateStoreActor.create(services, contract, shard.ref()));
    store.tell(new StateStoreActor.BlockIndexed(notice(1), BlockHeight.ZERO, acks.ref()));
    leavesMemoryThoughWoken(store, new StateStoreActor.Wake(), acks);
    var submitter = actors.testKit().spawn(SubmitterActor.create(services, contract, shard.ref()));
    submitter.tell(new SubmitterActor.BlockIndexed(new BlockHeight(1), List.of(), acks.ref()));
    leavesMemoryThoughWoken(submitter, new SubmitterActor.Wake(), acks);
  }

  private <C> void leavesMemoryThoughWoken(
      ActorRef<C> entity, C wake, TestProbe<LedgerIndexer.Ack> acks) {
    acks.receiveMessage();

    // What an entity asks when it begins is answered at a time that nobody knows, and is work.
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              ports.advance(Duration.ofSeconds(10));
              entity.tell(wake);
              shard.fishForMessage(
                  Duration.ofMillis(200),
                  asked ->
                      asked.equals(new ClusterSharding.Passivate<>(entity))
                          ? FishingOutcomes.complete()
                          : FishingOutcomes.continueAndIgnore());
            });
  }

  @Test
  void rememberedEntitiesComeBackByThemselves() {
    ports.pending().complete(List.of());
    TestProbe<LedgerIndexer.Ack> acks = actors.testKit().createTestProbe();
    var entities = services.entities();
    entities.sender(group.contract()).tell(new SenderActor.BlockIndexed(notice(1), acks.ref()));
    acks.receiveMessage();
    actors.close();

    start("");

    // A sender introduces itself to the feed when it starts.
    assertThat(feed.expectMessageClass(BlockFeedCommand.SubscribeHeight.class).contract())
        .isEqualTo(group.contract());
  }

  private BlockNotice notice(long height) {
    return new BlockNotice(
        new BlockHeight(height), services.now(), true, Map.of(), List.of(), List.of());
  }
}
