package dev.sequitur.sequencer.actor;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.Effect;
import akka.actor.testkit.typed.javadsl.BehaviorTestKit;
import akka.actor.testkit.typed.javadsl.TestInbox;
import akka.actor.typed.ActorRef;
import akka.actor.typed.Terminated;
import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.guard.NamePattern;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.indexing.BlockNotice;
import dev.sequitur.protocol.indexing.WantedShards;
import dev.sequitur.protocol.port.GroupStore.KnownGroup;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.SubmitMode;
import dev.sequitur.sequencer.runtime.ActorFixture;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Step by step, without threads. */
class BlockFeedTest {
  private static final NodeName SELF = new NodeName("node1");
  private static final int SHARDS = 16;
  private static final WantedShards EVERY =
      WantedShards.some(
          SHARDS, IntStream.range(0, SHARDS).boxed().collect(Collectors.toUnmodifiableSet()));

  private final ScriptedPorts ports = new ScriptedPorts();
  private final NodeServices services = ActorFixture.withoutEntities(ports.setup(0));
  private final PrivacyGroup group = ports.newGroup();
  private final BehaviorTestKit<BlockFeedCommand> feed =
      BehaviorTestKit.create(BlockFeed.create(services.setup(), services.standing(), SHARDS));
  private final TestInbox<LedgerIndexer.Command> indexer = TestInbox.create("indexer");
  private final TestInbox<BlockNotice> subscriber = TestInbox.create("subscriber");

  @Test
  void whoSubscribesIsToldTheHeightAtOnce() {
    feed.run(block(1));

    subscribe();

    assertThat(heights(subscriber)).containsExactly(1L);
  }

  @Test
  void eachBlockComesOnceAndInOrder() {
    subscribe();
    feed.run(block(1));
    feed.run(block(2));
    feed.run(block(1));
    feed.run(block(2));
    feed.run(block(3));

    assertThat(heights(subscriber)).containsExactly(0L, 1L, 2L, 3L);
    assertThat(services.height()).isEqualTo(new BlockHeight(3));
  }

  @Test
  void whoWantsEveryBlockIsToldWhatItHasOfTheContractAndOthersOnlyTheHeight() {
    var another = ports.newGroup();
    TestInbox<BlockNotice> ofAnother = TestInbox.create("another");
    subscribe();
    feed.run(
        new BlockFeedCommand.Subscribe(another.contract(), ofAnother.getRef(), ofAnother.getRef()));

    feed.run(blockOf(group));

    assertThat(subscriber.getAllReceived())
        .extracting(BlockNotice::concernsContract)
        .containsExactly(false, true);
    assertThat(ofAnother.getAllReceived())
        .extracting(BlockNotice::concernsContract)
        .containsExactly(false, false);
  }

  @Test
  void whoWantsTheHeightAloneIsToldOfNoBlockThatTheIndexerTellsIt() {
    feed.run(
        new BlockFeedCommand.SubscribeHeight(
            group.contract(), subscriber.getRef(), subscriber.getRef()));

    feed.run(blockOf(group));
    feed.run(block(2));

    assertThat(heights(subscriber)).containsExactly(0L, 2L);
  }

  @Test
  void aGroupThatBeginsIsKnownBeforeAnybodyHearsOfTheBlock() {
    feed.run(indexed(1, 0, Map.of(), List.of(group)));

    assertThat(services.groups().find(group.contract())).contains(group);
  }

  @Test
  void itFollowsTheIndexerFromWhatItKnowsAndAgainAndAgain() {
    feed.run(block(1));
    feed.run(new BlockFeedCommand.Begin(indexer.getRef()));

    Effect.TimerScheduled<?> timer = feed.expectEffectClass(Effect.TimerScheduled.class);
    var again = (BlockFeedCommand) timer.msg();
    feed.run(again);
    feed.run(block(2));
    feed.run(again);

    assertThat(follows()).containsExactly(1L, 2L);
  }

  @Test
  void aBlockThatWasLostIsAskedForAndThoseAfterItWaitForIt() {
    subscribe();
    feed.run(new BlockFeedCommand.Begin(indexer.getRef()));
    feed.run(block(1));

    feed.run(block(3));

    assertThat(follows()).containsExactly(1L);
    assertThat(heights(subscriber)).containsExactly(0L, 1L);
    feed.run(block(2));
    feed.run(block(3));
    assertThat(heights(subscriber)).containsExactly(2L, 3L);
  }

  @Test
  void aBlockThatTheIndexerNoLongerHasIsLeftOut() {
    subscribe();
    feed.run(new BlockFeedCommand.Begin(indexer.getRef()));

    feed.run(indexed(300, 0, Map.of(), List.of()));

    assertThat(follows()).isEmpty();
    assertThat(heights(subscriber)).containsExactly(0L, 300L);
  }

  /** CMT-5: a JVM that asks too late has no other way to learn of it. */
  @Test
  void groupsThatHaveChangedAreReadBeforeABlockThatComesAfterSomeWereLeftOut() {
    var changed = changed(group);
    services.groups().add(group);
    var selection = services.groups().selection(group.contract());
    store(changed);
    subscribe();
    feed.run(new BlockFeedCommand.Begin(indexer.getRef()));
    feed.run(indexed(300, 0, Map.of(), List.of()));
    assertThat(heights(subscriber)).as("not before").containsExactly(0L);

    feed.runOne();

    assertThat(services.groups().find(group.contract())).contains(changed);
    assertThat(selection.group()).isEqualTo(changed);
    assertThat(follows()).as("it is asked for again").containsExactly(0L);
    feed.run(indexed(300, 0, Map.of(), List.of()));
    feed.run(block(301));
    assertThat(heights(subscriber)).containsExactly(300L, 301L);
  }

  /** CLR-5: its member was told all of its groups, and none of them had concerned this JVM. */
  @Test
  void aGroupThatHasBegunInABlockThatWasLeftOutIsKnownBeforeTheNextOne() {
    services.groups().seekOf(new NamePattern("nobody@node1"), services.store());
    store(group);
    feed.run(new BlockFeedCommand.Begin(indexer.getRef()));

    feed.run(indexed(300, 0, Map.of(), List.of()));
    feed.runOne();

    assertThat(services.groups().isKnown(group.contract())).isTrue();
  }

  @Test
  void aStoreThatCannotBeReadIsReadWithTheNextLook() {
    services.groups().add(group);
    store(changed(group));
    subscribe();
    feed.run(new BlockFeedCommand.Begin(indexer.getRef()));
    ports.readKnown(CompletableFuture.failedFuture(new IllegalStateException("It is away.")));
    feed.run(indexed(300, 0, Map.of(), List.of()));
    feed.runOne();
    assertThat(heights(subscriber)).containsExactly(0L);

    ports.readKnown(CompletableFuture.completedFuture(null));
    feed.run(indexed(301, 0, Map.of(), List.of()));
    feed.runOne();
    feed.run(indexed(301, 0, Map.of(), List.of()));

    assertThat(heights(subscriber)).containsExactly(301L);
    assertThat(services.groups().find(group.contract()).orElseThrow().committees().number())
        .isEqualTo(1);
  }

  private PrivacyGroup changed(PrivacyGroup before) {
    var quorum = new Quorum(before.committee(), 1);
    return before
        .changed(new CommitteeChange(1, quorum, new BlockHeight(400)), new BlockHeight(7))
        .orElseThrow();
  }

  private void store(PrivacyGroup stored) {
    ports.know(
        KnownGroup.of(stored, new LedgerAddress("0x" + "7".repeat(40)), SELF), new BlockHeight(7));
    ports.answerGroups(
        CompletableFuture.completedFuture(
            List.of(StoredGroup.of(stored.id(), Instant.EPOCH).withGroup(Optional.of(stored)))));
  }

  @Test
  void theIndexerIsToldAtOnceThatSomebodyWaitsAndLaterThatNobodyDoes() {
    feed.run(new BlockFeedCommand.Begin(indexer.getRef()));
    feed.run(new BlockFeedCommand.Follow());
    feed.run(new BlockFeedCommand.Await(subscriber.getRef()));
    subscribe();
    feed.signal(terminated(subscriber.getRef()));
    feed.run(new BlockFeedCommand.Follow());

    assertThat(indexer.getAllReceived())
        .extracting(message -> ((LedgerIndexer.Follow) message).awaits())
        .as("the third for what is wanted")
        .containsExactly(false, true, true, false);
  }

  @Test
  void whoHasStoppedIsToldNothingMore() {
    subscribe();

    feed.signal(terminated(subscriber.getRef()));
    feed.run(block(1));

    assertThat(heights(subscriber)).containsExactly(0L);
  }

  @Test
  void whoSubscribesAgainIsToldEachBlockOnce() {
    subscribe();
    subscribe();

    feed.run(block(1));

    assertThat(heights(subscriber)).containsExactly(0L, 0L, 1L);
  }

  @Test
  void theIndexerIsToldOfWhichContractsItIsToTellAndAtOnceOfEachNewShard() {
    feed.run(new BlockFeedCommand.Begin(indexer.getRef()));
    feed.run(new BlockFeedCommand.Follow());
    subscribe();
    feed.run(
        new BlockFeedCommand.SubscribeHeight(
            group.contract(), subscriber.getRef(), TestInbox.create("sender").getRef()));
    var elsewhere = elsewhere();
    feed.run(
        new BlockFeedCommand.Subscribe(
            elsewhere, subscriber.getRef(), TestInbox.create("elsewhere").getRef()));
    feed.signal(terminated(subscriber.getRef()));
    feed.run(new BlockFeedCommand.Follow());

    int here = WantedShards.shard(group.contract(), SHARDS);
    int there = WantedShards.shard(elsewhere, SHARDS);
    assertThat(indexer.getAllReceived())
        .extracting(message -> ((LedgerIndexer.Follow) message).wanted())
        .containsExactly(
            WantedShards.none(SHARDS),
            WantedShards.some(SHARDS, Set.of(here)),
            WantedShards.some(SHARDS, Set.of(here, there)),
            WantedShards.some(SHARDS, Set.of(here, there)));
  }

  @Test
  void aBlockThatTellsOfTooFewContractsIsAskedForOnceMoreAndNotTakenBefore() {
    feed.run(new BlockFeedCommand.Begin(indexer.getRef()));
    subscribe();
    indexer.getAllReceived();

    feed.run(indexed(1, 0, WantedShards.none(SHARDS), 0, 1, Map.of(), List.of()));
    feed.run(indexed(2, 1, WantedShards.none(SHARDS), 0, 1, Map.of(), List.of()));

    assertThat(follows()).containsExactly(0L);
    assertThat(heights(subscriber)).containsExactly(0L);
    feed.run(blockOf(group));
    feed.run(block(2));
    assertThat(subscriber.getAllReceived())
        .extracting(BlockNotice::concernsContract)
        .containsExactly(true, false);
  }

  @Test
  void aBlockThatComesInPartsIsToldOnceAllOfThemAreHere() {
    subscribe();
    var first = ports.newIntent(group, SubmitMode.AUTO).privately().orElseThrow().key();
    var second = ports.newIntent(group, SubmitMode.AUTO).privately().orElseThrow().key();

    feed.run(part(1, 0, 2, first));
    assertThat(services.height()).isEqualTo(BlockHeight.ZERO);
    feed.run(part(1, 1, 2, second));

    assertThat(services.height()).isEqualTo(new BlockHeight(1));
    var told = subscriber.getAllReceived();
    assertThat(told).hasSize(2);
    assertThat(told.get(1).confirmed()).containsOnlyKeys(first, second);
  }

  @Test
  void groupsThatBeginWithABlockComeWithAnyOfItsParts() {
    var another = ports.newGroup();

    feed.run(indexed(1, 0, EVERY, 0, 2, Map.of(), List.of(group)));
    feed.run(indexed(1, 0, EVERY, 1, 2, Map.of(), List.of(another)));

    assertThat(services.height()).isEqualTo(new BlockHeight(1));
    assertThat(services.groups().isKnown(group.contract())).isTrue();
    assertThat(services.groups().isKnown(another.contract())).isTrue();
  }

  @Test
  void aPartThatWasLostIsAskedForWithThoseBeforeIt() {
    feed.run(new BlockFeedCommand.Begin(indexer.getRef()));
    subscribe();
    indexer.getAllReceived();
    var first = ports.newIntent(group, SubmitMode.AUTO).privately().orElseThrow().key();
    var second = ports.newIntent(group, SubmitMode.AUTO).privately().orElseThrow().key();

    feed.run(part(1, 0, 3, first));
    feed.run(part(1, 2, 3, second));
    feed.run(block(2));

    assertThat(follows()).containsExactly(0L);
    assertThat(services.height()).isEqualTo(BlockHeight.ZERO);
    feed.run(part(1, 0, 2, first));
    feed.run(part(1, 1, 2, second));
    assertThat(subscriber.getAllReceived().getLast().confirmed()).containsOnlyKeys(first, second);
  }

  /** Of another shard. */
  private ContractAddress elsewhere() {
    while (true) {
      var contract = ports.newGroup().contract();
      if (WantedShards.shard(contract, SHARDS) != WantedShards.shard(group.contract(), SHARDS)) {
        return contract;
      }
    }
  }

  private void subscribe() {
    feed.run(
        new BlockFeedCommand.Subscribe(group.contract(), subscriber.getRef(), subscriber.getRef()));
  }

  private BlockFeedCommand block(long height) {
    return indexed(height, height - 1, Map.of(), List.of());
  }

  /** The first block, with something of the group's contract. */
  private BlockFeedCommand blockOf(PrivacyGroup of) {
    var notice =
        new BlockNotice(new BlockHeight(1), services.now(), true, Map.of(), List.of(), List.of());
    return indexed(1, 0, Map.of(of.contract(), notice), List.of());
  }

  private BlockFeedCommand indexed(
      long height,
      long after,
      Map<ContractAddress, BlockNotice> notices,
      List<PrivacyGroup> groups) {
    return indexed(height, after, EVERY, 0, 1, notices, groups);
  }

  private BlockFeedCommand indexed(
      long height,
      long after,
      WantedShards told,
      int part,
      int parts,
      Map<ContractAddress, BlockNotice> notices,
      List<PrivacyGroup> groups) {
    return new BlockFeedCommand.Indexed(
        new BlockHeight(height),
        new BlockHeight(after),
        services.now(),
        told,
        part,
        parts,
        notices,
        groups);
  }

  private BlockFeedCommand part(long height, int part, int parts, IntentKey confirmed) {
    var onLedger =
        new Receipt.OnLedger(
            new TransactionHash(Hash.sha256(new byte[0])),
            new BlockHeight(height),
            0,
            List.of(),
            List.of(),
            List.of());
    var notice =
        new BlockNotice(
            new BlockHeight(height),
            services.now(),
            true,
            Map.of(confirmed, onLedger),
            List.of(),
            List.of());
    return indexed(
        height, height - 1, EVERY, part, parts, Map.of(group.contract(), notice), List.of());
  }

  private static List<Long> heights(TestInbox<BlockNotice> of) {
    return of.getAllReceived().stream().map(notice -> notice.height().value()).toList();
  }

  /** From where the indexer was asked to go on. */
  private List<Long> follows() {
    return indexer.getAllReceived().stream()
        .map(message -> ((LedgerIndexer.Follow) message).known().value())
        .toList();
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // Its constructor wants a type that Java has not.
  private static Terminated terminated(ActorRef<?> ref) {
    return new Terminated((ActorRef) ref);
  }
}
