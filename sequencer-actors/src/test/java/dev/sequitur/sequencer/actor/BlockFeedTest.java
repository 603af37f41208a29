package dev.sequitur.sequencer.actor;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.Effect;
import akka.actor.testkit.typed.javadsl.BehaviorTestKit;
import akka.actor.testkit.typed.javadsl.TestInbox;
import akka.actor.typed.ActorRef;
import akka.actor.typed.Terminated;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.indexing.BlockNotice;
import dev.sequitur.sequencer.runtime.ActorFixture;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Step by step, without threads. */
class BlockFeedTest {
  private final ScriptedPorts ports = new ScriptedPorts();
  private final NodeServices services = ActorFixture.withoutEntities(ports.setup(0));
  private final PrivacyGroup group = ports.newGroup();
  private final BehaviorTestKit<BlockFeedCommand> feed =
      BehaviorTestKit.create(BlockFeed.create(services.setup(), services.standing()));
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
        .containsExactly(false, true, false);
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
    return new BlockFeedCommand.Indexed(
        new BlockHeight(1),
        BlockHeight.ZERO,
        services.now(),
        Map.of(of.contract(), notice),
        List.of());
  }

  private BlockFeedCommand indexed(
      long height,
      long after,
      Map<ContractAddress, BlockNotice> notices,
      List<PrivacyGroup> groups) {
    return new BlockFeedCommand.Indexed(
        new BlockHeight(height), new BlockHeight(after), services.now(), notices, groups);
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
