package dev.sequitur.node.rpc.schedule;

import dev.sequitur.schedule.ConsensusTime;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Valid starts of transactions that are built here without one: no two are the same, since with its
 * payer it is the transaction's id. The first of a millisecond is its beginning, the next ones lie
 * before it, as a queue refuses what begins after its own time. Thread-safe.
 */
final class ValidStarts {
  private final AtomicReference<Start> last = new AtomicReference<>(new Start(-1, 0));

  /**
   * @param before how many were made of this millisecond before
   */
  private record Start(long millis, long before) {
    /** After the clock was set back it goes on with the old time, as the queues' clocks do. */
    Start next(long now) {
      return now > millis ? new Start(now, 0) : new Start(millis, before + 1);
    }

    ConsensusTime time() {
      return new ConsensusTime(ConsensusTime.ofMillis(millis).nanos() - before);
    }
  }

  ConsensusTime next(Instant now) {
    return last.updateAndGet(start -> start.next(now.toEpochMilli())).time();
  }
}
