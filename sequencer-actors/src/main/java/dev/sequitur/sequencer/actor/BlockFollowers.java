package dev.sequitur.sequencer.actor;

import akka.actor.typed.ActorRef;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.indexing.BlockNotice;
import dev.sequitur.protocol.indexing.NoticeParts;
import dev.sequitur.protocol.indexing.WantedShards;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The feeds of the node's JVMs, each with the contracts that it wants to hear of, and the blocks
 * that one may have missed. Confined to the indexer.
 */
final class BlockFollowers {
  /** Blocks that are kept for a feed that has missed some, if they are small. */
  private static final int MOST_KEPT = 256;

  /** As {@link NoticeParts} counts them; the newest block is kept whatever it has. */
  private static final long MOST_KEPT_BYTES = 64L << 20;

  /** Of notices in one message, and of groups: far less than Akka's remoting sends. */
  private static final long PART_BYTES = 4L << 20;

  private final Map<ActorRef<BlockFeedCommand>, Wish> feeds = new HashMap<>();
  private final Deque<Block> recent = new ArrayDeque<>();
  private final Limits limits;
  private long bytes;

  /**
   * @param keptBytes of blocks that are kept for a feed that has missed some
   * @param partBytes of notices in one message, and of groups
   */
  record Limits(long keptBytes, long partBytes) {}

  /**
   * @param awaits whether somebody in its JVM waits for a block
   */
  record Wish(boolean awaits, WantedShards wanted) {}

  /**
   * A block as the indexer has read it.
   *
   * @param notices by contract, of those that it has something of
   * @param groups that begin with it
   */
  record Block(
      BlockHeight height,
      Instant indexed,
      Map<ContractAddress, BlockNotice> notices,
      List<PrivacyGroup> groups) {
    private long bytes() {
      return notices.values().stream().mapToLong(BlockNotice::bytes).sum()
          + groups.stream().mapToLong(NoticeParts::bytes).sum();
    }
  }

  BlockFollowers() {
    this(new Limits(MOST_KEPT_BYTES, PART_BYTES));
  }

  BlockFollowers(Limits limits) {
    this.limits = limits;
  }

  void handOn(Block block) {
    recent.addLast(block);
    bytes += block.bytes();
    while (recent.size() > 1 && (recent.size() > MOST_KEPT || bytes > limits.keptBytes())) {
      bytes -= recent.removeFirst().bytes();
    }
    var before = new BlockHeight(block.height().value() - 1);
    feeds.forEach((feed, wish) -> tell(feed, wish.wanted(), before, block));
  }

  /**
   * Gives a feed what it has missed.
   *
   * @return whether it was unknown
   */
  boolean add(ActorRef<BlockFeedCommand> feed, BlockHeight known, Wish wish) {
    var before = known;
    for (var block : recent) {
      if (block.height().compareTo(known) > 0) {
        tell(feed, wish.wanted(), before, block);
        before = block.height();
      }
    }
    return feeds.put(feed, wish) == null;
  }

  private void tell(
      ActorRef<BlockFeedCommand> feed, WantedShards wanted, BlockHeight after, Block block) {
    var filter = wanted.filter();
    var notices = new LinkedHashMap<ContractAddress, BlockNotice>();
    block
        .notices()
        .forEach(
            (contract, notice) -> {
              if (filter.test(contract)) {
                notices.put(contract, notice);
              }
            });
    var parts = NoticeParts.of(notices, limits.partBytes());
    var groups = NoticeParts.ofGroups(block.groups(), limits.partBytes());
    int number = Math.max(parts.size(), groups.size());
    for (int part = 0; part < number; part++) {
      feed.tell(
          new BlockFeedCommand.Indexed(
              block.height(),
              after,
              block.indexed(),
              wanted,
              part,
              number,
              part < parts.size() ? parts.get(part) : Map.of(),
              part < groups.size() ? groups.get(part) : List.of()));
    }
  }

  /** Whether anybody waits for a block. */
  boolean await() {
    return feeds.values().stream().anyMatch(Wish::awaits);
  }

  void remove(ActorRef<?> feed) {
    feeds.remove(feed);
  }
}
