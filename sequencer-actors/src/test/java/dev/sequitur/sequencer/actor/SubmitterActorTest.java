package dev.sequitur.sequencer.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.protocol.coordinator.CoordinatorInput;
import dev.sequitur.protocol.coordinator.CoordinatorInput.DispatchReverted;
import dev.sequitur.protocol.coordinator.CoordinatorInput.DispatchesCommitted;
import dev.sequitur.protocol.coordinator.CoordinatorInput.DispatchesSettled;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.indexing.BlockDelivery.ToPublicSubmitter;
import dev.sequitur.protocol.indexing.BlockDelivery.ToSubmitter;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerReceipt.Fulfilled;
import dev.sequitur.protocol.ledger.LedgerReceipt.RevertReason;
import dev.sequitur.protocol.ledger.LedgerReceipt.Reverted;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.message.TransactionRevertedAcknowledgement;
import dev.sequitur.protocol.submitter.GasPaid;
import dev.sequitur.sequencer.runtime.ActorFixture;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What only the actor around the submitter's rules does. */
@Execution(ExecutionMode.CONCURRENT)
class SubmitterActorTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration MOMENT = Duration.ofMillis(300);
  private static final BlockHeight SEVENTH = new BlockHeight(7);
  private static final Identity ALICE = Identity.parse("alice@node1");

  @TempDir private Path directory;

  private final ScriptedPorts ports = new ScriptedPorts();
  private final Arbitrary arbitrary = new Arbitrary(3);
  private final PrivacyGroup group = ports.newGroup("alice@node1", "bob@node2");
  private ActorFixture actors;
  private NodeServices services;
  private TestProbe<Object> entities;
  private TestProbe<LedgerIndexer.Ack> acks;
  private TestProbe<ClusterSharding.ShardCommand> shard;

  @BeforeEach
  void start() {
    actors = new ActorFixture(directory);
    services = actors.services(ports.setup(0));
    services.groups().add(group);
    entities = actors.initProbes();
    acks = actors.testKit().createTestProbe();
    shard = actors.testKit().createTestProbe();
  }

  @AfterEach
  void stop() {
    actors.close();
  }

  @Test
  void whatItIsGivenIsToldToBeHeldAndItsOutputsAreHandedOn() {
    var submitter = spawn();
    var dispatch = dispatch();

    submitter.tell(new SubmitterActor.DispatchAll(List.of(dispatch)));

    assertThat(entities.receiveSeveralMessages(2))
        .containsExactlyInAnyOrder(
            told(new DispatchesCommitted(List.of(key(dispatch)))),
            new StateStoreActor.Distribute(List.of(dispatch), submitter));
    assertThat(unconfirmed(submitter, group.contract())).containsExactly(dispatch);
    assertThat(unconfirmed(submitter, ports.newGroup().contract())).isEmpty();
    assertThat(ports.submitted()).as("its outputs are not stored yet").isEmpty();
  }

  @Test
  void whatIsStoredGoesToTheBaseLedger() {
    var submitter = spawn();
    var dispatch = dispatch();

    submit(submitter, dispatch);

    assertThat(ports.submitted())
        .singleElement()
        .extracting(signed -> signed.transaction().call())
        .isEqualTo(new LedgerTransaction.Invoke(List.of(dispatch.prepared())));
    assertThat(ports.signing()).containsExactly(NodeKeyNames.submitter(group.contract()));
  }

  @Test
  void whatItHoldsSurvivesARestart() {
    var first = spawn();
    var dispatch = dispatch();
    first.tell(new SubmitterActor.DispatchAll(List.of(dispatch)));
    entities.receiveSeveralMessages(2);

    stop(first);
    var second = spawn();

    assertThat(unconfirmed(second, group.contract())).containsExactly(dispatch);
    entities.expectMessage(new StateStoreActor.Distribute(List.of(dispatch), second));
  }

  @Test
  void aBlockWithoutAnythingOfItIsAcknowledged() {
    block(spawn());

    assertThat(acks.receiveMessage())
        .isEqualTo(new LedgerIndexer.Ack(SEVENTH, ToSubmitter.to(group.contract())));
  }

  @Test
  void theBlockThatFulfilsADispatchEndsItAndTheCoordinatorIsTold() {
    var submitter = spawn();
    var dispatch = dispatch();
    submit(submitter, dispatch);

    block(
        submitter, new Fulfilled(group.contract(), key(dispatch), List.of(), List.of(), List.of()));

    acks.receiveMessage();
    entities.expectMessage(told(new DispatchesSettled(List.of(key(dispatch)), SEVENTH)));
    assertThat(unconfirmed(submitter, group.contract())).isEmpty();
    assertThat(paid(submitter))
        .isEqualTo(new GasPaid(BigInteger.valueOf(21), BigInteger.valueOf(0)));
    stop(submitter);
    assertThat(paid(spawn()))
        .as("as it is stored")
        .isEqualTo(new GasPaid(BigInteger.valueOf(21), BigInteger.valueOf(0)));
  }

  @Test
  void theSenderOfWhatTheLedgerRefusedIsToldUntilItHasAcknowledged() {
    var submitter = spawn();
    var dispatch = dispatch();
    submit(submitter, dispatch);
    var sender = new NodeName("node2");

    block(
        submitter,
        new Reverted(group.contract(), key(dispatch), RevertReason.STATE_SPENT, "It is spent."));

    acks.receiveMessage();
    entities.expectMessage(told(new DispatchReverted(key(dispatch))));
    assertThat(paid(submitter))
        .isEqualTo(new GasPaid(BigInteger.valueOf(21), BigInteger.valueOf(21)));
    var notification = reverted().getLast();
    assertThat(notification.transaction()).isEqualTo(dispatch.prepared().transaction());
    assertThat(ports.envelopes()).anyMatch(sent -> sent.payload().equals(notification));
    stop(submitter);
    var second = spawn();
    await().atMost(PATIENCE).until(() -> reverted().size() > 1);

    second.tell(
        new SubmitterActor.Deliver(
            List.of(
                new Received<>(
                    sender,
                    new MessageId(new UUID(0, 1)),
                    new TransactionRevertedAcknowledgement(
                        notification.notificationId(), group.contract())))));

    paid(second);
    stop(second);
    int toldBefore = reverted().size();
    var third = spawn();
    // It answers what came while it recovered, then begins, then answers the second.
    paid(third);
    paid(third);
    assertThat(reverted()).hasSize(toldBefore);
  }

  @Test
  void itLeavesMemoryWhenItHasLongHadNothingToDo() {
    paid(spawn());

    // It answers before it begins, and what it asks then is answered at a time that nobody knows.
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              ports.advance(Duration.ofMinutes(1));
              shard.expectMessageClass(ClusterSharding.Passivate.class, Duration.ofSeconds(1));
            });
  }

  @Test
  void itStaysInMemoryAsLongAsItHoldsSomething() {
    var submitter = spawn();
    submitter.tell(new SubmitterActor.DispatchAll(List.of(dispatch())));
    entities.receiveSeveralMessages(2);

    ports.advance(Duration.ofMinutes(1));

    shard.expectNoMessage(MOMENT);
  }

  @Test
  void oneOfPublicTransactionsLooksForThemAsItBegins() {
    var intent = ports.newPublic(ALICE);

    var submitter = spawnPublic();

    await().atMost(PATIENCE).until(() -> !ports.submitted().isEmpty());
    assertThat(ports.submitted().getFirst().transaction().call())
        .isEqualTo(LedgerTransaction.PublicCall.of(intent.publicly().orElseThrow()));
    TestProbe<SubmitterActor.Publics> publics = actors.testKit().createTestProbe();
    submitter.tell(new SubmitterActor.GetPublics(publics.ref()));
    assertThat(publics.receiveMessage().underway())
        .singleElement()
        .satisfies(it -> assertThat(it.transaction()).isEqualTo(intent.transaction().id()))
        .satisfies(it -> assertThat(it.nonce()).contains(0L));
  }

  @Test
  void whoSaysThatPublicTransactionsWaitIsToldThatItWillLook() {
    var submitter = spawnPublic();
    TestProbe<IntentHandover.Taken> askers = actors.testKit().createTestProbe();
    paid(submitter);
    ports.newPublic(ALICE);

    submitter.tell(new SubmitterActor.PublicsWaiting(7, Optional.of(askers.ref())));

    askers.expectMessage(new IntentHandover.Taken(7));
    await().atMost(PATIENCE).until(() -> !ports.submitted().isEmpty());
  }

  @Test
  void oneOfPublicTransactionsAcknowledgesBlocksByItsSender() {
    block(spawnPublic());

    assertThat(acks.receiveMessage().who()).isEqualTo(ToPublicSubmitter.to(ALICE));
  }

  private static CoordinatorActor.Told told(CoordinatorInput.Local input) {
    return new CoordinatorActor.Told(input);
  }

  private ActorRef<SubmitterActor.Command> spawn() {
    return actors.testKit().spawn(SubmitterActor.create(services, group.contract(), shard.ref()));
  }

  private ActorRef<SubmitterActor.Command> spawnPublic() {
    return actors.testKit().spawn(SubmitterActor.createPublic(services, ALICE.name(), shard.ref()));
  }

  private void stop(ActorRef<SubmitterActor.Command> submitter) {
    submitter.tell(new SubmitterActor.Stop());
    acks.expectTerminated(submitter);
  }

  /** Of another node's transaction. */
  private Dispatch dispatch() {
    return arbitrary
        .with(ContractAddress.class, group.contract())
        .with(NodeName.class, new NodeName("node2"))
        .next(Dispatch.class);
  }

  private static IntentKey key(Dispatch dispatch) {
    return dispatch.prepared().intent();
  }

  /** Until the pool is asked to take it. */
  private void submit(ActorRef<SubmitterActor.Command> submitter, Dispatch dispatch) {
    submitter.tell(new SubmitterActor.DispatchAll(List.of(dispatch)));
    entities.receiveSeveralMessages(2);
    submitter.tell(new SubmitterActor.OutputsStored(List.of(key(dispatch))));
    await().atMost(PATIENCE).until(() -> !ports.submitted().isEmpty());
  }

  private void block(ActorRef<SubmitterActor.Command> submitter, LedgerReceipt.Result... results) {
    var receipts =
        ports.submitted().stream()
            .map(
                signed ->
                    new LedgerReceipt(
                        signed.hash(),
                        signed.transaction().signer(),
                        signed.transaction().nonce(),
                        SEVENTH,
                        0,
                        List.of(results),
                        BigInteger.valueOf(21)))
            .toList();
    submitter.tell(new SubmitterActor.BlockIndexed(SEVENTH, receipts, acks.ref()));
  }

  private List<Dispatch> unconfirmed(
      ActorRef<SubmitterActor.Command> submitter, ContractAddress contract) {
    TestProbe<SubmitterActor.Unconfirmed> answers = actors.testKit().createTestProbe();
    submitter.tell(new SubmitterActor.GetUnconfirmed(contract, answers.ref()));
    return answers.receiveMessage().dispatches();
  }

  private GasPaid paid(ActorRef<SubmitterActor.Command> submitter) {
    TestProbe<SubmitterActor.Paid> answers = actors.testKit().createTestProbe();
    submitter.tell(new SubmitterActor.GetPaid(answers.ref()));
    return answers.receiveMessage().paid();
  }

  private List<TransactionReverted> reverted() {
    return ports.sent().stream()
        .filter(TransactionReverted.class::isInstance)
        .map(TransactionReverted.class::cast)
        .toList();
  }
}
