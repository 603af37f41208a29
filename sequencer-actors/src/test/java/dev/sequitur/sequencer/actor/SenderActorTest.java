package dev.sequitur.sequencer.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import dev.sequitur.cluster.metrics.Shown;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.indexing.BlockNotice;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.message.TransactionRevertedAcknowledgement;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.sender.SenderSetup;
import dev.sequitur.protocol.sender.SenderState;
import dev.sequitur.protocol.sender.TransactionState;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.SubmitMode;
import dev.sequitur.sequencer.runtime.ActorFixture;
import dev.sequitur.sequencer.view.SequencerStatus;
import dev.sequitur.sequencer.view.SequencerStatus.SenderReport;
import dev.sequitur.sequencer.view.TransactionStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What only the actor around the sender's rules does. */
@Execution(ExecutionMode.CONCURRENT)
class SenderActorTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final NodeName SELF = new NodeName("node1");

  @TempDir private Path directory;

  private final ScriptedPorts ports = new ScriptedPorts();
  private final PrivacyGroup group = ports.newGroup();
  private ActorFixture actors;
  private NodeServices services;
  private TestProbe<BlockFeedCommand> feed;
  private TestProbe<ClusterSharding.ShardCommand> shard;

  @BeforeEach
  void start() {
    actors = new ActorFixture(directory);
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
  void whatArrivesWhileTheIntentsAreLoadedIsAnsweredAfterwards() {
    var intent = ports.newIntent(group, SubmitMode.AUTO);
    var sender = spawn();
    sender.tell(deliver(reverted(intent)));
    assertThat(state(sender).transactions()).isEmpty();
    assertThat(acknowledgements()).as("it cannot know yet whether it concerns it").isZero();

    ports.pending().complete(List.of(intent));

    await().atMost(PATIENCE).untilAsserted(() -> assertThat(acknowledgements()).isEqualTo(1));
  }

  /** One that was parked before a restart would be said not to be. */
  @Test
  void whetherATransactionIsParkedIsToldOnceTheIntentsAreLoaded() {
    var intent = ports.newIntent(group, SubmitMode.AUTO);
    var sender = spawn();
    TestProbe<Boolean> parked = actors.testKit().createTestProbe();
    sender.tell(new SenderActor.Resume(intent.transaction().id(), parked.ref()));
    assertThat(state(sender).transactions()).isEmpty();
    parked.expectNoMessage(Duration.ZERO);

    ports.pending().complete(List.of(intent));

    assertThat(parked.receiveMessage()).isFalse();
  }

  @Test
  void whatComesBetweenTheWishToLeaveMemoryAndTheStopWakesTheNextOne() {
    ports.pending().complete(List.of());
    var sender = spawn();
    feed.expectMessageClass(BlockFeedCommand.SubscribeHeight.class);
    awaitLoaded(sender);
    ports.advance(Duration.ofMinutes(1));
    shard.expectMessageClass(ClusterSharding.Passivate.class);
    var intent = ports.newIntent(group, SubmitMode.AUTO);
    TestProbe<IntentHandover.Taken> taken = actors.testKit().createTestProbe();
    sender.tell(
        new SenderActor.IntentsHanded(
            List.of(intent.privately().orElseThrow()), 7, false, taken.ref()));
    assertThat(taken.receiveMessage().number()).isEqualTo(7);

    sender.tell(new SenderActor.Stop());

    actors.testKit().createTestProbe().expectTerminated(sender);
    // One introduces itself to the feed when it starts.
    feed.expectMessageClass(BlockFeedCommand.SubscribeHeight.class);
  }

  @Test
  void aSenderThatIsStoppedByAShutdownWakesNobody() {
    ports.pending().complete(List.of(ports.newIntent(group, SubmitMode.AUTO)));
    var sender = spawn();
    feed.expectMessageClass(BlockFeedCommand.SubscribeHeight.class);
    await().atMost(PATIENCE).until(() -> !state(sender).isIdle());

    sender.tell(new SenderActor.Stop());

    actors.testKit().createTestProbe().expectTerminated(sender);
    feed.expectNoMessage(Duration.ofMillis(500));
  }

  @Test
  void whatIsOpenIsShownByItsStateWhileItsSenderIsInMemory() {
    var intents =
        List.of(ports.newIntent(group, SubmitMode.AUTO), ports.newIntent(group, SubmitMode.AUTO));
    assertThat(open()).isZero();
    ports.pending().complete(intents);
    var sender = spawn();

    await().atMost(PATIENCE).untilAsserted(() -> assertThat(open()).isEqualTo(2));

    sender.tell(new SenderActor.Stop());
    actors.testKit().createTestProbe().expectTerminated(sender);
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(open()).isZero());
  }

  /** In all states that are shown. */
  private double open() {
    var shown = new TreeMap<>(Shown.in(services.setup().registry()));
    shown.keySet().removeIf(name -> !name.startsWith("sequitur_transactions_open{state="));
    assertThat(shown).hasSize(7);
    return shown.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  @Test
  void anIntentThatNobodyHoldsAnyMoreIsFoundOnTheLedger() {
    var intent = ports.newIntent(group, SubmitMode.AUTO);
    ports.append(group);
    ports.append(group, intent.privately().orElseThrow().key());
    ports.append(group);
    services.standing().height(new BlockHeight(3));
    ports.pending().complete(List.of(intent));
    var sender = spawn();
    sender.tell(deliver(heartbeatNaming(intent)));
    await()
        .atMost(PATIENCE)
        .until(() -> stateOf(sender, intent).equals(Optional.of(TransactionState.DISPATCHED)));

    ports.advance(SequencerSettings.DEFAULT.heartbeats().submitterFailureThreshold());

    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(ports.receipts())
                    .singleElement()
                    .matches(Receipt::success)
                    .extracting(receipt -> receipt.onLedger().orElseThrow().block())
                    .isEqualTo(new BlockHeight(2)));
    assertThat(state(sender).isIdle()).isTrue();
  }

  @Test
  void aBlockIsAcknowledgedWhenWhatItConfirmsLateIsStored() {
    ports.pending().complete(List.of());
    var sender = spawn();
    TestProbe<LedgerIndexer.Ack> acks = actors.testKit().createTestProbe();
    var block = ports.append(group);

    var intent = ScriptedPorts.fulfilled(block).intent();
    sender.tell(new SenderActor.BlockIndexed(notice(intent, block.receipts().get(0)), acks.ref()));

    await().atMost(PATIENCE).until(() -> !ports.late().isEmpty());
    assertThat(ports.late())
        .singleElement()
        .matches(receipt -> receipt.transaction().equals(intent.transaction()));
    acks.expectNoMessage(Duration.ofMillis(200));
    ports.lateStored().complete(List.of());
    acks.receiveMessage();
  }

  @Test
  void whatWasPreparedBeforeARestartIsLoadedAsSuch() {
    var intent = ports.newIntent(group, SubmitMode.EXTERNAL);
    var another = ports.newIntent(group, SubmitMode.EXTERNAL);
    ports.prepare(intent);
    ports.pending().complete(List.of(intent, another));
    var sender = spawn();

    await()
        .atMost(PATIENCE)
        .until(() -> stateOf(sender, intent).equals(Optional.of(TransactionState.PREPARED)));
    assertThat(stateOf(sender, another)).contains(TransactionState.PENDING);
  }

  @Test
  void whatHasEndedIsShownWhileItsReceiptIsOnItsWayToTheDisk() {
    var intent = ports.newIntent(group, SubmitMode.AUTO);
    ports.pending().complete(List.of(intent));
    ports.holdReceipts();
    var sender = spawn();
    awaitLoaded(sender);

    confirm(sender, intent);

    await().atMost(PATIENCE).until(() -> !ports.receipts().isEmpty());
    assertThat(state(sender).transactions()).isEmpty();
    assertThat(shown(sender))
        .singleElement()
        .satisfies(
            status -> {
              assertThat(status.transaction()).isEqualTo(intent.transaction().id());
              assertThat(status.state()).isEqualTo("Confirmed");
              assertThat(status.history()).last().extracting(e -> e.what()).isEqualTo("confirmed");
            });
  }

  @Test
  void whatHasItsReceiptIsShownNoMore() {
    var intent = ports.newIntent(group, SubmitMode.AUTO);
    ports.pending().complete(List.of(intent));
    var sender = spawn();
    awaitLoaded(sender);

    confirm(sender, intent);

    await().atMost(PATIENCE).until(() -> !ports.receipts().isEmpty());
    await().atMost(PATIENCE).until(() -> shown(sender).isEmpty());
  }

  @Test
  void aHoldOffIsShownWithItsEndForAsLongAsItMayLast() {
    ports.pending().complete(List.of(ports.newIntent(group, SubmitMode.AUTO)));
    var sender = spawn();
    awaitLoaded(sender);
    var since = services.now();
    var state = state(sender);
    var held = state.withChoice(state.choice().withHeldOffSince(Optional.of(since)));
    var until = since.plus(setup().settings().heartbeats().maxHoldOff());

    var within = MachineReports.of(held, setup(), until.minusMillis(1), List.of()).status();
    assertThat(within.holdOffUntil()).contains(until);
    assertThat(within.holdOff()).contains("hold back since " + since);
    var over = MachineReports.of(held, setup(), until, List.of()).status();
    assertThat(over.holdOffUntil()).isEmpty();
    assertThat(over.holdOff()).isEmpty();
  }

  /** What is loaded waits for submitters that may hold it. */
  @Test
  void whatWaitsForSomethingElseIsNotShownAsHeldOff() {
    ports.pending().complete(List.of(ports.newIntent(group, SubmitMode.AUTO)));
    var sender = spawn();
    awaitLoaded(sender);
    var state = state(sender);
    var since = services.now();
    var held = state.withChoice(state.choice().withHeldOffSince(Optional.of(since)));

    var shown = MachineReports.of(held, setup(), since, List.of()).status();

    assertThat(shown.holdOffUntil()).isEmpty();
    assertThat(shown.holdOff()).isEmpty();
    assertThat(shown.transactions())
        .singleElement()
        .satisfies(each -> assertThat(each.waitsFor()).startsWith("Its next try at "));
  }

  @Test
  void theOldestAreShownWithTheirAgeHoweverManyThereAre() {
    var intents =
        IntStream.range(0, 60).mapToObj(i -> ports.newIntent(group, SubmitMode.AUTO)).toList();
    ports.pending().complete(intents);
    var sender = spawn();
    awaitLoaded(sender);
    var state = state(sender);

    var shown = MachineReports.of(state, setup(), services.now().plusSeconds(90), List.of());

    assertThat(shown.status().transactions()).as("and not all of them").hasSize(50);
    assertThat(
            shown.status().counted().stream().mapToInt(SequencerStatus.Counted::transactions).sum())
        .isEqualTo(60);
    assertThat(shown.status().oldest())
        .hasSize(10)
        .allSatisfy(one -> assertThat(one.waitsFor()).startsWith("A coordinator"))
        .allSatisfy(one -> assertThat(one.age()).isGreaterThanOrEqualTo(Duration.ofSeconds(90)))
        .extracting(SequencerStatus.Oldest::transaction)
        .containsExactlyElementsOf(
            intents.subList(0, 10).stream().map(intent -> intent.transaction().id()).toList());
  }

  @Test
  void whoDidNotAnswerIsShownToBeAwayUntilItActs() {
    var sender = spawn();
    var now = services.now();
    var other = new NodeName("node2");
    var both = setup(ports.newGroup("alice@node1", "bob@node2"));
    var state = state(sender);
    var lost = state.withAvailability(state.availability().lost(other, now, Duration.ofSeconds(5)));

    assertThat(MachineReports.of(lost, both, now.plusSeconds(4), List.of()).unavailable())
        .containsExactly(
            new SenderReport.Away(other, Optional.of(now.plusSeconds(5)), false, Optional.empty()));
    assertThat(MachineReports.of(lost, both, now.plusSeconds(5), List.of()).unavailable())
        .as("it is asked again, and has not answered")
        .hasSize(1);
    var acts = lost.withAvailability(lost.availability().acts(other));
    assertThat(MachineReports.of(acts, both, now.plusSeconds(5), List.of()).unavailable())
        .isEmpty();
  }

  @Test
  void whoseLinkIsRefusedIsShownToBeAwayWithTheReason() {
    var sender = spawn();
    var other = new NodeName("node2");
    var both = setup(ports.newGroup("alice@node1", "bob@node2"));
    var refused =
        new SenderSetup(
            both.self(),
            both.group(),
            both.selection(),
            both.settings(),
            node -> Optional.of("connection refused"));

    assertThat(MachineReports.of(state(sender), refused, services.now(), List.of()).unavailable())
        .containsExactly(
            new SenderReport.Away(
                other, Optional.empty(), false, Optional.of("connection refused")));
  }

  private SenderSetup setup() {
    return setup(group);
  }

  private SenderSetup setup(PrivacyGroup of) {
    services.groups().add(of);
    return new SenderSetup(
        SELF, of, services.groups().selection(of.contract()), services.setup().rules().sequencer());
  }

  private void confirm(ActorRef<SenderActor.Command> sender, Intent intent) {
    var key = intent.privately().orElseThrow().key();
    // It has heard of the first block.
    ports.append(group);
    var block = ports.append(group, key);
    TestProbe<LedgerIndexer.Ack> acks = actors.testKit().createTestProbe();
    sender.tell(new SenderActor.BlockIndexed(notice(key, block.receipts().get(0)), acks.ref()));
  }

  private List<TransactionStatus> shown(ActorRef<SenderActor.Command> sender) {
    TestProbe<SenderReport> reports = actors.testKit().createTestProbe();
    sender.tell(new SenderActor.GetReport(reports.ref()));
    return reports.receiveMessage().status().transactions();
  }

  private ActorRef<SenderActor.Command> spawn() {
    return actors.testKit().spawn(SenderActor.create(services, group.contract(), shard.ref()));
  }

  /** It acknowledges no block before. */
  private void awaitLoaded(ActorRef<SenderActor.Command> sender) {
    TestProbe<LedgerIndexer.Ack> acks = actors.testKit().createTestProbe();
    var notice = BlockNotice.heightOnly(new BlockHeight(1), services.now());
    sender.tell(new SenderActor.BlockIndexed(notice, acks.ref()));
    acks.receiveMessage();
  }

  private SenderState state(ActorRef<SenderActor.Command> sender) {
    TestProbe<SenderState> states = actors.testKit().createTestProbe();
    sender.tell(new SenderActor.GetState(states.ref()));
    return states.receiveMessage();
  }

  private Optional<TransactionState> stateOf(ActorRef<SenderActor.Command> sender, Intent intent) {
    return Optional.ofNullable(state(sender).transactions().get(intent.transaction().id()))
        .map(transaction -> transaction.state());
  }

  private long acknowledgements() {
    return ports.sent().stream()
        .filter(TransactionRevertedAcknowledgement.class::isInstance)
        .count();
  }

  private static SenderActor.Deliver deliver(Message.ForSender message) {
    return new SenderActor.Deliver(
        List.of(new Received<>(SELF, new MessageId(new UUID(0, 1)), message)));
  }

  private TransactionReverted reverted(Intent intent) {
    return new TransactionReverted(
        new RequestId("reverted"),
        intent.transaction().id(),
        group.contract(),
        Optional.empty(),
        "No reason.",
        true);
  }

  private SubmitterHeartbeatNotification heartbeatNaming(Intent intent) {
    var range = services.groups().selection(group.contract()).range(new BlockHeight(3));
    return new SubmitterHeartbeatNotification(
        new HeartbeatSequence(1, 1),
        services.now(),
        group.contract(),
        List.of(new SubmitterHeartbeatNotification.Pending(intent.transaction().id(), range)),
        List.of());
  }

  private BlockNotice notice(IntentKey intent, LedgerReceipt receipt) {
    TransactionHash hash = receipt.hash();
    var onLedger =
        new Receipt.OnLedger(
            hash, receipt.block(), receipt.index(), List.of(), List.of(), List.of());
    return new BlockNotice(
        receipt.block(), services.now(), true, Map.of(intent, onLedger), List.of(), List.of());
  }
}
