package dev.sequitur.protocol.schedule.queue;

import dev.sequitur.protocol.schedule.ConsensusTime;
import dev.sequitur.protocol.schedule.Service;

/**
 * When the next block has something to do. What the last block has left is for the next at the
 * queue's pace, since limits are per block; what becomes due after it is served just then.
 *
 * @param workLeft whether there is something that the last block could have done
 * @param at when the first becomes due that was not yet, in nanoseconds since 1970; {@code
 *     Long.MAX_VALUE} if nothing is known to
 */
public record NextBlock(boolean workLeft, long at) {
  static NextBlock of(QueueSetup setup, QueueState state, ConsensusTime lastBlock) {
    boolean left = !state.entries().removals().isEmpty();
    long at = Long.MAX_VALUE;
    for (var family : setup.families()) {
      var service = state.service(family.kind());
      var first = state.entries().due().firstKey(family.kind());
      left |= service == Service.SHUTTING_DOWN;
      if (service == Service.ACTIVE && first.isPresent()) {
        long due = family.dueNanos(first.get());
        left |= due <= lastBlock.nanos();
        at = later(at, due, lastBlock);
      }
    }
    for (var retry : state.entries().retries().entrySet()) {
      if (state.service(retry.getValue().family()) != Service.PAUSED) {
        left |= retry.getKey().time() <= lastBlock.nanos();
        at = later(at, retry.getKey().time(), lastBlock);
        break;
      }
    }
    return new NextBlock(left, at);
  }

  private static long later(long known, long due, ConsensusTime lastBlock) {
    return due > lastBlock.nanos() ? Math.min(known, due) : known;
  }
}
