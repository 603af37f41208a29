package dev.sequitur.scheduler.runtime;

import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Throttle;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.family.FamilyQuery;
import dev.sequitur.schedule.queue.QueueSetup;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * The buckets of questions that a family answers only so often ({@link Family.Limiting}), one for
 * each family. A question changes nothing, so it is no command of a queue, and each JVM has these
 * buckets for all its queues. Thread-safe.
 */
final class QuestionThrottle {
  /** Of a family that is not served, whose questions every queue refuses. */
  private static final long OF_NO_USE = 1;

  private final LongSupplier nanos;
  private final long begin;
  private final Map<FamilyKind, AtomicReference<Throttle>> buckets =
      new EnumMap<>(FamilyKind.class);

  /**
   * @param nanos goes on evenly, like {@link System#nanoTime}: by a clock that was set back, full
   *     buckets would stay full
   */
  QuestionThrottle(QueueSetup setup, LongSupplier nanos) {
    this.nanos = nanos;
    this.begin = nanos.getAsLong();
    for (var kind : FamilyKind.values()) {
      buckets.put(kind, new AtomicReference<>(Throttle.empty(limit(setup, kind))));
    }
  }

  private static long limit(QueueSetup setup, FamilyKind kind) {
    for (var family : setup.families()) {
      if (family.kind() == kind && family instanceof Family.Limiting limiting) {
        return limiting.questionsPerSecond();
      }
    }
    return OF_NO_USE;
  }

  /** The answer to one too many. */
  <R> Optional<R> refusal(FamilyQuery<R> query) {
    return query.busy().filter(busy -> !use(buckets.get(query.family())));
  }

  private boolean use(AtomicReference<Throttle> bucket) {
    var now = new ConsensusTime(nanos.getAsLong() - begin);
    Throttle known;
    do {
      known = bucket.get();
      if (!known.allows(now)) {
        return false;
      }
    } while (!bucket.compareAndSet(known, known.use(now)));
    return true;
  }
}
