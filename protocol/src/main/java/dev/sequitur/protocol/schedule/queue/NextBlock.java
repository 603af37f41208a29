package dev.sequitur.protocol.schedule.queue;

import dev.sequitur.protocol.schedule.ConsensusTime;
import dev.sequitur.protocol.schedule.Service;

/**
 * When the next block has something to do. What one block has left is for the next at the queue's
 * pace, since limits are per block; what is to come is served just when it comes.
 *
 * @param workLeft whether there is something to do already
 * @param at when something becomes due that is not yet, in nanoseconds since 1970; {@code
 *     Long.MAX_VALUE} if nothing is known to
 */
public record NextBlock(boolean workLeft, long at) {
  static NextBlock of(QueueSetup setup, QueueState state, ConsensusTime now) {
    boolean left = !state.entries().removals().isEmpty();
    long at = Long.MAX_VALUE;
    for (var family : setup.families()) {
      var service = state.service(family.kind());
      var first = state.entries().due().firstKey(family.kind());
      left |= service == Service.SHUTTING_DOWN;
      if (service == Service.ACTIVE && first.isPresent()) {
        var due = family.dueNanos(first.get());
        left |= due.isEmpty() || due.getAsLong() <= now.nanos();
        at = due.isPresent() ? later(at, due.getAsLong(), now) : at;
      }
    }
    for (var retry : state.entries().retries().entrySet()) {
      if (state.service(retry.getValue().family()) != Service.PAUSED) {
        left |= retry.getKey().time() <= now.nanos();
        at = later(at, retry.getKey().time(), now);
        break;
      }
    }
    return new NextBlock(left, at);
  }

  private static long later(long known, long due, ConsensusTime now) {
    return due > now.nanos() ? Math.min(known, due) : known;
  }
}
