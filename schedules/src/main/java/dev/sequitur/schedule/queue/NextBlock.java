package dev.sequitur.schedule.queue;

import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Service;
import java.util.Optional;

/**
 * When the next block has something to do. What the last block has left is for the next at the
 * queue's pace, since limits are per block; what becomes due after it is served just then.
 *
 * @param workLeft whether there is something that the last block could have done
 * @param at when the first becomes due that was not yet, in nanoseconds since 1970; {@code
 *     Long.MAX_VALUE} if nothing is known to
 */
public record NextBlock(boolean workLeft, long at) {
  /** The same as a time. */
  public Optional<ConsensusTime> firstDue() {
    return at == Long.MAX_VALUE ? Optional.empty() : Optional.of(new ConsensusTime(at));
  }

  static NextBlock of(QueueSetup setup, QueueState state, ConsensusTime lastBlock) {
    boolean left = !state.entries().removals().isEmpty();
    long at = Long.MAX_VALUE;
    for (var family : setup.families()) {
      var service = state.service(family.kind());
      var first = state.entries().due().firstKey(family.kind());
      left |= service == Service.SHUTTING_DOWN && !isAwaited(state, family.kind());
      if (service == Service.ACTIVE && first.isPresent()) {
        long due = family.dueNanos(first.get());
        left |= due <= lastBlock.nanos();
        at = later(at, due, lastBlock);
      }
    }
    for (var family : state.entries().retries().families()) {
      var first = state.entries().retries().firstKey(family);
      if (state.service(family) != Service.PAUSED && first.isPresent()) {
        left |= first.get().time() <= lastBlock.nanos();
        at = later(at, first.get().time(), lastBlock);
      }
    }
    return new NextBlock(left, at);
  }

  /** Only what is out keeps the shutdown from its end: no block can do anything about it. */
  private static boolean isAwaited(QueueState state, FamilyKind family) {
    return state.entries().nothingWaits(family) && state.entries().isExecuting(family);
  }

  private static long later(long known, long due, ConsensusTime lastBlock) {
    return due > lastBlock.nanos() ? Math.min(known, due) : known;
  }
}
