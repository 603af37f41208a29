package dev.sequitur.node.process;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.indexing.OlderRecords;
import dev.sequitur.protocol.indexing.OlderRecords.Done;
import dev.sequitur.protocol.ledger.Block;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The first of the blocks that a node has missed, looked through for what it did (RCV-7), up to a
 * number of blocks, of finds and a time: a ledger that answers slowly holds up no start for long.
 *
 * @param ends when its time is over, by {@code nanos}
 * @param nanos goes on evenly, like {@link System#nanoTime}
 */
record FirstMissedBlocks(BlockHeight from, long ends, LongSupplier nanos) {
  /** After that it goes on with what it has found. */
  static final Duration LONGEST = Duration.ofSeconds(30);

  private static final int PAGE = 32;

  /** A node that was down for longer looks at the first of what it has missed. */
  private static final int MOST_BLOCKS = 4_096;

  /** So much says enough. */
  private static final int MOST_DONE = 64;

  /** Reads blocks from a height on, at most so many. Blocks its caller. */
  @FunctionalInterface
  interface Reading {
    /**
     * @throws StartFailure if the ledger does not answer, or not in time
     */
    List<Block> blocks(BlockHeight from, int most);
  }

  /**
   * @param upTo the last block that was looked through, if the time was over or the ledger failed
   *     before the end
   */
  record Shown(List<Done> done, Optional<BlockHeight> upTo) {
    Shown {
      done = List.copyOf(done);
    }
  }

  /** Its time begins now. */
  static FirstMissedBlocks from(BlockHeight first, LongSupplier nanos) {
    return new FirstMissedBlocks(first, nanos.getAsLong() + LONGEST.toNanos(), nanos);
  }

  /** Of its time. */
  Duration left() {
    return Duration.ofNanos(Math.max(0, ends - nanos.getAsLong()));
  }

  /**
   * What was found before the ledger fails, or the time ends within a page, counts.
   *
   * @throws StartFailure if it fails at the first page: it has shown nothing
   */
  Shown shown(BlockHeight head, Reading ledger, OlderRecords.Own own) {
    var done = new ArrayList<Done>();
    long last = Math.min(head.value(), from.value() - 1 + MOST_BLOCKS);
    long next = from.value();
    while (next <= last && done.size() < MOST_DONE) {
      if (left().isZero()) {
        return new Shown(done, Optional.of(new BlockHeight(next - 1)));
      }
      List<Block> blocks;
      try {
        blocks = ledger.blocks(new BlockHeight(next), PAGE);
      } catch (StartFailure e) {
        if (next == from.value()) {
          throw e;
        }
        return new Shown(done, Optional.of(new BlockHeight(next - 1)));
      }
      if (blocks.isEmpty()) {
        break;
      }
      blocks.forEach(block -> done.addAll(OlderRecords.shown(block, own)));
      next += blocks.size();
    }
    return new Shown(done, Optional.empty());
  }
}
