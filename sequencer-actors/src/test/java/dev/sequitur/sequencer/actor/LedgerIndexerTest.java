package dev.sequitur.sequencer.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.testkit.typed.FishingOutcome;
import akka.actor.testkit.typed.javadsl.FishingOutcomes;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import dev.sequitur.fixture.LogLines;
import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.indexing.WantedShards;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.port.GroupStore.KnownGroup;
import dev.sequitur.protocol.port.NodeStore.IndexedTo;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.port.ReadSoFar;
import dev.sequitur.sequencer.runtime.ActorFixture;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A scripted ledger, and a probe in place of senders and state stores. */
class LedgerIndexerTest {
  private static final Duration REDELIVERY = Duration.ofSeconds(6);
  private static final Duration ARRIVAL = Duration.ofSeconds(60);

  @TempDir private static Path directory;
  private static ActorFixture actors;
  private static TestProbe<Object> entities;

  private final ScriptedPorts ports = new ScriptedPorts();
  private PrivacyGroup group;
  private NodeServices services;
  private ActorRef<LedgerIndexer.Command> indexer;

  @BeforeAll
  static void startSystem() {
    actors = new ActorFixture(directory);
    entities = actors.initProbes();
  }

  @AfterAll
  static void stopSystem() {
    actors.close();
  }

  @BeforeEach
  void makeGroup() {
    group = ports.newGroup();
  }

  /** What is still on its way to an entity must not be taken for the next test's. */
  @AfterEach
  void stopIndexer() {
    actors.testKit().stop(indexer);
    services.entities().sender(group.contract()).tell(new SenderActor.Wake());
    entities.fishForMessage(ARRIVAL, message -> isFence(message, SenderActor.Wake.class));
    services.entities().stateStore(group.contract()).tell(new StateStoreActor.Wake());
    entities.fishForMessage(ARRIVAL, message -> isFence(message, StateStoreActor.Wake.class));
  }

  private static FishingOutcome isFence(Object message, Class<?> fence) {
    return fence.isInstance(message)
        ? FishingOutcomes.complete()
        : FishingOutcomes.continueAndIgnore();
  }

  @Test
  void deliversNothingBeforeItIsToldToBegin() {
    ports.append(group);
    start(0);

    entities.expectNoMessage(Duration.ofMillis(200));
    assertThat(ports.headQueries()).isZero();

    begin();
    assertThat(receive(2)).containsOnly(1L);
  }

  /** After a start none is, and a block tells of it before anybody else does. */
  @Test
  void tellsBlocksOfAGroupThatIsNotInMemoryYet() {
    ports.know(
        KnownGroup.of(group, new LedgerAddress("0x" + "7".repeat(40)), new NodeName("node1")));
    ports.append(group);
    ports.append(group);
    startAsleep(0);
    begin();

    assertThat(heightsOfSender(4)).containsExactly(1L, 2L);
    assertThat(services.groups().isKnown(group.contract())).isTrue();
  }

  @Test
  void whoseGroupsAreOthersIsAskedOnceAndNotWithEachBlock() {
    var others = ports.newGroup();
    startAsleep(0);
    services.groups().add(group);
    begin();
    for (int i = 0; i < 5; i++) {
      ports.append(others);
      ports.append(group);
      assertThat(receive(2)).containsOnly(2L + 2L * i);
    }

    assertThat(ports.looksFor(others.contract())).isEqualTo(1);
  }

  @Test
  void tellsBlocksInTheirOrder() {
    for (int i = 0; i < 10; i++) {
      ports.append(group);
    }
    start(0);
    begin();

    assertThat(heightsOfSender(20)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
  }

  /** It may be in another JVM: each comes to the height by its own feed, this one too. */
  @Test
  void howHighTheJvmIsItLeavesToTheFeed() {
    ports.append(group);
    start(0);
    begin();

    assertThat(heightsOfSender(2)).containsExactly(1L);

    assertThat(services.height()).isEqualTo(BlockHeight.ZERO);
  }

  @Test
  void storesItsProgressOnlyWhenEverybodyHasAcknowledged() {
    ports.append(group);
    ports.append(group);
    start(0);
    begin();
    receive(4);

    acknowledge(2, "sender-");
    acknowledge(2, "state-store-");
    acknowledge(1, "sender-");
    awaitItsAnswer();
    assertThat(ports.indexedTo()).isEmpty();

    acknowledge(1, "state-store-");
    await()
        .atMost(ARRIVAL)
        .untilAsserted(() -> assertThat(ports.indexedTo()).contains(new BlockHeight(2)));
  }

  @Test
  void storesProgressThatWasMadeWhileItWasStoring() {
    ports.append(group);
    ports.append(group);
    ports.holdWrites();
    start(0);
    begin();
    receive(4);
    acknowledge(1, "sender-");
    acknowledge(1, "state-store-");
    await().atMost(ARRIVAL).until(() -> ports.heldWrites() == 1);
    acknowledge(2, "sender-");
    acknowledge(2, "state-store-");

    ports.releaseWrites();

    await()
        .atMost(ARRIVAL)
        .untilAsserted(() -> assertThat(ports.indexedTo()).contains(new BlockHeight(2)));
  }

  @Test
  void tellsAgainWhoHasNotAcknowledged() {
    ports.append(group);
    start(0);
    begin();
    receive(2);
    acknowledge(1, "sender-");
    awaitItsAnswer();

    ports.advance(REDELIVERY);

    var again = entities.receiveMessage();
    assertThat(again).isInstanceOf(StateStoreActor.BlockIndexed.class);
    entities.expectNoMessage(Duration.ofMillis(100));
  }

  @Test
  void isNeverMoreThanItsWindowAheadOfTheOldestUnacknowledgedBlock() {
    for (int i = 0; i < 200; i++) {
      ports.append(group);
    }
    start(0);
    begin();

    assertThat(Set.copyOf(receive(128))).hasSize(64);
    entities.expectNoMessage(Duration.ofMillis(200));

    acknowledge(1, "sender-");
    acknowledge(1, "state-store-");
    assertThat(receive(2)).containsOnly(65L);
  }

  @Test
  void handsABlockOnOnlyAfterItsConfirmations() {
    ports.append(group);
    ports.append(group);
    ports.append(group);
    start(2);
    begin();

    assertThat(receive(2)).containsOnly(1L);
    entities.expectNoMessage(Duration.ofMillis(200));
    ports.append(group);
    assertThat(receive(2)).containsOnly(2L);
  }

  @Test
  void neverShowsWhatWasReorganisedBeforeItWasFinal() {
    var kept = ports.append(group);
    var replaced = ports.append(group);
    start(2);
    begin();
    entities.expectNoMessage(Duration.ofMillis(100));
    ports.replaceNewest(group);
    ports.append(group);
    ports.append(group);

    var seen = new HashSet<IntentKey>();
    for (int i = 0; i < 4; i++) {
      if (entities.receiveMessage() instanceof SenderActor.BlockIndexed block) {
        seen.addAll(block.notice().confirmed().keySet());
      }
    }
    assertThat(seen).contains(transaction(kept)).doesNotContain(transaction(replaced));
  }

  @Test
  void readsNoFurtherAndSaysSoWhenTheLedgerLacksABlockThatWasTold() {
    ports.append(group);
    ports.append(group);
    start(0);
    begin();
    receive(4);
    assertThat(services.standing().reading().parted()).isEmpty();

    ports.replaceNewest(group);
    ports.append(group);

    await().atMost(ARRIVAL).until(() -> services.standing().reading().parted().isPresent());
    assertThat(services.standing().reading().parted().orElseThrow())
        .contains("2 to 2", "ledger.confirmations");
    entities.expectNoMessage(Duration.ofMillis(100));
  }

  @Test
  void waitsForTheLedgerWithoutAskingAllTheTimeWhenManyConfirmationsAreAsked() {
    for (int i = 0; i < 40; i++) {
      ports.append(group);
    }
    start(50);
    begin();
    await().atMost(ARRIVAL).until(() -> ports.headQueries() > 0);

    // The time that is measured begins before what is counted, and ends after it.
    long begun = System.nanoTime();
    long before = ports.headQueries();
    entities.expectNoMessage(Duration.ofMillis(500));
    long queries = ports.headQueries() - before;
    long taken = Duration.ofNanos(System.nanoTime() - begun).toMillis();
    assertThat(queries).isLessThan(2 * taken / ScriptedPorts.POLL_MILLIS);
  }

  /** CNF-8: the clock stands still. */
  @Test
  void whileNobodyWaitsForABlockItLooksOnceInEachPause() {
    ports.idlePause(Duration.ofSeconds(2));
    start(0);
    begin();
    await().atMost(ARRIVAL).until(() -> ports.headQueries() == 1);
    entities.expectNoMessage(Duration.ofMillis(200));
    assertThat(ports.headQueries()).isOne();

    ports.advance(Duration.ofSeconds(2));
    await().atMost(ARRIVAL).until(() -> ports.headQueries() == 2);

    TestProbe<BlockFeedCommand> feed = actors.testKit().createTestProbe();
    indexer.tell(
        new LedgerIndexer.Follow(feed.ref(), BlockHeight.ZERO, true, WantedShards.none(1)));
    await().atMost(ARRIVAL).until(() -> ports.headQueries() > 5);
  }

  @Test
  void readsOnWhenTheLedgerCanBeReachedAgain() {
    ports.unreachable(true);
    ports.append(group);
    start(0);
    begin();
    await().atMost(ARRIVAL).until(() -> ports.headQueries() > 2);

    ports.unreachable(false);

    assertThat(receive(2)).containsOnly(1L);
  }

  @Test
  void aStoreThatIsAwayAsItBeginsIsALineWithTheReasonAndOneWhenItIsBack() {
    ports.append(group);
    ports.storeAway(true);
    try (var lines = new LogLines(LedgerIndexer.class)) {
      services = actors.services(ports.setup(0));
      services.groups().add(group);
      indexer =
          actors
              .testKit()
              .spawn(LedgerIndexer.create(services, actors.testKit().system().ignoreRef()));
      passUntil(() -> ports.progressQueries() >= 3);
      ports.storeAway(false);
      passUntil(() -> !lines.lines("can be read again").isEmpty());

      assertThat(receive(2)).containsOnly(1L);

      assertThat(lines.lines("cannot be read"))
          .containsExactly(
              "WARN The node store or the base ledger cannot be read, and is tried again until it"
                  + " can: The database is away.");
      assertThat(lines.lines("can be read again")).hasSize(1);
    }
  }

  /** CNF-11: the one in block 7 may be in none of the new blocks. */
  @Test
  void changesOfCommitteesInBlocksThatAreReadAgainAreTakenBackFirst() {
    var first = changed(group, 3);
    var second = changed(first, 7);
    var hash = new Hash(1, 2, 3, 4);
    var reindex = new ReadSoFar.Reindex(new BlockHeight(5), new BlockHeight(9), 0);
    ports.readSoFar(new ReadSoFar(new BlockHeight(5), hash, List.of(), Optional.of(reindex)));
    ports.know(
        KnownGroup.of(second, new LedgerAddress("0x" + "7".repeat(40)), new NodeName("node1")));
    ports.answerGroups(
        CompletableFuture.completedFuture(
            List.of(StoredGroup.of(group.id(), Instant.EPOCH).withGroup(Optional.of(second)))));
    services = actors.services(ports.setup(0));
    services.groups().add(second);
    var selection = services.groups().selection(group.contract());

    indexer =
        actors
            .testKit()
            .spawn(LedgerIndexer.create(services, actors.testKit().system().ignoreRef()));

    entities.expectMessageClass(StateStoreActor.Differs.class, ARRIVAL);
    assertThat(ports.putGroups())
        .extracting(StoredGroup::group)
        .containsExactly(Optional.of(first));
    assertThat(ports.knownBy())
        .as("what is taken back does not say that the contract stood before the fork (SEL-6)")
        .containsExactly(new BlockHeight(6));
    assertThat(selection.group()).isEqualTo(first);
    assertThat(services.groups().find(group.contract())).contains(first);
  }

  /** CMT-5: the first may be written only after the second, as one whose write has failed. */
  @Test
  void aBlockThatIsToldAgainHasNoOlderCommitteeStoredThanThatOfALaterBlock() {
    for (int number = 1; number <= 2; number++) {
      ports.append(
          group, new LedgerReceipt.CommitteeChanged(group.contract(), change(group, number)));
    }
    ports.holdWrites();
    start(0);
    begin();
    await().atMost(ARRIVAL).until(() -> ports.heldWrites() == 2);

    ports.advance(REDELIVERY);
    await().atMost(ARRIVAL).until(() -> ports.heldWrites() == 4);
    ports.releaseWrites();

    assertThat(ports.putGroups())
        .extracting(stored -> stored.group().orElseThrow().committees().number())
        .containsExactly(1, 2, 2, 2);
  }

  /**
   * AGR-6: it is entered again once its states are rebuilt. Meanwhile the JVM that reads the
   * blocks, which may be another one, may have stored what later blocks have.
   */
  @Test
  void whoEntersAGroupASecondTimeTakesNothingBackThatIsStoredOfLaterBlocks() {
    var entered = changed(group, 3);
    var later = changed(entered, 7);
    start(0);
    LedgerIndexer.keep(services, later, new BlockHeight(7)).toCompletableFuture().join();

    var kept = LedgerIndexer.keep(services, entered, new BlockHeight(6)).toCompletableFuture();

    assertThat(kept).isCompletedWithValue(later);
    assertThat(ports.putGroups()).extracting(StoredGroup::group).containsOnly(Optional.of(later));
  }

  private static CommitteeChange change(PrivacyGroup group, int number) {
    return new CommitteeChange(number, group.committees().newest(), new BlockHeight(100));
  }

  private static PrivacyGroup changed(PrivacyGroup before, long block) {
    var change = change(before, before.committees().number() + 1);
    return before.changed(change, new BlockHeight(block)).orElseThrow();
  }

  /** Each pause before it looks again. */
  private void passUntil(Callable<Boolean> condition) {
    await()
        .atMost(ARRIVAL)
        .until(
            () -> {
              actors.pass(Duration.ofSeconds(10));
              return condition.call();
            });
  }

  private static IntentKey transaction(Block block) {
    return ScriptedPorts.fulfilled(block).intent();
  }

  private void start(int confirmations) {
    startAsleep(confirmations);
    services.groups().add(group);
  }

  /** Without a group in memory; it does not begin by itself. */
  private void startAsleep(int confirmations) {
    services = actors.services(ports.setup(confirmations));
    indexer =
        actors
            .testKit()
            .spawn(
                LedgerIndexer.create(
                    services, new IndexedTo(BlockHeight.ZERO, new Hash(0, 0, 0, 0))));
  }

  private void begin() {
    indexer.tell(new LedgerIndexer.Begin());
  }

  private void acknowledge(long height, String who) {
    indexer.tell(new LedgerIndexer.Ack(new BlockHeight(height), who + group.contract()));
  }

  /** Whatever it was told so far it has dealt with: a new feed is answered after that. */
  private void awaitItsAnswer() {
    TestProbe<BlockFeedCommand> feed = actors.testKit().createTestProbe();
    indexer.tell(
        new LedgerIndexer.Follow(feed.ref(), BlockHeight.ZERO, false, WantedShards.none(1)));
    feed.receiveMessage();
  }

  /** The heights of the next messages. */
  private static List<Long> receive(int messages) {
    var heights = new ArrayList<Long>();
    for (var message : entities.receiveSeveralMessages(messages)) {
      heights.add(
          message instanceof SenderActor.BlockIndexed block
              ? block.notice().height().value()
              : ((StateStoreActor.BlockIndexed) message).notice().height().value());
    }
    return heights;
  }

  private static List<Long> heightsOfSender(int messages) {
    return entities.receiveSeveralMessages(messages).stream()
        .filter(SenderActor.BlockIndexed.class::isInstance)
        .map(message -> ((SenderActor.BlockIndexed) message).notice().height().value())
        .toList();
  }
}
