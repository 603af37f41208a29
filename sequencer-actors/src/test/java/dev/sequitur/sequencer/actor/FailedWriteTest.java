package dev.sequitur.sequencer.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.persistence.testkit.PersistenceTestKitPlugin;
import akka.persistence.testkit.javadsl.PersistenceTestKit;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.indexing.BlockNotice;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.SubmitMode;
import dev.sequitur.sequencer.runtime.ActorFixture;
import java.math.BigInteger;
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

/**
 * The journal fails a write: the actor stops, and nothing has left that says that it is stored.
 * Whoever is started next goes on from what is.
 */
@Execution(ExecutionMode.CONCURRENT)
class FailedWriteTest {
  private static final String RESTART_SOON = "akka.cluster.sharding.entity-restart-backoff = 200ms";
  private static final Duration MOMENT = Duration.ofMillis(300);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;

  private final ScriptedPorts ports = new ScriptedPorts();
  private final PrivacyGroup group = ports.newGroup();
  private ActorFixture actors;
  private NodeServices services;
  private TestProbe<BlockFeedCommand> feed;
  private PersistenceTestKit journal;
  private TestProbe<Object> entities;
  private TestProbe<LedgerIndexer.Ack> acks;
  private ActorRef<ClusterSharding.ShardCommand> shard;

  @BeforeEach
  void start() {
    actors =
        new ActorFixture(
            directory,
            PersistenceTestKitPlugin.config()
                .withFallback(ConfigFactory.parseString(RESTART_SOON))
                .root()
                .render());
    journal = PersistenceTestKit.create(actors.testKit().system());
    feed = actors.testKit().createTestProbe();
    services = actors.services(ports.setup(0), feed.ref());
    services.groups().add(group);
    acks = actors.testKit().createTestProbe();
    shard = actors.testKit().<ClusterSharding.ShardCommand>createTestProbe().ref();
  }

  @AfterEach
  void stop() {
    actors.close();
  }

  @Test
  void aStateStoreAcknowledgesNoBlockWhoseStatesAreNotStored() {
    useProbes();
    journal.failNextPersisted("state-store|" + group.contract());
    var block =
        new StateStoreActor.BlockIndexed(notice(List.of(aState())), BlockHeight.ZERO, acks.ref());
    var failing = spawn(StateStoreActor::create);

    failing.tell(block);

    acks.expectTerminated(failing);
    acks.expectNoMessage(MOMENT);
    spawn(StateStoreActor::create).tell(block);
    assertThat(acks.receiveMessage().height()).isEqualTo(block.notice().height());
  }

  @Test
  void aStateStoreSaysThatOutputsAreStoredWhenTheirContentsAreKeptToo() {
    useProbes();
    var kept = new CompletableFuture<Void>();
    ports.keep(kept);
    TestProbe<SubmitterActor.Command> submitter = actors.testKit().createTestProbe();
    var store = spawn(StateStoreActor::create);

    store.tell(new StateStoreActor.Distribute(List.of(dispatch(aContent())), submitter.ref()));
    submitter.expectNoMessage(MOMENT);
    // What comes later waits as well.
    store.tell(new StateStoreActor.Distribute(List.of(dispatch(aContent())), submitter.ref()));
    submitter.expectNoMessage(MOMENT);

    kept.complete(null);
    submitter.expectMessageClass(SubmitterActor.OutputsStored.class);
    submitter.expectMessageClass(SubmitterActor.OutputsStored.class);
  }

  @Test
  void aStateStoreWhoseContentsAreNotKeptEndsAndTheNextOneIsToldAgain() {
    useProbes();
    ports.keep(CompletableFuture.failedFuture(new IllegalStateException("the disk is full")));
    TestProbe<SubmitterActor.Command> submitter = actors.testKit().createTestProbe();
    var command = new StateStoreActor.Distribute(List.of(dispatch(aContent())), submitter.ref());
    var failing = spawn(StateStoreActor::create);

    failing.tell(command);

    submitter.expectTerminated(failing);
    submitter.expectNoMessage(MOMENT);
    ports.keep(CompletableFuture.completedFuture(null));
    spawn(StateStoreActor::create).tell(command);
    submitter.expectMessageClass(SubmitterActor.OutputsStored.class);
    assertThat(ports.stored()).containsExactly(aContent());
  }

  /** As the domain of the group makes ids. */
  private PrivateState aContent() {
    var data = Bytes.utf8("{}");
    var digest =
        new CanonicalDigest()
            .add("sequitur state")
            .add(group.contract().value())
            .add("record")
            .add("")
            .add(data);
    return new PrivateState(
        new StateId(digest.finish()),
        group.contract(),
        "record",
        "",
        data,
        group.committee().identities());
  }

  private Dispatch dispatch(PrivateState output) {
    var like =
        new Arbitrary(1)
            .with(ContractAddress.class, group.contract())
            .with(NodeName.class, services.self())
            .next(Dispatch.class);
    return new Dispatch(
        like.dispatchId(),
        like.contract(),
        like.sender(),
        like.delegationId(),
        like.range(),
        like.prepared(),
        List.of(output));
  }

  @Test
  void aSubmitterTellsNobodyOfADispatchThatIsNotStored() {
    useProbes();
    journal.failNextPersisted("submitter|" + group.contract());
    var dispatch =
        new Arbitrary(1)
            .with(ContractAddress.class, group.contract())
            .with(NodeName.class, services.self())
            .next(Dispatch.class);
    var command = new SubmitterActor.DispatchAll(List.of(dispatch));
    var failing = spawn(SubmitterActor::create);

    failing.tell(command);

    acks.expectTerminated(failing);
    entities.expectNoMessage(MOMENT);
    assertThat(ports.sent()).as("heartbeats name what is stored").isEmpty();
    spawn(SubmitterActor::create).tell(command);
    assertThat(entities.receiveSeveralMessages(2))
        .hasAtLeastOneElementOfType(CoordinatorActor.Told.class)
        .hasAtLeastOneElementOfType(StateStoreActor.Distribute.class);
  }

  @Test
  void aSubmitterAcknowledgesNoBlockWhoseReceiptsAreNotStored() {
    useProbes();
    var dispatch =
        new Arbitrary(1)
            .with(ContractAddress.class, group.contract())
            .with(NodeName.class, services.self())
            .next(Dispatch.class);
    var intent = dispatch.prepared().intent();
    var failing = spawn(SubmitterActor::create);
    failing.tell(new SubmitterActor.DispatchAll(List.of(dispatch)));
    entities.receiveSeveralMessages(2);
    failing.tell(new SubmitterActor.OutputsStored(List.of(intent)));
    await().atMost(PATIENCE).until(() -> !ports.submitted().isEmpty());
    var signed = ports.submitted().getFirst();
    var height = new BlockHeight(7);
    var receipt =
        new LedgerReceipt(
            signed.hash(),
            signed.transaction().signer(),
            signed.transaction().nonce(),
            height,
            0,
            List.of(
                new LedgerReceipt.Fulfilled(
                    group.contract(), intent, List.of(), List.of(), List.of())),
            BigInteger.valueOf(21));
    var block = new SubmitterActor.BlockIndexed(height, List.of(receipt), acks.ref());
    journal.failNextPersisted("submitter|" + group.contract());

    failing.tell(block);

    acks.expectTerminated(failing);
    acks.expectNoMessage(MOMENT);
    spawn(SubmitterActor::create).tell(block);
    assertThat(acks.receiveMessage().height()).isEqualTo(height);
  }

  @Test
  void aSenderDelegatesNothingBeforeItsEpochIsStored() {
    useProbes();
    ports.pending().complete(List.of(ports.newIntent(group, SubmitMode.AUTO)));
    journal.failNextPersisted("sender|" + group.contract());

    var failing = spawn(SenderActor::create);
    failing.tell(new SenderActor.BlockIndexed(notice(List.of()), acks.ref()));

    acks.expectTerminated(failing);
    acks.expectNoMessage(MOMENT);
    assertThat(ports.sent()).isEmpty();
    spawn(SenderActor::create).tell(new SenderActor.BlockIndexed(notice(List.of()), acks.ref()));
    acks.receiveMessage();
  }

  @Test
  void anEntityWhoseWriteFailedComesBackByItself() {
    actors.initEntities(services);
    ports.pending().complete(List.of());
    journal.failNextPersisted("sender|" + group.contract());

    services.entities().sender(group.contract()).tell(new SenderActor.Wake());

    // A sender introduces itself to the feed when it starts.
    feed.expectMessageClass(BlockFeedCommand.SubscribeHeight.class);
    feed.expectMessageClass(BlockFeedCommand.SubscribeHeight.class);
    services
        .entities()
        .sender(group.contract())
        .tell(new SenderActor.BlockIndexed(notice(List.of()), acks.ref()));
    acks.receiveMessage();
  }

  /** A damaged block, say: health tells of it until the entity is loaded. */
  @Test
  void anEntityThatCannotBeRecoveredIsToldUntilItIs() {
    useProbes();
    var id = "submitter|" + group.contract();
    var dispatch =
        new Arbitrary(1)
            .with(ContractAddress.class, group.contract())
            .with(NodeName.class, services.self())
            .next(Dispatch.class);
    var first = spawn(SubmitterActor::create);
    first.tell(new SubmitterActor.DispatchAll(List.of(dispatch)));
    entities.receiveSeveralMessages(2);
    actors.testKit().stop(first);
    assertThat(services.recoveries().trouble()).isEmpty();
    journal.failNextRead(id, new IllegalStateException("can't be read"));

    var failing = spawn(SubmitterActor::create);

    acks.expectTerminated(failing);
    assertThat(services.recoveries().trouble().orElseThrow())
        .contains("1 entity of this node", "submitter of " + group.contract(), "check-store");
    spawn(SubmitterActor::create).tell(new SubmitterActor.DispatchAll(List.of(dispatch)));
    await().atMost(PATIENCE).until(() -> services.recoveries().trouble().isEmpty());
  }

  private interface Creation<C> {
    Behavior<C> create(
        NodeServices services,
        ContractAddress contract,
        ActorRef<ClusterSharding.ShardCommand> shard);
  }

  private <C> ActorRef<C> spawn(Creation<C> creation) {
    return actors.testKit().spawn(creation.create(services, group.contract(), shard));
  }

  /** For whom the actor under test speaks to. */
  private void useProbes() {
    entities = actors.initProbes();
  }

  private static StateId aState() {
    return new Arbitrary(1).next(StateId.class);
  }

  private BlockNotice notice(List<StateId> created) {
    return new BlockNotice(new BlockHeight(1), services.now(), true, Map.of(), List.of(), created);
  }
}
