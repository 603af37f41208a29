package dev.sequitur.sequencer.actor;

import akka.actor.typed.ActorRef;
import dev.sequitur.protocol.id.BlockHeight;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * The feeds of the node's JVMs, with the blocks that one may have missed. Confined to the indexer.
 */
final class BlockFollowers {
  /** Blocks that are kept for a feed that has missed some. */
  private static final int KEPT = 256;

  /** Whether somebody in its JVM waits for a block. */
  private final Map<ActorRef<BlockFeedCommand>, Boolean> feeds = new HashMap<>();

  private final Deque<BlockFeedCommand.Indexed> recent = new ArrayDeque<>();

  void handOn(BlockFeedCommand.Indexed block) {
    if (recent.size() == KEPT) {
      recent.removeFirst();
    }
    recent.addLast(block);
    feeds.keySet().forEach(feed -> feed.tell(block));
  }

  /**
   * Gives a feed what it has missed.
   *
   * @param awaits whether somebody in its JVM waits for a block
   * @return whether it was unknown
   */
  boolean add(ActorRef<BlockFeedCommand> feed, BlockHeight known, boolean awaits) {
    var before = known;
    for (var block : recent) {
      if (block.height().compareTo(known) > 0) {
        feed.tell(block.following(before));
        before = block.height();
      }
    }
    return feeds.put(feed, awaits) == null;
  }

  /** Whether anybody waits for a block. */
  boolean await() {
    return feeds.containsValue(true);
  }

  void remove(ActorRef<?> feed) {
    feeds.remove(feed);
  }
}
