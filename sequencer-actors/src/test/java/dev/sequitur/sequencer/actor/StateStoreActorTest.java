package dev.sequitur.sequencer.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.pattern.StatusReply;
import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.protocol.distribution.Erased;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.indexing.BlockDelivery.ToStateStore;
import dev.sequitur.protocol.indexing.BlockNotice;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.message.StateDistribution;
import dev.sequitur.protocol.message.StateDistributionAcknowledgement;
import dev.sequitur.protocol.sender.SenderEffect;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.StateLocks;
import dev.sequitur.sequencer.runtime.ActorFixture;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A state store whose domain has a fault, and what comes to it from elsewhere. */
@Execution(ExecutionMode.CONCURRENT)
class StateStoreActorTest {
  private static final String PRIVATE = "a private amount";

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** As the ports' rules have it. */
  private static final Duration IDLE_AFTER = Duration.ofSeconds(20);

  @TempDir private Path directory;

  private static final Bytes FALSE = Bytes.utf8("false");

  private final ScriptedPorts ports = new ScriptedPorts();
  private final Arbitrary arbitrary = new Arbitrary(5);
  private volatile boolean judges;
  private PrivacyGroup group;
  private ActorFixture actors;
  private NodeServices services;
  private TestProbe<BlockFeedCommand> feed;
  private TestProbe<ClusterSharding.ShardCommand> shard;
  private ActorRef<StateStoreActor.Command> store;

  @BeforeEach
  void start() {
    group = ports.newGroup();
    actors = new ActorFixture(directory, "");
    feed = actors.testKit().createTestProbe();
    services = actors.services(ports.setupOf(group, this::faulty), feed.ref());
    services.groups().add(group);
    shard = actors.testKit().createTestProbe();
    actors.initEntities(services);
    store = actors.testKit().spawn(StateStoreActor.create(services, group.contract(), shard.ref()));
  }

  private Object faulty(String method, Object[] arguments) {
    if (method.equals("isGenuine") && judges) {
      return !((PrivateState) arguments[1]).data().equals(FALSE);
    }
    throw new IllegalStateException(PRIVATE);
  }

  @AfterEach
  void stop() {
    actors.close();
  }

  @Test
  void anIntentThatTheDomainCannotValidateIsRefusedAndTheNextIsAnswered() {
    TestProbe<StateStoreActor.Validated> answers = actors.testKit().createTestProbe();
    var transaction = new Arbitrary(1).next(PrivateTransaction.class);

    for (int i = 0; i < 2; i++) {
      store.tell(new StateStoreActor.Validate(List.of(transaction), answers.ref()));

      assertThat(answers.receiveMessage().objections())
          .singleElement()
          .satisfies(problem -> assertThat(problem.orElseThrow().reason()).contains("fault"))
          .satisfies(problem -> assertThat(problem.orElseThrow().reason()).doesNotContain(PRIVATE));
    }
  }

  @Test
  void aCallThatTheDomainCannotAnswerFailsAndTheNextIsAnswered() {
    TestProbe<StatusReply<Bytes>> answers = actors.testKit().createTestProbe();
    var from = Identity.parse("party@node1");

    for (int i = 0; i < 2; i++) {
      store.tell(new StateStoreActor.Call(from, "balance", Bytes.EMPTY, answers.ref()));

      assertThat(answers.receiveMessage().getError())
          .hasMessageContaining("fault")
          .hasMessageNotContaining(PRIVATE);
    }
  }

  /** They go on for ever. */
  @Test
  void blocksDoNotKeepItInMemory() {
    var blocks = feed.expectMessageClass(BlockFeedCommand.Subscribe.class).subscriber();
    // It has begun, and what it began with was work.
    block();

    for (long height = 1; height <= 5; height++) {
      ports.advance(IDLE_AFTER.dividedBy(2));
      blocks.tell(BlockNotice.heightOnly(new BlockHeight(height), Instant.EPOCH));
    }

    shard.expectMessageClass(ClusterSharding.Passivate.class);
  }

  @Test
  void whatItIsAskedKeepsItInMemory() {
    for (int i = 0; i < 5; i++) {
      ports.advance(IDLE_AFTER.dividedBy(2));
      block();
    }

    shard.expectNoMessage(Duration.ofMillis(300));
    ports.advance(IDLE_AFTER.multipliedBy(2));
    shard.expectMessageClass(ClusterSharding.Passivate.class);
  }

  /** Else nobody in this JVM tells it any more; and where it has left, nobody does for ever. */
  @Test
  void oneThatDiffersFromTheLedgerStaysInMemoryAndIsToldOfOnlyWhereItIs() {
    TestProbe<StateStoreActor.Corrected> done = actors.testKit().createTestProbe();
    store.tell(new StateStoreActor.Differs(new BlockHeight(1), done.ref()));
    done.receiveMessage();
    assertThat(services.standing().lacking().parted()).isEqualTo(1);

    ports.advance(IDLE_AFTER.multipliedBy(2));
    shard.expectNoMessage(Duration.ofMillis(300));

    store.tell(new StateStoreActor.Stop());
    done.expectTerminated(store);
    assertThat(services.standing().lacking().parted()).isZero();
  }

  @Test
  void itStaysInMemoryWhileWhatItBeginsWithIsRead() {
    var readable = new CompletableFuture<Void>();
    ports.read(readable);
    var other = ports.newGroup();
    services.groups().add(other);
    TestProbe<ClusterSharding.ShardCommand> itsShard = actors.testKit().createTestProbe();
    long before = ports.contentLooks();
    actors.testKit().spawn(StateStoreActor.create(services, other.contract(), itsShard.ref()));
    await().atMost(PATIENCE).until(() -> ports.contentLooks() > before);

    ports.advance(IDLE_AFTER.multipliedBy(2));
    itsShard.expectNoMessage(Duration.ofMillis(300));

    readable.complete(null);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              ports.advance(IDLE_AFTER.multipliedBy(2));
              itsShard.expectMessageClass(ClusterSharding.Passivate.class);
            });
  }

  @Test
  void aBlockIsAcknowledgedInItsNameHoweverOftenItComes() {
    for (int i = 0; i < 2; i++) {
      assertThat(block())
          .isEqualTo(new LedgerIndexer.Ack(new BlockHeight(1), ToStateStore.to(group.contract())));
    }
  }

  private LedgerIndexer.Ack block() {
    return block(BlockNotice.heightOnly(new BlockHeight(1), Instant.EPOCH));
  }

  private LedgerIndexer.Ack block(BlockNotice notice) {
    TestProbe<LedgerIndexer.Ack> acks = actors.testKit().createTestProbe();
    store.tell(new StateStoreActor.BlockIndexed(notice, BlockHeight.ZERO, acks.ref()));
    return acks.receiveMessage();
  }

  /** Both come again, in order. */
  @Test
  void aBlockAfterOneThatWasLostIsNotAcknowledged() {
    TestProbe<LedgerIndexer.Ack> acks = actors.testKit().createTestProbe();
    for (long height : List.of(3L, 1L)) {
      var notice = BlockNotice.heightOnly(new BlockHeight(height), Instant.EPOCH);
      store.tell(new StateStoreActor.BlockIndexed(notice, new BlockHeight(height - 1), acks.ref()));
    }

    assertThat(acks.receiveMessage().height()).isEqualTo(new BlockHeight(1));
  }

  @Test
  void whoAsksHowStatesStandIsToldOfThoseThatAreNotSpent() {
    judges = true;
    var here = List.of(Identity.parse("alice@node1"));
    var made = state(group.contract(), Bytes.utf8("true"), here);
    var confirmed = state(group.contract(), Bytes.utf8("true"), here);
    distributed(List.of(made, confirmed));
    block(
        new BlockNotice(
            new BlockHeight(1), Instant.EPOCH, true, Map.of(), List.of(), List.of(confirmed.id())));
    TestProbe<StateStoreActor.Stood> answers = actors.testKit().createTestProbe();

    store.tell(
        new StateStoreActor.Stand(
            List.of(confirmed.id(), made.id(), arbitrary.next(StateId.class)), answers.ref()));

    var stood = answers.receiveMessage();
    assertThat(stood)
        .isEqualTo(new StateStoreActor.Stood(List.of(confirmed.id()), List.of(made.id())));
    assertThat(stood.standing().confirmed()).containsExactly(confirmed.id());
    assertThat(stood.standing().unconfirmed()).containsExactly(made.id());
  }

  @Test
  void whatIsSpentIsErasedForACallerWhoIsToldWhatHasComeOfIt() {
    var spent = spentState();
    assertThat(ports.stored()).containsExactly(spent);

    var answer = erased(spent.id());

    assertThat(answer.refusal()).isEmpty();
    assertThat(answer.demand().orElseThrow().states()).containsExactly(spent.id());
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(ports.stored()).isEmpty());
  }

  @Test
  void whatIsUnspentOrWasNeverHereIsNotErasedAndACallerLearnsWhy() {
    judges = true;
    var here = List.of(Identity.parse("alice@node1"));
    var unspent = state(group.contract(), Bytes.utf8("true"), here);
    distributed(List.of(unspent));
    block(made(1, List.of(), unspent.id()));

    assertThat(erased(unspent.id()).refusal().orElseThrow()).contains("is unspent");
    assertThat(erased(arbitrary.next(StateId.class)).refusal().orElseThrow())
        .contains("has no contents of state");
    assertThat(ports.stored()).containsExactly(unspent);
  }

  @Test
  void whatCallersHaveHadErasedIsListedPageByPage() {
    var first = erased(spentState().id()).demand().orElseThrow();
    ports.advance(Duration.ofMillis(1));
    var second = erased(spentState().id()).demand().orElseThrow();
    TestProbe<StateStoreActor.Erasures> answers = actors.testKit().createTestProbe();

    store.tell(new StateStoreActor.GetErasures(Optional.empty(), 1, answers.ref()));
    var page = answers.receiveMessage().page();
    store.tell(new StateStoreActor.GetErasures(page.next(), 1, answers.ref()));
    var last = answers.receiveMessage().page();

    assertThat(page.demands()).extracting(Erased.Demand::id).containsExactly(first.id());
    assertThat(last.demands()).extracting(Erased.Demand::id).containsExactly(second.id());
    assertThat(last.next()).isEmpty();
  }

  private long height;

  private PrivateState spentState() {
    judges = true;
    var here = List.of(Identity.parse("alice@node1"));
    var state = state(group.contract(), Bytes.utf8("true"), here);
    distributed(List.of(state));
    block(made(++height, List.of(), state.id()));
    block(made(++height, List.of(state.id())));
    return state;
  }

  private static BlockNotice made(long height, List<StateId> spent, StateId... created) {
    return new BlockNotice(
        new BlockHeight(height), Instant.EPOCH, true, Map.of(), spent, List.of(created));
  }

  private Erased.Answer erased(StateId state) {
    TestProbe<StateStoreActor.Taken> answers = actors.testKit().createTestProbe();
    store.tell(new StateStoreActor.Erase(List.of(state), answers.ref()));
    return answers.receiveMessage().answer();
  }

  @Test
  void itAssemblesOnceThisNodeHasReadTheBlockThatIsAskedFor() {
    var blocks = feed.expectMessageClass(BlockFeedCommand.Subscribe.class).subscriber();
    TestProbe<SenderActor.Command> sender = actors.testKit().createTestProbe();
    var second = new BlockHeight(2);
    var work =
        new SenderEffect.Assemble(
            arbitrary.next(RequestId.class),
            arbitrary.next(MessageId.class),
            second,
            StateLocks.NONE,
            List.of());
    store.tell(new StateStoreActor.Assemble(work, sender.ref()));
    block();
    sender.expectNoMessage(Duration.ZERO);

    blocks.tell(BlockNotice.heightOnly(second, Instant.EPOCH));

    assertThat(sender.expectMessageClass(SenderActor.AssemblyFinished.class).result().request())
        .isEqualTo(work.request());
  }

  @Test
  void whatAnotherNodeDistributesIsStoredAndThenAcknowledged() {
    judges = true;
    var here = List.of(Identity.parse("alice@node1"), Identity.parse("bob@node2"));
    var state = state(group.contract(), Bytes.utf8("true"), here);
    var any = arbitrary.next(StateDistribution.class);
    var message =
        new StateDistribution(
            any.distributionId(),
            group.contract(),
            List.of(new StateDistribution.Item(arbitrary.next(TransactionId.class), state)));

    store.tell(
        new StateStoreActor.Deliver(
            List.of(
                new Received<>(new NodeName("node2"), arbitrary.next(MessageId.class), message))));

    await().atMost(PATIENCE).until(() -> !ports.sent().isEmpty());
    assertThat(ports.stored()).containsExactly(state);
    assertThat(ports.envelopes())
        .singleElement()
        .satisfies(it -> assertThat(it.to()).isEqualTo(new NodeName("node2")))
        .satisfies(
            it -> assertThat(it.payload()).isInstanceOf(StateDistributionAcknowledgement.class));
  }

  /** Its coordinator, which is another node, may have put anything into it. */
  @Test
  void withWhatIsPreparedGoesOnlyWhatThisNodeMayHold() {
    judges = true;
    var here = List.of(Identity.parse("alice@node1"), Identity.parse("bob@node2"));
    var genuine = state(group.contract(), Bytes.utf8("true"), here);
    var outputs =
        List.of(
            state(group.contract(), Bytes.utf8("true"), List.of(Identity.parse("bob@node2"))),
            state(group.contract(), FALSE, here),
            state(ports.newGroup().contract(), Bytes.utf8("true"), here),
            genuine);

    assertThat(distributed(outputs)).containsExactly(genuine);
    assertThat(ports.stored()).containsExactly(genuine);
  }

  @Test
  void aStateThatTheDomainCannotJudgeIsNotStoredAndTheNextIsAnswered() {
    var here = List.of(Identity.parse("alice@node1"));
    var state = state(group.contract(), Bytes.utf8("true"), here);

    assertThat(distributed(List.of(state))).isEmpty();
    judges = true;
    assertThat(distributed(List.of(state))).containsExactly(state);
    assertThat(ports.stored()).containsExactly(state);
  }

  /** What its sender is told to store. */
  private List<PrivateState> distributed(List<PrivateState> outputs) {
    TestProbe<SenderActor.Command> sender = actors.testKit().createTestProbe();
    var any = arbitrary.next(PreparedTransactionDistribution.class);
    var message =
        new PreparedTransactionDistribution(
            any.distributionId(), group.contract(), any.delegationId(), any.prepared(), outputs);
    var received = new Received<>(new NodeName("node2"), arbitrary.next(MessageId.class), message);

    store.tell(new StateStoreActor.DistributePrepared(received, sender.ref()));

    var told = sender.expectMessageClass(SenderActor.PreparedDistributed.class).prepared();
    assertThat(told.message().prepared()).isEqualTo(any.prepared());
    assertThat(told.id()).isEqualTo(received.id());
    return told.message().outputs();
  }

  private PrivateState state(ContractAddress contract, Bytes data, List<Identity> distribution) {
    return new PrivateState(
        arbitrary.next(StateId.class), contract, "coin", "mine", data, distribution);
  }
}
