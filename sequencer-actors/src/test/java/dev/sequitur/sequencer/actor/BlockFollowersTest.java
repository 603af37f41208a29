package dev.sequitur.sequencer.actor;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.TestInbox;
import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.indexing.BlockNotice;
import dev.sequitur.protocol.indexing.NoticeParts;
import dev.sequitur.protocol.indexing.WantedShards;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What of the blocks is kept and sent, counted. */
class BlockFollowersTest {
  private static final int SHARDS = 8;
  private static final WantedShards EVERY =
      WantedShards.some(SHARDS, Set.of(0, 1, 2, 3, 4, 5, 6, 7));

  private final Arbitrary any = new Arbitrary(5);
  private final TestInbox<BlockFeedCommand> feed = TestInbox.create("feed");
  private final BlockFollowers followers =
      new BlockFollowers(new BlockFollowers.Limits(100_000, 10_000));

  @Test
  void smallBlocksAreKeptForAFeedThatHasMissedThem() {
    for (int height = 1; height <= 300; height++) {
      followers.handOn(block(height, Map.of()));
    }

    follow(EVERY);

    assertThat(heights()).hasSize(256).startsWith(45L).endsWith(300L);
  }

  @Test
  void largeBlocksAreKeptByTheirBytesAndTheNewestAlways() {
    long ofOne = notices(1, 200).values().stream().mapToLong(BlockNotice::bytes).sum();
    for (int height = 1; height <= 300; height++) {
      followers.handOn(block(height, notices(1, 200)));
    }

    follow(EVERY);

    assertThat(heights().stream().distinct()).hasSize((int) (100_000 / ofOne)).endsWith(300L);
    followers.handOn(block(301, notices(1, 20_000)));
    feed.getAllReceived();
    follow(EVERY);
    assertThat(heights().stream().distinct()).containsExactly(301L);
  }

  @Test
  void eachJvmIsToldOfTheContractsOfItsShardsOnly() {
    var notices = notices(100, 1);
    TestInbox<BlockFeedCommand> other = TestInbox.create("other");
    followers.add(
        feed.getRef(), BlockHeight.ZERO, wish(WantedShards.some(SHARDS, Set.of(0, 1, 2))));
    followers.add(
        other.getRef(), BlockHeight.ZERO, wish(WantedShards.some(SHARDS, Set.of(3, 4, 5, 6, 7))));

    followers.handOn(block(1, notices));

    int here = told(feed);
    int there = told(other);
    assertThat(here).isBetween(1, 99);
    assertThat(here + there).as("each once").isEqualTo(100);
  }

  @Test
  void aJvmWithoutAnyShardIsToldTheHeight() {
    followers.add(feed.getRef(), BlockHeight.ZERO, wish(WantedShards.none(SHARDS)));

    followers.handOn(block(1, notices(100, 1)));

    assertThat(feed.getAllReceived())
        .singleElement()
        .isInstanceOfSatisfying(
            BlockFeedCommand.Indexed.class,
            block -> {
              assertThat(block.height()).isEqualTo(new BlockHeight(1));
              assertThat(block.notices()).isEmpty();
            });
  }

  @Test
  void aBlockThatIsTooLongForAMessageGoesInSeveral() {
    followers.add(feed.getRef(), BlockHeight.ZERO, wish(EVERY));

    followers.handOn(block(1, notices(1, 1_000)));

    var parts = feed.getAllReceived().stream().map(BlockFeedCommand.Indexed.class::cast).toList();
    assertThat(parts).hasSizeGreaterThan(5);
    assertThat(parts)
        .extracting(BlockFeedCommand.Indexed::part)
        .isEqualTo(IntStream.range(0, parts.size()).boxed().toList());
    assertThat(parts)
        .allSatisfy(
            part -> {
              assertThat(part.parts()).isEqualTo(parts.size());
              assertThat(part.notices().values().stream().mapToLong(BlockNotice::bytes).sum())
                  .isLessThanOrEqualTo(10_000);
            });
  }

  @Test
  void groupsThatBeginCountAsWhatIsKept() {
    var groups = groups(10);
    for (int height = 1; height <= 300; height++) {
      followers.handOn(block(height, Map.of(), groups));
    }

    follow(EVERY);

    long ofOne = groups.stream().mapToLong(NoticeParts::bytes).sum();
    assertThat(heights().stream().distinct()).hasSize((int) (100_000 / ofOne)).endsWith(300L);
  }

  @Test
  void groupsThatAreTooManyForAMessageGoInSeveralAndEachOnce() {
    followers.add(feed.getRef(), BlockHeight.ZERO, wish(EVERY));
    var groups = groups(100);

    followers.handOn(block(1, notices(1, 200), groups));

    var parts = feed.getAllReceived().stream().map(BlockFeedCommand.Indexed.class::cast).toList();
    assertThat(parts).hasSizeGreaterThan(5);
    assertThat(parts)
        .allSatisfy(
            part -> {
              assertThat(part.parts()).isEqualTo(parts.size());
              assertThat(part.groups().stream().mapToLong(NoticeParts::bytes).sum())
                  .isLessThanOrEqualTo(10_000);
            });
    assertThat(parts.stream().flatMap(part -> part.groups().stream()))
        .containsExactlyElementsOf(groups);
    assertThat(parts.stream().flatMap(part -> part.notices().keySet().stream()).distinct())
        .hasSize(1);
  }

  private List<PrivacyGroup> groups(int number) {
    return IntStream.range(0, number).mapToObj(each -> any.next(PrivacyGroup.class)).toList();
  }

  private void follow(WantedShards wanted) {
    followers.add(feed.getRef(), BlockHeight.ZERO, wish(wanted));
  }

  private static BlockFollowers.Wish wish(WantedShards wanted) {
    return new BlockFollowers.Wish(false, wanted);
  }

  private List<Long> heights() {
    return feed.getAllReceived().stream()
        .map(message -> ((BlockFeedCommand.Indexed) message).height().value())
        .toList();
  }

  private static int told(TestInbox<BlockFeedCommand> feed) {
    return feed.getAllReceived().stream()
        .mapToInt(message -> ((BlockFeedCommand.Indexed) message).notices().size())
        .sum();
  }

  private static BlockFollowers.Block block(
      long height, Map<ContractAddress, BlockNotice> notices) {
    return block(height, notices, List.of());
  }

  private static BlockFollowers.Block block(
      long height, Map<ContractAddress, BlockNotice> notices, List<PrivacyGroup> groups) {
    return new BlockFollowers.Block(new BlockHeight(height), Instant.EPOCH, notices, groups);
  }

  private static Map<ContractAddress, BlockNotice> notices(int contracts, int states) {
    var notices = new LinkedHashMap<ContractAddress, BlockNotice>();
    for (int each = 0; each < contracts; each++) {
      var created =
          IntStream.range(0, states)
              .mapToObj(number -> new StateId(new Hash(0, 0, 0, number)))
              .toList();
      notices.put(
          new ContractAddress("0x%040x".formatted(each)),
          new BlockNotice(new BlockHeight(1), Instant.EPOCH, true, Map.of(), List.of(), created));
    }
    return notices;
  }
}
